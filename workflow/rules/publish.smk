# Pages for people, which need no network, and the files of a run that the repository keeps.


# The page `index` shows everything, the page `quickstart` shows the quickstart.
rule write_page:
    input:
        unpack(lambda w: page_inputs(runs, w.page)),
    output:
        paths.PAGE,
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


# Write the tables that the repository keeps, and the tables of the README. To publish a part of a
# run: python -m pte_study.report.publish NAME.
# Published runs are never published again, because their pages read the files that this rule writes.
if runs.are_made:

    rule publish:
        input:
            files=[
                file.made for part in published_parts(runs).values() for file in part
            ],
            verdicts=f"{paths.CLAIMS}.csv",
            corpora=[paths.corpus(name) for name in runs.all_corpora()],
            costs=costs(runs, runs.all_scores(), beside_scores(runs)),
        output:
            files=[
                f"{paths.PUBLISHED}/{file.kept}"
                for part in published_parts(runs).values()
                for file in part
            ],
            verdicts=update(f"{paths.PUBLISHED_CLAIMS}.csv"),
            verdicts_tables=paths.of_kinds(paths.PUBLISHED_CLAIMS, ["md", "tex"]),
            pieces=update(f"{paths.PROVENANCE}.json"),
            provenance=f"{paths.PROVENANCE}.md",
            readme=update(paths.README),
            hours=update([f"{paths.HOURS}.csv", f"{paths.SEARCHES}.csv"]),
            runs=update(
                [paths.PUBLISHED_RUN.format(corpus=name) for name in to_store(runs)]
            ),
        log:
            "logs/publish.log",
        conda:
            "../../environment.yml"
        # The script reads none of the first three: they make an edit of claims or labels publish anew.
        params:
            comparisons=list(runs.in_readme),
            claims=dict(study.registries.claims),
            labels=study.labels,
            config=dict(config),
            mirror=str(study.mirror or ""),
            code=study.code("publish", *study.relations),
        script:
            "../scripts/publish.py"
