# Word vectors. All variants of LINE and PTE are one rule; methods.yaml tells them apart.


def networks_of(wildcards):
    method = METHODS[wildcards.method]
    shuffled = method.get("labels") == "shuffled"
    labels = {"wl": f"shuffled-{wildcards.seed}"} if shuffled else {}
    return {
        network: f"resources/networks/{wildcards.corpus}/{labels.get(network, 'given')}/{network}"
        for phase in method["phases"]
        for network in phase
    }


# Compile once before the fan-out: numba's cache is not safe for a first compile by many at once.
rule warm_up:
    output:
        "resources/warm_up.json",
    log:
        "logs/warm_up.log",
    params:
        code=fingerprint("pte.core"),
    script:
        "../scripts/warm_up.py"


rule network_embedding:
    input:
        unpack(networks_of),
        compiled=ancient(rules.warm_up.output),
    output:
        vectors="results/vectors/{corpus}/{method}/seed{seed}.npy",
        training="results/vectors/{corpus}/{method}/seed{seed}.json",
    log:
        "logs/vectors/{corpus}/{method}/seed{seed}.log",
    benchmark:
        "results/benchmarks/vectors/{corpus}/{method}/seed{seed}.tsv"
    wildcard_constraints:
        method=either(methods_with("network_embedding")),
    threads: 1
    params:
        phases=lambda w: METHODS[w.method]["phases"],
        samples=lambda w: config["samples"].get(w.corpus, "auto"),
        training=config["training"],
        code=fingerprint("pte.models.network_embedding"),
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
    params:
        dim=config["training"]["dim"],
        code=fingerprint("pte.models.random_vectors"),
    script:
        "../scripts/random_vectors.py"
