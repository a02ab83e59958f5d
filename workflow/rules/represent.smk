# Methods learn word vectors, document vectors, or the classes of test documents. One rule serves all
# methods; the `SPEC` of a method's module says what the method needs.


rule choose:
    input:
        unpack(lambda w: study.choose_inputs(w.corpus, w.method)),
    output:
        choice="results/choices/{corpus}/{method}.json",
        cost="results/costs/choices/{corpus}/{method}.json",
    log:
        "logs/choices/{corpus}/{method}.log",
    conda:
        "../../environment.yml"
    resources:
        mem_mb=lambda w, input, threads, attempt: study.memory(
            w.method, input.corpus, threads, attempt, launched=not workflow.local_exec
        ),
    params:
        plan=lambda w: vars(study.plan(w.corpus, w.method, "chosen")),
        seed=study.config.seeds[0],
        installed=lambda w: study.is_installed(w.method),
        code=lambda w: study.fit_code("choose", w.method),
    message:
        "Choose the hyperparameters of {wildcards.method} on {wildcards.corpus}"
    script:
        "../scripts/choose.py"


# One thread makes every fit bit-reproducible, and many jobs fill the cores. For a few large corpora,
# give more threads: snakemake --set-threads represent=8.
rule represent:
    input:
        unpack(lambda w: study.fit_inputs(w.corpus, w.method, w.protocol, w.seed)),
    output:
        representation="results/representations/{corpus}/{method}/{protocol}/seed{seed}.npy",
        training="results/representations/{corpus}/{method}/{protocol}/seed{seed}.json",
        cost="results/costs/representations/{corpus}/{method}/{protocol}/seed{seed}.json",
    log:
        "logs/representations/{corpus}/{method}/{protocol}/seed{seed}.log",
    wildcard_constraints:
        method=either(study.represented_methods),
    conda:
        "../../environment.yml"
    resources:
        mem_mb=lambda w, input, threads, attempt: study.memory(
            w.method, input.corpus, threads, attempt, launched=not workflow.local_exec
        ),
    params:
        plan=lambda w: vars(study.plan(w.corpus, w.method, w.protocol)),
        installed=lambda w: study.is_installed(w.method),
        code=lambda w: study.fit_code("represent", w.method),
    message:
        "Fit {wildcards.method} on {wildcards.corpus} by {wildcards.protocol}, seed {wildcards.seed}"
    script:
        "../scripts/represent.py"
