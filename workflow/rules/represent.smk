# Methods learn word vectors, document vectors, or the classes of test documents. One rule serves all
# methods; the `SPEC` of a method's module says what the method needs.


# Choose the hyperparameters that are chosen once for a corpus, and that config.yaml does not fix.
rule choose:
    input:
        unpack(lambda w: study.fits.choose_inputs(w.corpus, w.method)),
    output:
        choice=paths.CHOICE,
        cost=paths.cost(paths.CHOICE),
    log:
        "logs/choices/{corpus}/{method}.log",
    conda:
        "../../environment.yml"
    resources:
        mem_mb=lambda w, input, threads, attempt: study.fits.memory(
            w.method, input.corpus, threads, attempt, launched=not workflow.local_exec
        ),
    params:
        plan=lambda w: vars(study.fits.plan(w.corpus, w.method, "chosen")),
        seed=study.config.seeds[0],
        installed=lambda w: study.fits.is_installed(w.method),
        code=lambda w: study.fits.code("choose", w.method),
    script:
        "../scripts/choose.py"


# One thread makes every fit bit-reproducible, and many jobs fill the cores. For a few large corpora,
# give more threads: snakemake --set-threads represent=8.
rule represent:
    input:
        unpack(lambda w: study.fits.inputs(w.corpus, w.method, w.protocol, w.seed)),
    output:
        representation=f"{paths.REPRESENTATION}.npy",
        training=f"{paths.REPRESENTATION}.json",
        cost=paths.cost(paths.REPRESENTATION),
    log:
        "logs/representations/{corpus}/{method}/{protocol}/seed{seed}.log",
    wildcard_constraints:
        method=either(study.fits.represented_methods),
    conda:
        "../../environment.yml"
    resources:
        mem_mb=lambda w, input, threads, attempt: study.fits.memory(
            w.method, input.corpus, threads, attempt, launched=not workflow.local_exec
        ),
    params:
        plan=lambda w: vars(study.fits.plan(w.corpus, w.method, w.protocol)),
        installed=lambda w: study.fits.is_installed(w.method),
        code=lambda w: study.fits.code("represent", w.method),
    script:
        "../scripts/represent.py"
