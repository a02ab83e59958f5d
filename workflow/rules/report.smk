# Snakemake's own HTML report over the tables and figures; it needs no network.


rule report:
    input:
        rules.table1.output,
        rules.tables.input,
        rules.figures.input,
    output:
        "results/report.html",
    log:
        "logs/report.log",
    conda:
        "../../environment.yml"
    shell:
        "snakemake --nolock --report {output} tables table1 figures > {log} 2>&1"
