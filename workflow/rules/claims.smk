# What the paper says by comparing methods, judged on the runs of the tables.


rule claims:
    input:
        scores=runs.claimed_scores(),
        hits=[file.replace(".json", ".npy") for file in runs.claimed_scores()],
        checkpoints=paths.with_ending(runs.claimed_checkpoints(), "json"),
        predictions=paths.with_ending(runs.claimed_checkpoints(), "npy"),
        corpora=[paths.corpus(name) for name in runs.claimed_corpora()],
    output:
        csv="results/claims/claims.csv",
        pairs="results/claims/pairs.csv",
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
        claims=dict(study.registries.claims),
        unavailable=runs.unavailable(),
        settings=list(study.config.settings),
        unseeded=study.unseeded_methods,
        labels=study.labels,
        code=study.claims_code,
    script:
        "../scripts/claims.py"
