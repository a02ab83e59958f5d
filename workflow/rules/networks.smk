# The three networks of a corpus. `labels` is `given`, or `shuffled-SEED` for the control. Threads
# and memory are not parameters, because the networks do not depend on them.


rule network:
    input:
        corpus="resources/corpora/{corpus}",
        compiled=compiled("counting"),
    output:
        directory("resources/networks/{corpus}/{labels}/{network}"),
    log:
        "logs/network/{corpus}/{labels}/{network}.log",
    benchmark:
        "results/benchmarks/network/{corpus}/{labels}/{network}.tsv"
    wildcard_constraints:
        labels=r"given|shuffled-\d+",
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=4000,
    params:
        window=lambda w: config["window"] if w.network == "ww" else None,
        code=fingerprint("pte.networks.build"),
    script:
        "../scripts/network.py"
