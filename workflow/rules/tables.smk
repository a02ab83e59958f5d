# Tables in Markdown, LaTeX and CSV, beside the paper's numbers.


rule comparison:
    input:
        scores="results/tidy/{table}.csv",
        paper="workflow/registry/paper_results.csv",
        third_party="workflow/registry/third_party_results.csv",
    output:
        csv="results/tables/{table}.csv",
        md="results/tables/{table}.md",
        html=report(
            "results/tables/{table}.html",
            caption="../report/comparison.rst",
            category="Tables",
            labels={"table": "{table}"},
        ),
        tex="results/tables/{table}.tex",
        txt="results/tables/{table}.txt",
    log:
        "logs/tables/{table}.log",
    conda:
        "../../environment.yml"
    params:
        corpora=lambda w: TABLES[w.table]["corpora"],
        caption=lambda w: TABLES[w.table]["caption"],
        settings=lambda w: settings_of(w.table),
        seeds=lambda w: seeds_of(w.table),
        methods=[{"name": name} | METHODS[name] for name in config["methods"]],
        code=fingerprint(
            "pte.report.comparison", "pte.report.summaries", "pte.report.tables"
        ),
    script:
        "../scripts/comparison.py"


rule tables:
    input:
        comparison_files(config["tables"]),


rule table1:
    input:
        corpora=expand("resources/corpora/{corpus}", corpus=SHOWN),
        paper="workflow/registry/paper_datasets.csv",
    output:
        csv="results/tables/table1.csv",
        md="results/tables/table1.md",
        html=report(
            "results/tables/table1.html",
            caption="../report/table1.rst",
            category="Tables",
            labels={"table": "table1"},
        ),
        tex="results/tables/table1.tex",
    log:
        "logs/tables/table1.log",
    conda:
        "../../environment.yml"
    params:
        expected=[CORPORA[corpus]["table1"] for corpus in SHOWN],
        code=fingerprint("pte.report.datasets"),
    script:
        "../scripts/table1.py"
