# Claims of the paper that compare methods, judged on the runs of the tables.


rule claims:
    input:
        **study.claim_inputs(study.claims()),
    output:
        csv="results/claims/claims.csv",
        md="results/claims/claims.md",
    log:
        "logs/claims.log",
    conda:
        "../../environment.yml"
    params:
        claims=dict(study.registries.claims),
        unavailable=study.unavailable(),
        protocols=list(study.config.protocols),
        unseeded=study.unseeded_methods,
        stochastic=study.stochastic_methods,
        names=study.of_claims(study.claims()),
        labels=study.labels,
        code=study.code("claims"),
    message:
        "Judge all claims of the paper"
    script:
        "../scripts/claims.py"


use rule claims as claim with:
    input:
        unpack(lambda w: study.claim_inputs(study.claims([w.claim]))),
    output:
        csv="results/claims/alone/{claim}.csv",
        md="results/claims/alone/{claim}.md",
    log:
        "logs/claims/{claim}.log",
    params:
        claims=lambda w: {w.claim: study.registries.claims[w.claim]},
        names=lambda w: study.of_claims(study.claims([w.claim])),
    message:
        "Judge the claim {wildcards.claim} alone: p-values are adjusted for its own tests only"


# No other job runs meanwhile.
use rule represent as timed with:
    input:
        unpack(lambda w: study.fit_inputs(w.corpus, w.method, "paper", w.seed)),
    output:
        representation=temp("results/claims/timed/{corpus}/{method}/seed{seed}.npy"),
        training="results/claims/timed/{corpus}/{method}/seed{seed}.json",
        cost="results/costs/claims/timed/{corpus}/{method}/seed{seed}.json",
    log:
        "logs/claims/timed/{corpus}/{method}/seed{seed}.log",
    threads: workflow.cores
    params:
        plan=lambda w: vars(study.plan(w.corpus, w.method)),
        installed=lambda w: study.is_installed(w.method),
        code=lambda w: study.fit_code("represent", w.method),
    message:
        "Measure the seconds of {wildcards.method} on {wildcards.corpus}, with all its threads"


# For every seed; maps show one seed.
rule neighbours_vote:
    input:
        vectors="results/representations/{corpus}/{method}/paper/seed{seed}.npy",
        corpus="resources/corpora/{corpus}",
    output:
        predicted="results/claims/neighbours/{corpus}/{method}/seed{seed}.npy",
        cost="results/costs/claims/neighbours/{corpus}/{method}/seed{seed}.json",
    log:
        "logs/claims/neighbours/{corpus}/{method}/seed{seed}.log",
    conda:
        "../../environment.yml"
    params:
        code=study.code("neighbours_vote"),
    message:
        "Classify test documents of {wildcards.corpus} by their nearest labelled documents"
    script:
        "../scripts/neighbours_vote.py"


use rule neighbours_vote as training_neighbours with:
    output:
        right="results/claims/training_neighbours/{corpus}/{method}/seed{seed}.npy",
        cost="results/costs/claims/training_neighbours/{corpus}/{method}/seed{seed}.json",
    log:
        "logs/claims/training_neighbours/{corpus}/{method}/seed{seed}.log",
    message:
        "Classify training documents of {wildcards.corpus} by other training documents"
