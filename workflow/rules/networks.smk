# Graphs of a corpus: text networks, and the nearest documents of each document.


# `labels` is `given`, or `shuffled-SEED` for the control. Threads and memory are not parameters,
# because a network does not depend on them.
rule network:
    input:
        corpus="resources/corpora/{corpus}",
        edges=lambda w: study.config.networks.get(w.network, []),
        compiled="resources/warm_up.done",
    output:
        network=directory("resources/networks/{corpus}/{labels}/{network}"),
        cost="results/costs/networks/{corpus}/{labels}/{network}.json",
    log:
        "logs/network/{corpus}/{labels}/{network}.log",
    conda:
        "../../environment.yml"
    resources:
        mem_mb=lambda w, attempt: attempt * 4000,
    params:
        window=lambda w: study.window_of(w.network),
        code=lambda w: study.network_code("network", w.network),
    message:
        "Build the network {wildcards.network} of {wildcards.corpus}"
    script:
        "../scripts/network.py"


rule neighbours:
    input:
        corpus="resources/corpora/{corpus}",
    output:
        neighbours="resources/neighbours/{corpus}.npz",
        cost="results/costs/neighbours/{corpus}.json",
    log:
        "logs/neighbours/{corpus}.log",
    conda:
        "../../environment.yml"
    params:
        code=study.code("neighbours"),
    message:
        "Find the nearest documents of each document of {wildcards.corpus}"
    script:
        "../scripts/neighbours.py"
