# How PTE(joint) depends on T, from checkpoints of one training, and on what else it is given.


rule sensitivity_run:
    input:
        corpus="resources/corpora/{corpus}",
        compiled=compiled("sensitivity"),
    output:
        scores="results/sensitivity/runs/{corpus}/{parameter}/{value}/seed{seed}.json",
        predictions="results/sensitivity/runs/{corpus}/{parameter}/{value}/seed{seed}.npy",
    log:
        "logs/sensitivity/{corpus}/{parameter}/{value}/seed{seed}.log",
    benchmark:
        "results/benchmarks/sensitivity/{corpus}/{parameter}/{value}/seed{seed}.tsv"
    wildcard_constraints:
        corpus=either(CORPORA),
        parameter=either([*PARAMETERS, "default"]),
    conda:
        "../../environment.yml"
    threads: 1
    params:
        settings=lambda w: sensitivity_settings(w.corpus, w.parameter, w.value),
        weights=config["network_weights"],
        deterministic=config["deterministic"],
        setting=config["settings"]["paper"],
        code=fingerprint("pte.evaluation.sensitivity", "pte.networks.weights"),
    script:
        "../scripts/sensitivity_run.py"


rule sensitivity_figure:
    input:
        lambda w: wanted(sensitivity_runs(w.parameter)),
    output:
        csv="results/sensitivity/{parameter}.csv",
        md="results/sensitivity/{parameter}.md",
        tex="results/sensitivity/{parameter}.tex",
        pdf="results/figures/sensitivity/{parameter}.pdf",
        svg=report(
            "results/figures/sensitivity/{parameter}.svg",
            caption="../report/sensitivity.rst",
            category="Figures",
            labels={"PTE(joint) against": "{parameter}"},
        ),
        png="results/figures/sensitivity/{parameter}.png",
    log:
        "logs/sensitivity/{parameter}.log",
    conda:
        "../../environment.yml"
    params:
        defaults=lambda w: {
            corpus: value_in_tables(w.parameter, corpus)
            for corpus in config["sensitivity"]["corpora"]
        },
        seeds=SWEEP_SEEDS,
        code=fingerprint("pte.report.sensitivity"),
    script:
        "../scripts/sensitivity_figure.py"


rule sensitivity:
    input:
        expand(
            "results/sensitivity/{parameter}.csv",
            parameter=PARAMETERS,
        ),
