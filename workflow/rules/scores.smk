# Document features, LIBLINEAR, F1. Every method ends in one .json and one .npy a setting and seed.


rule score_word_vectors:
    input:
        corpus="resources/corpora/{corpus}",
        vectors="results/vectors/{corpus}/{method}/seed{seed}.npy",
        training="results/vectors/{corpus}/{method}/seed{seed}.json",
    output:
        scores="results/scores/{corpus}/{method}/{setting}/seed{seed}.json",
        predictions="results/scores/{corpus}/{method}/{setting}/seed{seed}.npy",
    log:
        "logs/scores/{corpus}/{method}/{setting}/seed{seed}.log",
    benchmark:
        "results/benchmarks/scores/{corpus}/{method}/{setting}/seed{seed}.tsv"
    wildcard_constraints:
        method=either(
            methods_with("network_embedding")
            + methods_with("random_vectors")
            + methods_with("skip_gram")
        ),
    conda:
        "../../environment.yml"
    params:
        setting=lambda w: config["settings"][w.setting],
        labels=lambda w: METHODS[w.method].get("labels"),
        code=fingerprint(
            "pte.evaluation.documents",
            "pte.evaluation.evaluate",
            "pte.evaluation.record",
        ),
    script:
        "../scripts/score_word_vectors.py"


rule score_document_vectors:
    input:
        corpus="resources/corpora/{corpus}",
        vectors="results/vectors/{corpus}/{method}/seed{seed}.npy",
        training="results/vectors/{corpus}/{method}/seed{seed}.json",
    output:
        scores="results/scores/{corpus}/{method}/{setting}/seed{seed}.json",
        predictions="results/scores/{corpus}/{method}/{setting}/seed{seed}.npy",
    log:
        "logs/scores/{corpus}/{method}/{setting}/seed{seed}.log",
    benchmark:
        "results/benchmarks/scores/{corpus}/{method}/{setting}/seed{seed}.tsv"
    wildcard_constraints:
        method=either(methods_with("paragraph_vector")),
    conda:
        "../../environment.yml"
    params:
        setting=lambda w: config["settings"][w.setting],
        code=fingerprint("pte.evaluation.evaluate", "pte.evaluation.record"),
    script:
        "../scripts/score_document_vectors.py"


rule score_bow:
    input:
        corpus="resources/corpora/{corpus}",
    output:
        scores="results/scores/{corpus}/{method}/{setting}/seed{seed}.json",
        predictions="results/scores/{corpus}/{method}/{setting}/seed{seed}.npy",
    log:
        "logs/scores/{corpus}/{method}/{setting}/seed{seed}.log",
    benchmark:
        "results/benchmarks/scores/{corpus}/{method}/{setting}/seed{seed}.tsv"
    wildcard_constraints:
        method=either(methods_with("bow")),
    conda:
        "../../environment.yml"
    params:
        setting=lambda w: config["settings"][w.setting],
        code=fingerprint(
            "pte.models.bow",
            "pte.evaluation.evaluate",
            "pte.evaluation.record",
        ),
    script:
        "../scripts/score_bow.py"


rule collect_scores:
    input:
        lambda w: score_files(w.table),
    output:
        "results/tidy/{table}.csv",
    log:
        "logs/tidy/{table}.log",
    conda:
        "../../environment.yml"
    params:
        code=fingerprint("pte.report.summaries"),
    script:
        "../scripts/collect_scores.py"
