# Graphs of a corpus: text networks, and the nearest documents of each document.


# `labels` is `given`, or `shuffled-SEED` for the control. Threads and memory are not parameters,
# because a network does not depend on them.
rule network:
    input:
        corpus=paths.CORPUS,
        edges=lambda w: study.edges_of(w.network),
        compiled=paths.kernels("counting"),
    output:
        network=directory(paths.NETWORK),
        cost=paths.cost(paths.NETWORK),
    log:
        "logs/network/{corpus}/{labels}/{network}.log",
    conda:
        "../../environment.yml"
    resources:
        mem_mb=lambda w, attempt: attempt * 4000,
    params:
        window=lambda w: study.window_of(w.network),
        code=lambda w: study.network_code("network", w.network),
    script:
        "../scripts/network.py"


rule neighbours:
    input:
        corpus=paths.CORPUS,
    output:
        neighbours=paths.NEIGHBOURS,
        cost=paths.cost(paths.NEIGHBOURS),
    log:
        "logs/neighbours/{corpus}.log",
    conda:
        "../../environment.yml"
    params:
        code=study.code("neighbours"),
    script:
        "../scripts/neighbours.py"
