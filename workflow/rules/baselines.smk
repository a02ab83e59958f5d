# Skip-gram and paragraph vectors. How many epochs is in config.yaml, or chosen once a corpus.


rule choose_epochs:
    input:
        corpus="resources/corpora/{corpus}",
        compiled=compiled("text"),
    output:
        "results/epochs/{corpus}/{method}.json",
    log:
        "logs/epochs/{corpus}/{method}.log",
    benchmark:
        "results/benchmarks/epochs/{corpus}/{method}.tsv"
    wildcard_constraints:
        method=either(methods_with("skip_gram") + methods_with("paragraph_vector")),
    conda:
        "../../environment.yml"
    threads: 1
    params:
        method=lambda w: only(METHODS[w.method], ["variant", "epochs"]),
        training=config["training"],
        window=config["window"],
        seed=config["seeds"][0],
        code=fingerprint(
            "pte.models.skip_gram",
            "pte.models.paragraph_vector",
            "pte.evaluation.documents",
            "pte.evaluation.epochs",
        ),
    script:
        "../scripts/choose_epochs.py"


rule skip_gram:
    input:
        unpack(chosen_epochs),
        corpus="resources/corpora/{corpus}",
        compiled=compiled("text"),
    output:
        vectors="results/vectors/{corpus}/{method}/seed{seed}.npy",
        training="results/vectors/{corpus}/{method}/seed{seed}.json",
    log:
        "logs/vectors/{corpus}/{method}/seed{seed}.log",
    benchmark:
        "results/benchmarks/vectors/{corpus}/{method}/seed{seed}.tsv"
    wildcard_constraints:
        method=either(methods_with("skip_gram")),
    conda:
        "../../environment.yml"
    threads: 1
    params:
        epochs=epochs_of,
        training=config["training"],
        window=config["window"],
        code=fingerprint("pte.models.skip_gram"),
    script:
        "../scripts/skip_gram.py"


# The vectors of all documents: trained ones of the training part, inferred ones of the test part.
rule paragraph_vector:
    input:
        unpack(chosen_epochs),
        corpus="resources/corpora/{corpus}",
        compiled=compiled("text"),
    output:
        vectors="results/vectors/{corpus}/{method}/seed{seed}.npy",
        training="results/vectors/{corpus}/{method}/seed{seed}.json",
    log:
        "logs/vectors/{corpus}/{method}/seed{seed}.log",
    benchmark:
        "results/benchmarks/vectors/{corpus}/{method}/seed{seed}.tsv"
    wildcard_constraints:
        method=either(methods_with("paragraph_vector")),
    conda:
        "../../environment.yml"
    threads: 1
    params:
        epochs=epochs_of,
        variant=lambda w: METHODS[w.method]["variant"],
        training=config["training"],
        window=config["window"],
        code=fingerprint("pte.models.paragraph_vector"),
    script:
        "../scripts/paragraph_vector.py"
