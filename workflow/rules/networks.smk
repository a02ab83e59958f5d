# The three networks of a corpus. `labels` is `given`, or `shuffled-SEED` for the control.


rule network:
    input:
        corpus="resources/corpora/{corpus}",
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
    params:
        window=config["window"],
        code=fingerprint("pte.networks.build"),
    script:
        "../scripts/network.py"
