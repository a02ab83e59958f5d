# Scores: document features, LIBLINEAR, F1. They run before all other jobs but the compilation of
# kernels, because each score is a row that the terminal shows.


rule score:
    input:
        unpack(
            lambda w: study.fits.score_inputs(w.corpus, w.method, w.protocol, w.seed)
        ),
    output:
        scores=f"{paths.SCORES}.json",
        predictions=f"{paths.SCORES}.npy",
        cost=paths.cost(paths.SCORES),
    log:
        "logs/scores/{corpus}/{method}/{protocol}/seed{seed}.log",
    priority: 2
    conda:
        "../../environment.yml"
    resources:
        mem_mb=lambda w, input, attempt: study.fits.memory_to_score(
            w.method, input.corpus, attempt
        ),
    params:
        plan=lambda w: vars(study.fits.plan(w.corpus, w.method).to_score),
        setting=lambda w: study.fits.classifier_of(w.method, w.protocol),
        code=lambda w: study.fits.scoring_code("score", w.method),
    script:
        "../scripts/score.py"


# Choose the classifier of a method: its C, whether vectors get unit length, and whether there is a
# bias. Training documents that the method has not seen judge the classifier.
rule choose_classifier:
    input:
        unpack(lambda w: study.fits.classifier_inputs(w.corpus, w.method, w.protocol)),
    output:
        classifier=paths.CLASSIFIER,
        cost=paths.cost(paths.CLASSIFIER),
    log:
        "logs/classifiers/{corpus}/{method}/{protocol}.log",
    conda:
        "../../environment.yml"
    resources:
        mem_mb=lambda w, input, attempt: study.fits.memory_to_score(
            w.method, input.corpus, attempt
        ),
    params:
        plan=lambda w: vars(study.fits.plan(w.corpus, w.method).to_score),
        seed=study.config.seeds[0],
        code=lambda w: study.fits.scoring_code("choose_classifier", w.method),
    script:
        "../scripts/choose_classifier.py"


# Train PTE(joint), and score it at one T or at several.
rule sensitivity_run:
    input:
        corpus=paths.CORPUS,
        compiled=paths.kernels("sensitivity"),
    output:
        scores=f"{paths.SENSITIVITY_RUN}.json",
        predictions=f"{paths.SENSITIVITY_RUN}.npy",
        cost=paths.cost(paths.SENSITIVITY_RUN),
    log:
        "logs/sensitivity/{corpus}/{parameter}/{value}/seed{seed}.log",
    wildcard_constraints:
        corpus=either(study.registries.corpora),
        parameter="[a-z]+",
    conda:
        "../../environment.yml"
    params:
        plan=lambda w: vars(runs.sensitivity_plan(w.corpus, w.parameter, w.value)),
        weights=study.sensitivity_weights,
        setting=vars(study.config.protocols["paper"].classifier),
        code=study.sensitivity_code,
    script:
        "../scripts/sensitivity_run.py"


# Place documents on a plane, for maps.
rule place:
    input:
        unpack(lambda w: study.fits.vectors(w.corpus, w.method, w.seed)),
        corpus=paths.CORPUS,
    output:
        places=f"{paths.PLACES}.npy",
        separation=f"{paths.PLACES}.json",
        cost=paths.cost(paths.PLACES),
    log:
        "logs/maps/{corpus}/{method}/seed{seed}.log",
    conda:
        "../../environment.yml"
    params:
        code=study.code("place"),
    script:
        "../scripts/place.py"
