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
        code=fingerprint("pte.report"),
    script:
        "../scripts/comparison_figure.py"


rule figures:
    input:
        figure_files(config["tables"]),
