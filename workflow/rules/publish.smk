# Pages for people, that need no network, and what the repository keeps of a run.


# `index` tells everything, `quickstart` the quickstart.
rule write_page:
    input:
        unpack(lambda w: page_inputs(runs, w.page)),
    output:
        "results/{page}.html",
    log:
        "logs/{page}.log",
    wildcard_constraints:
        page="index|quickstart",
    conda:
        "../../environment.yml"
    params:
        captions={name: table.caption for name, table in study.tables.items()},
        curves={name: study.shown_curve(name) for name in study.config.curves},
        claims=dict(study.registries.claims),
        labels=study.labels,
        code=study.code("page", *study.relations),
    script:
        "../scripts/page.py"


# The tables that the repository keeps, and the README's own. A part of a run is published by
# python -m pte.report.publish NAME.
rule publish:
    input:
        files=[file.made for part in published_parts(runs).values() for file in part],
        verdicts="results/claims/pairs.csv",
        corpora=[paths.corpus(name) for name in runs.all_corpora()],
        costs=costs(runs, runs.all_scores(), all_sweeps(runs)),
    output:
        files=[
            f"results/published/{file.kept}"
            for part in published_parts(runs).values()
            for file in part
        ],
        verdicts=update("results/published/claims.csv"),
        verdicts_tables=["results/published/claims.md", "results/published/claims.tex"],
        pieces=update("results/published/provenance.json"),
        provenance="results/published/provenance.md",
        readme=update("README.md"),
    log:
        "logs/publish.log",
    conda:
        "../../environment.yml"
    params:
        comparisons=[f"results/published/{name}.csv" for name in runs.published],
        claims=dict(study.registries.claims),
        labels=study.labels,
        code=study.code("publish", *study.relations),
    script:
        "../scripts/publish.py"
