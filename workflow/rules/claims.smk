# Claims of the paper that compare methods, judged on the runs of the tables.
from pte_study.configuration.entries import PAPER


rule claims:
    input:
        **Claimed.by(runs).inputs(),
    output:
        csv=f"{paths.CLAIMS}.csv",
        md=f"{paths.CLAIMS}.md",
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
        protocols=list(study.config.protocols),
        unseeded=study.unseeded_methods,
        stochastic=study.stochastic_methods,
        names=Claimed.by(runs).names(),
        labels=study.labels,
        code=study.code("claims", *study.relations),
    script:
        "../scripts/claims.py"


# Judge one claim alone: p-values are adjusted for the tests of this claim only.
use rule claims as claim with:
    input:
        unpack(lambda w: Claimed.by(runs, [w.claim]).inputs()),
    output:
        csv=f"{paths.CLAIM}.csv",
        md=f"{paths.CLAIM}.md",
        html=f"{paths.CLAIM}.html",
    log:
        "logs/claims/{claim}.log",
    params:
        claims=lambda w: {w.claim: study.registries.claims[w.claim]},
        names=lambda w: Claimed.by(runs, [w.claim]).names(),


# Train with all threads that a method can use, to measure the seconds. No other job runs meanwhile.
use rule represent as timed with:
    input:
        unpack(lambda w: study.fits.inputs(w.corpus, w.method, PAPER, w.seed)),
    output:
        representation=temp(f"{paths.TIMED}.npy"),
        training=f"{paths.TIMED}.json",
        cost=paths.cost(paths.TIMED),
    log:
        "logs/claims/timed/{corpus}/{method}/seed{seed}.log",
    threads: workflow.cores
    params:
        plan=lambda w: vars(study.fits.plan(w.corpus, w.method)),
        installed=lambda w: study.fits.is_installed(w.method),
        code=lambda w: study.fits.code("represent", w.method),


# Classify test documents by their nearest labelled documents, for every seed; maps show one seed.
rule neighbours_vote:
    input:
        unpack(lambda w: study.fits.vectors(w.corpus, w.method, w.seed)),
        corpus=paths.CORPUS,
    output:
        predicted=f"{paths.BY_NEIGHBOURS}.npy",
        cost=paths.cost(paths.BY_NEIGHBOURS),
    log:
        "logs/claims/neighbours/{corpus}/{method}/seed{seed}.log",
    conda:
        "../../environment.yml"
    params:
        code=study.code("neighbours_vote"),
    script:
        "../scripts/neighbours_vote.py"


# The same of training documents, by other training documents.
use rule neighbours_vote as training_neighbours with:
    output:
        right=f"{paths.IN_TRAINING}.npy",
        cost=paths.cost(paths.IN_TRAINING),
    log:
        "logs/claims/training_neighbours/{corpus}/{method}/seed{seed}.log",
