# Pages for people, that need no network: our own, and Snakemake's report.


# `index` tells everything, `quickstart` the quickstart.
rule write_page:
    input:
        unpack(page_files),
    output:
        "results/{page}.html",
    log:
        "logs/{page}.log",
    wildcard_constraints:
        page="index|quickstart",
    conda:
        "../../environment.yml"
    params:
        captions={name: table["caption"] for name, table in TABLES.items()},
        curves={
            name: only(curve, ["caption", "along"])
            for name, curve in config["curves"].items()
        },
        claims=CLAIMS,
        labels=LABELS,
        code=fingerprint("pte.report.page"),
    script:
        "../scripts/page.py"


rule page:
    input:
        "results/index.html",


# Snakemake's report of the tables and all else that the page shows. The rule has no output,
# because `make run` writes the same file for the quickstart alone: it runs whenever asked.
rule report:
    input:
        rules.tables.input,
        rules.figures.input,
        rules.page.input,
    log:
        "logs/report.log",
    conda:
        "../../environment.yml"
    params:
        files=workflow.configfiles,
        available_only=config["available_only"],
        snakemake=f"{sys.executable} -m snakemake",
    shell:
        "{params.snakemake} --nolock --cores 1 --configfile {params.files}"
        " --config available_only={params.available_only}"
        " --report results/report.html -- {input} > {log} 2>&1"


# The tables that the repository keeps, and the README's own. Of what was not run here, what was
# published before stays.
rule publish:
    input:
        files=[path for path, _ in published_files()],
        verdicts="results/claims/claims.csv",
        corpora=expand(
            "resources/corpora/{corpus}",
            corpus=dict.fromkeys([*SHOWN, *claimed_corpora()]),
        ),
    output:
        files=[path for _, path in published_files()],
        verdicts=update("results/published/claims.csv"),
        verdicts_tables=["results/published/claims.md", "results/published/claims.tex"],
        pieces=update("results/published/provenance.json"),
        provenance="results/published/provenance.md",
    log:
        "logs/publish.log",
    conda:
        "../../environment.yml"
    params:
        readme="README.md",
        comparisons=expand("results/published/{table}.csv", table=PUBLISHED),
        claims=CLAIMS,
        labels=LABELS,
        code=fingerprint(
            "pte.report.overview", "pte.report.provenance", "pte.report.verdicts"
        ),
    script:
        "../scripts/publish.py"
