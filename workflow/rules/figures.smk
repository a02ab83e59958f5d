# Figures in PDF, SVG and PNG.


rule comparison_figure:
    input:
        comparison="results/tables/{table}.csv",
    output:
        pdf="results/figures/{table}.pdf",
        svg=report(
            "results/figures/{table}.svg",
            caption="../report/comparison.rst",
            category="Figures",
            labels={"table": "{table}"},
        ),
        png="results/figures/{table}.png",
    log:
        "logs/figures/{table}.log",
    conda:
        "../../environment.yml"
    params:
        seeds=lambda w: seeds_of(w.table),
        code=fingerprint("pte.report.figures"),
    script:
        "../scripts/comparison_figure.py"


rule times:
    input:
        comparison="results/tables/{table}.csv",
    output:
        csv="results/times/{table}.csv",
        md="results/times/{table}.md",
        tex="results/times/{table}.tex",
        pdf="results/figures/times/{table}.pdf",
        svg=report(
            "results/figures/times/{table}.svg",
            caption="../report/times.rst",
            category="Figures",
            labels={"table": "{table}, seconds of training"},
        ),
        png="results/figures/times/{table}.png",
    log:
        "logs/figures/times/{table}.log",
    conda:
        "../../environment.yml"
    params:
        caption=lambda w: TABLES[w.table]["caption"],
        seeds=lambda w: seeds_of(w.table),
        code=fingerprint("pte.report.times"),
    script:
        "../scripts/times.py"


rule network_picture:
    input:
        corpus=f"resources/corpora/{config['network_picture']['corpus']}",
    output:
        pdf="results/figures/network.pdf",
        svg=report(
            "results/figures/network.svg",
            caption="../report/network.rst",
            category="Figures",
        ),
        png="results/figures/network.png",
    log:
        "logs/figures/network.log",
    conda:
        "../../environment.yml"
    params:
        picture=config["network_picture"],
        window=config["window"],
        code=fingerprint("pte.report.network_picture"),
    script:
        "../scripts/network_picture.py"


rule figures:
    input:
        rules.network_picture.output,
        figure_files(config["tables"]),
        expand("results/figures/times/{table}.pdf", table=config["tables"]),
