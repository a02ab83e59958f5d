# What the paper says by comparing methods, judged on the runs of the tables.


rule claims:
    input:
        scores=claimed_scores(),
        checkpoints=claimed_checkpoints("json"),
        predictions=claimed_checkpoints("npy"),
        corpora=expand("resources/corpora/{corpus}", corpus=claimed_corpora()),
    output:
        csv="results/claims/claims.csv",
        md="results/claims/claims.md",
        tex="results/claims/claims.tex",
        html=report(
            "results/claims/claims.html",
            caption="../report/claims.rst",
            category="Claims",
        ),
    log:
        "logs/claims.log",
    conda:
        "../../environment.yml"
    params:
        claims=CLAIMS,
        unavailable=REGISTRIES.unavailable
        | {
            corpus: "its texts cannot be downloaded, and are in no mirror here"
            for corpus in CORPORA
            if not is_obtainable(corpus)
        },
        settings=list(config["settings"]),
        unseeded=[name for name in METHODS if not METHODS[name].get("seeded", True)],
        labels=LABELS,
        code=fingerprint("pte.report.verdicts"),
    script:
        "../scripts/claims.py"
