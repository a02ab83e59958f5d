# Snakemake's own HTML report over the tables and figures; it needs no network. The rule has no
# output, because `make run` writes the same file for the quickstart alone: it runs whenever asked.


rule report:
    input:
        rules.table1.output,
        rules.tables.input,
        rules.figures.input,
    log:
        "logs/report.log",
    conda:
        "../../environment.yml"
    params:
        config=workflow.configfiles,
        snakemake=f"{sys.executable} -m snakemake",
    shell:
        "{params.snakemake} --nolock --cores 1 --configfile {params.config}"
        " --report results/report.html -- tables table1 figures > {log} 2>&1"


# The tables that the repository keeps, and the README's own. Nothing else is written there.
rule publish:
    input:
        files=published_files("results/tables", "results/figures"),
        comparisons=expand("results/tables/{table}.csv", table=PUBLISHED),
    output:
        published_files("results/published", "results/published"),
    log:
        "logs/publish.log",
    conda:
        "../../environment.yml"
    params:
        readme="README.md",
        code=fingerprint("pte.report.overview"),
    script:
        "../scripts/publish.py"
