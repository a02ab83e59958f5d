# Methods that several nodes train together: a job for each node and round, and a job that joins the
# rows of each round. Files between the rounds are deleted when they have been used.


rule train_node:
    input:
        unpack(lambda w: study.fits.node_inputs(w)),
    output:
        node=temp(directory(paths.NODE)),
    log:
        "logs/rounds/{corpus}/{method}/{protocol}/seed{seed}/node{node}/{round}.log",
    wildcard_constraints:
        method=either(study.fits.methods_in_rounds),
        node=r"\d+",
        round=r"\d+",
    conda:
        "../../environment.yml"
    resources:
        mem_mb=lambda w, input, threads, attempt: study.fits.memory(
            w.method, input.corpus, threads, attempt, launched=not workflow.local_exec
        ),
    params:
        plan=lambda w: vars(study.fits.plan(w.corpus, w.method, w.protocol)),
        code=lambda w: study.fits.code("train_node", w.method),
    script:
        "../scripts/train_node.py"


rule join_nodes:
    input:
        unpack(lambda w: study.fits.joined_inputs(w)),
    output:
        rows=temp(paths.ROWS),
    log:
        "logs/rounds/{corpus}/{method}/{protocol}/seed{seed}/joined/{round}.log",
    wildcard_constraints:
        method=either(study.fits.methods_in_rounds),
        round=r"\d+",
    conda:
        "../../environment.yml"
    params:
        hyperparameters=lambda w: vars(study.fits.hyperparameters(w.method, w.protocol)),
        code=study.code("join_nodes"),
    script:
        "../scripts/join_nodes.py"
