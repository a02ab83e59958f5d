# Text of a user's own: `snakemake own --config corpus=reviews.csv`. The rules for fits and scores are
# those of all corpora; the rules here write the verdict, the predictions and the page.
from pte_study.plan.own_targets import OwnTargets

own = OwnTargets(runs)


wildcard_constraints:
    own=either(study.config.own),


# This rule has no output, so that it prints what came out every time.
rule own:
    input:
        lambda w: own.pages(),
    log:
        "logs/own/said.log",
    conda:
        "../../environment.yml"
    script:
        "../scripts/own_say.py"


rule own_scores:
    input:
        corpus=lambda w: paths.corpus(w.own),
        scores=lambda w: own.scores(w.own),
        costs=lambda w: own.paid(w.own),
    output:
        csv=f"{paths.OWN}/scores.csv",
        md=f"{paths.OWN}/scores.md",
        verdict=f"{paths.OWN}/verdict.json",
    log:
        "logs/own/{own}/scores.log",
    conda:
        "../../environment.yml"
    params:
        rows=lambda w: study.rows(own.methods(w.own)),
        needed=lambda w: own.needed(w.own),
        predictors=lambda w: list(own.predictors(w.own)),
        code=study.code("own_scores"),
    script:
        "../scripts/own_scores.py"


rule own_predictions:
    input:
        corpus=lambda w: paths.corpus(w.own),
        text=lambda w: study.archives_of(w.own)["archive"],
        verdict=f"{paths.OWN}/verdict.json",
        vectors=lambda w: own.vectors(w.own),
        fits=lambda w: own.fits(w.own),
    output:
        predictions=f"{paths.OWN}/predictions.csv",
        npz=f"{paths.OWN}/vectors.npz",
        txt=f"{paths.OWN}/vectors.txt",
    log:
        "logs/own/{own}/predictions.log",
    conda:
        "../../environment.yml"
    params:
        predictors=lambda w: own.predictors(w.own),
        reading=lambda w: own.reading(w.own),
        separator=lambda w: study.config.own[w.own].text.columns.separator or ";",
        code=lambda w: own.predictions_code(w.own),
    script:
        "../scripts/own_predictions.py"


rule own_page:
    input:
        corpus=lambda w: paths.corpus(w.own),
        text=lambda w: study.archives_of(w.own)["archive"],
        verdict=f"{paths.OWN}/verdict.json",
        scores=lambda w: own.scores(w.own),
        table=f"{paths.OWN}/scores.csv",
        curve=lambda w: own.curve(w.own),
        vectors=lambda w: own.vectors(w.own),
        predictions=f"{paths.OWN}/predictions.csv",
        costs=lambda w: own.costs(w.own),
    output:
        page=f"{paths.OWN}/index.html",
        classes=f"{paths.OWN}/per_class.csv",
        confusion=f"{paths.OWN}/confusion.csv",
    log:
        "logs/own/{own}/page.log",
    conda:
        "../../environment.yml"
    params:
        reading=lambda w: own.reading(w.own),
        shown=lambda w: own.shown(w.own),
        curve=lambda w: study.rows(study.fits.budget(w.own).curve),
        code=lambda w: study.reading_code("own_page", w.own),
    script:
        "../scripts/own_page.py"
