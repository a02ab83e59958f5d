# Document features, LIBLINEAR, F1. Every method ends in one .json and one .npy a setting and seed.
# Scores come first of all that could run: each is a row that the terminal shows.


rule score_word_vectors:
    input:
        unpack(vectors_of),
        corpus="resources/corpora/{corpus}",
    output:
        scores="results/scores/{corpus}/{method}/{setting}/seed{seed}.json",
        predictions="results/scores/{corpus}/{method}/{setting}/seed{seed}.npy",
    log:
        "logs/scores/{corpus}/{method}/{setting}/seed{seed}.log",
    benchmark:
        "results/benchmarks/scores/{corpus}/{method}/{setting}/seed{seed}.tsv"
    wildcard_constraints:
        method=either(methods_with(*WITH_VECTORS, "document_features")),
    priority: 2
    conda:
        "../../environment.yml"
    params:
        setting=lambda w: config["settings"][w.setting],
        labels=lambda w: METHODS[w.method].get("labels"),
        features=lambda w: only(METHODS[w.method], ["unit_length", "beside_bow"]),
        code=fingerprint(
            "pte.evaluation.features",
            "pte.evaluation.evaluate",
            "pte.evaluation.record",
        ),
    script:
        "../scripts/score_word_vectors.py"


rule score_document_vectors:
    input:
        unpack(vectors_of),
        corpus="resources/corpora/{corpus}",
    output:
        scores="results/scores/{corpus}/{method}/{setting}/seed{seed}.json",
        predictions="results/scores/{corpus}/{method}/{setting}/seed{seed}.npy",
    log:
        "logs/scores/{corpus}/{method}/{setting}/seed{seed}.log",
    benchmark:
        "results/benchmarks/scores/{corpus}/{method}/{setting}/seed{seed}.tsv"
    wildcard_constraints:
        method=either(methods_with("paragraph_vector")),
    priority: 2
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
    priority: 2
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
        lambda w: wanted(table_scores(w.table)),
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
