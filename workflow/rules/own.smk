# Text of a user's own: `snakemake own --config corpus=reviews.csv`. The jobs are the trials of the
# contest that `pte evaluate` runs in one process; both give the same scores.
from pte_study.plan.own_targets import TRIALS, OwnTargets

own = OwnTargets(study)


# What is read is known by its content (`given`), so that a new time alone makes nothing anew.
wildcard_constraints:
    own=either(study.config.own),
    fold=r"\d+|all",


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


rule own_trial:
    input:
        text=lambda w: ancient(own.declared(w.own)),
        compiled=lambda w: own.compiled(w.own, w.method),
    output:
        trials=TRIALS,
    log:
        "logs/own/{own}/{method}.{fold}.log",
    conda:
        "../../environment.yml"
    params:
        given=lambda w: own.given(w.own),
        entries=lambda w: own.entries(w.method),
        code=lambda w: own.code(w.own, "own_trial", w.method),
    script:
        "../scripts/own_trial.py"


rule own_page:
    input:
        text=lambda w: ancient(own.declared(w.own)),
        trials=lambda w: own.trials(w.own),
    output:
        page=f"{paths.OWN}/index.html",
        contest=f"{paths.OWN}/contest.json",
    log:
        "logs/own/{own}/page.log",
    conda:
        "../../environment.yml"
    params:
        given=lambda w: own.given(w.own),
        told=lambda w: own.told(w.own),
        code=lambda w: own.code(w.own, "own_page", *own.plan(w.own).methods),
    script:
        "../scripts/own_page.py"
