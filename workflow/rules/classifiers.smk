# Methods that predict classes themselves. They have one score; every setting shows it.


# The graph of label propagation: subsets that differ in labels alone have it of the whole corpus.
rule neighbours:
    input:
        corpus="resources/corpora/{corpus}",
    output:
        "resources/neighbours/{corpus}.npz",
    log:
        "logs/neighbours/{corpus}.log",
    benchmark:
        "results/benchmarks/neighbours/{corpus}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    params:
        code=fingerprint("pte.models.neighbours"),
    script:
        "../scripts/neighbours.py"


rule classify:
    input:
        unpack(start_of),
        unpack(neighbours_for),
        corpus="resources/corpora/{corpus}",
        compiled=kernels_of,
    output:
        predictions="results/predictions/{corpus}/{method}/seed{seed}.npy",
        training="results/predictions/{corpus}/{method}/seed{seed}.json",
    log:
        "logs/predictions/{corpus}/{method}/seed{seed}.log",
    benchmark:
        "results/benchmarks/predictions/{corpus}/{method}/seed{seed}.tsv"
    wildcard_constraints:
        method=either(methods_with(*CLASSIFIERS)),
    conda:
        "../../environment.yml"
    threads: 1
    params:
        model=lambda w: METHODS[w.method]["model"],
        labels=lambda w: METHODS[w.method].get("labels", "given"),
        choice=lambda w: config["choices"].get(w.corpus, {}).get(w.method),
        installed=lambda w: is_installed(w.method),
        code=lambda w: fingerprint(f"pte.models.{METHODS[w.method]['model']}"),
    script:
        "../scripts/classify.py"


rule score_predictions:
    input:
        corpus="resources/corpora/{corpus}",
        predictions=rules.classify.output.predictions,
        training=rules.classify.output.training,
    output:
        scores="results/scores/{corpus}/{method}/{setting}/seed{seed}.json",
        predictions="results/scores/{corpus}/{method}/{setting}/seed{seed}.npy",
    log:
        "logs/scores/{corpus}/{method}/{setting}/seed{seed}.log",
    wildcard_constraints:
        method=either(methods_with(*CLASSIFIERS)),
    priority: 2
    conda:
        "../../environment.yml"
    params:
        code=fingerprint("pte.evaluation.metrics", "pte.evaluation.record"),
    script:
        "../scripts/score_predictions.py"
