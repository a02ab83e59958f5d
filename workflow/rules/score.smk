# Scores: document features, LIBLINEAR, F1. They run before all other jobs but the compilation of
# kernels, because each score is a row that the terminal shows.


rule score:
    input:
        unpack(lambda w: study.score_inputs(w.corpus, w.method, w.protocol, w.seed)),
    output:
        scores="results/scores/{corpus}/{method}/{protocol}/seed{seed}.json",
        predictions="results/scores/{corpus}/{method}/{protocol}/seed{seed}.npy",
        cost="results/costs/scores/{corpus}/{method}/{protocol}/seed{seed}.json",
    log:
        "logs/scores/{corpus}/{method}/{protocol}/seed{seed}.log",
    priority: 2
    conda:
        "../../environment.yml"
    resources:
        mem_mb=lambda w, input, attempt: study.memory_to_score(
            w.method, input.corpus, attempt
        ),
    params:
        plan=lambda w: vars(study.plan(w.corpus, w.method).to_score),
        setting=lambda w: study.classifier_of(w.method, w.protocol),
        code=lambda w: study.scoring_code("score", w.method),
    message:
        "Score {wildcards.method} on {wildcards.corpus} by {wildcards.protocol}, seed {wildcards.seed}"
    script:
        "../scripts/score.py"


# Its C, whether vectors get unit length, and whether there is a bias. Training documents that the
# method has not seen judge the classifier.
rule choose_classifier:
    input:
        unpack(lambda w: study.classifier_inputs(w.corpus, w.method, w.protocol)),
    output:
        classifier="results/classifiers/{corpus}/{method}/{protocol}.json",
        cost="results/costs/classifiers/{corpus}/{method}/{protocol}.json",
    log:
        "logs/classifiers/{corpus}/{method}/{protocol}.log",
    conda:
        "../../environment.yml"
    resources:
        mem_mb=lambda w, input, attempt: study.memory_to_score(
            w.method, input.corpus, attempt
        ),
    params:
        plan=lambda w: vars(study.plan(w.corpus, w.method).to_score),
        seed=study.config.seeds[0],
        code=lambda w: study.scoring_code("choose_classifier", w.method),
    message:
        "Choose the classifier of {wildcards.method} on {wildcards.corpus}"
    script:
        "../scripts/choose_classifier.py"


rule sensitivity_run:
    input:
        corpus="resources/corpora/{corpus}",
        compiled="resources/warm_up.done",
    output:
        scores="results/sensitivity/runs/{corpus}/{parameter}/{value}/seed{seed}.json",
        predictions="results/sensitivity/runs/{corpus}/{parameter}/{value}/seed{seed}.npy",
        cost="results/costs/sensitivity/runs/{corpus}/{parameter}/{value}/seed{seed}.json",
    log:
        "logs/sensitivity/{corpus}/{parameter}/{value}/seed{seed}.log",
    wildcard_constraints:
        corpus=either(study.registries.corpora),
        parameter="[a-z_]+",
    conda:
        "../../environment.yml"
    params:
        plan=lambda w: vars(study.sensitivity_plan(w.corpus, w.parameter, w.value)),
        weights=study.sensitivity_weights,
        setting=vars(study.config.protocols["paper"].classifier),
        code=study.sensitivity_code,
    message:
        "Train PTE(joint) on {wildcards.corpus} with {wildcards.parameter} {wildcards.value}"
    script:
        "../scripts/sensitivity_run.py"


rule place:
    input:
        vectors="results/representations/{corpus}/{method}/paper/seed{seed}.npy",
        corpus="resources/corpora/{corpus}",
    output:
        places="results/maps/{corpus}/{method}/seed{seed}.npy",
        separation="results/maps/{corpus}/{method}/seed{seed}.json",
        cost="results/costs/maps/{corpus}/{method}/seed{seed}.json",
    log:
        "logs/maps/{corpus}/{method}/seed{seed}.log",
    conda:
        "../../environment.yml"
    params:
        code=study.code("place"),
    message:
        "Place the documents of {wildcards.corpus} on a plane, as {wildcards.method} has them"
    script:
        "../scripts/place.py"
