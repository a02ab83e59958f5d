# Word vectors. All variants of LINE and PTE are one rule; methods.yaml tells them apart.


rule network_embedding:
    input:
        unpack(networks_of),
        corpus="resources/corpora/{corpus}",
        compiled=kernels_of,
    output:
        vectors="results/vectors/{corpus}/{method}/seed{seed}.npy",
        training="results/vectors/{corpus}/{method}/seed{seed}.json",
    log:
        "logs/vectors/{corpus}/{method}/seed{seed}.log",
    benchmark:
        "results/benchmarks/vectors/{corpus}/{method}/seed{seed}.tsv"
    wildcard_constraints:
        method=either(methods_with("network_embedding")),
    conda:
        "../../environment.yml"
    threads: 1
    params:
        phases=lambda w: METHODS[w.method]["phases"],
        samples=lambda w: config["samples"].get(base_of(w), "auto"),
        training=config["training"],
        weights=config["network_weights"],
        deterministic=config["deterministic"],
        labels=lambda w: METHODS[w.method].get("labels", "given"),
        streamed=lambda w: is_streamed(w),
        window=config["window"],
        samples_limit=config["samples_limit"],
        code=fingerprint(
            "pte.models.network_embedding",
            "pte.networks.weights",
            "pte.evaluation.stopping",
        ),
    script:
        "../scripts/network_embedding.py"


rule random_vectors:
    input:
        corpus="resources/corpora/{corpus}",
    output:
        vectors="results/vectors/{corpus}/{method}/seed{seed}.npy",
        training="results/vectors/{corpus}/{method}/seed{seed}.json",
    log:
        "logs/vectors/{corpus}/{method}/seed{seed}.log",
    wildcard_constraints:
        method=either(methods_with("random_vectors")),
    conda:
        "../../environment.yml"
    params:
        dim=config["training"]["dim"],
        code=fingerprint("pte.models.random_vectors"),
    script:
        "../scripts/random_vectors.py"
