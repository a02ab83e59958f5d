# What the paper says by comparing methods, judged on the runs of the tables.


rule claims:
    input:
        **runs.claim_inputs(study.registries.claims),
    output:
        csv=f"{paths.CLAIMS}.csv",
        pairs=paths.PAIRS,
        md=f"{paths.CLAIMS}.md",
        tex=f"{paths.CLAIMS}.tex",
        html=report(
            f"{paths.CLAIMS}.html",
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
        names=runs.claimed_names(study.registries.claims),
        labels=study.labels,
        code=study.claims_code,
    script:
        "../scripts/claims.py"


# One claim alone: p-values are adjusted for what it tests itself, and for nothing else.
use rule claims as claim with:
    input:
        unpack(lambda w: runs.claim_inputs([w.claim])),
    output:
        csv=f"{paths.CLAIM}.csv",
        pairs=f"{paths.CLAIM}-pairs.csv",
        md=f"{paths.CLAIM}.md",
        tex=f"{paths.CLAIM}.tex",
        html=f"{paths.CLAIM}.html",
    log:
        "logs/claims/{claim}.log",
    params:
        claims=lambda w: {w.claim: study.registries.claims[w.claim]},
        names=lambda w: runs.claimed_names([w.claim]),
