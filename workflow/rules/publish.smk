# Pages for people, which need no network, and the files of a run that the repository keeps.


shown = [each.module for each in EXHIBITS]


# The pages that show everything, and the page `quickstart`.
rule write_page:
    input:
        unpack(lambda w: page_inputs(runs, w.page)),
    output:
        paths.PAGE,
    log:
        "logs/pages/{page}.log",
    wildcard_constraints:
        page=either(["quickstart", *PAGES]),
    conda:
        "../../environment.yml"
    params:
        shown=lambda w: page_items(runs, w.page),
        labels=study.labels,
        code=study.code("page", *shown, *study.relations),
    script:
        "../scripts/page.py"


# Add the runs to the published runs, and draw all that the repository keeps from them. To publish a
# part of a run: python -m pte_study.report.publish NAME.
# Published runs are never published again, because their pages read the files that this rule writes.
if runs.held is None:

    rule publish:
        input:
            unpack(lambda w: publish_inputs(runs)),
        output:
            files=[
                f"{paths.PUBLISHED}/{file.kept}"
                for part in published_parts(runs).values()
                for file in part
            ],
            verdicts=update(f"{paths.PUBLISHED_CLAIMS}.csv"),
            verdicts_tables=f"{paths.PUBLISHED_CLAIMS}.md",
            provenance=f"{paths.PROVENANCE}.md",
            readme=update(paths.README),
            hours=update(
                paths.with_ending([paths.HOURS, paths.SEARCHES, paths.LEADS], "csv")
            ),
            scores=f"{paths.ALL_SCORES}.md",
            runs=update(
                [paths.PUBLISHED_RUN.format(corpus=name) for name in to_store(runs)]
            ),
        log:
            "logs/publish.log",
        conda:
            "../../environment.yml"
        # The script does not read all of these: they make an edit of claims or labels publish anew.
        params:
            claims=dict(study.registries.claims),
            labels=study.labels,
            config=dict(config),
            mirror=str(study.mirror or ""),
            code=study.code("publish", *shown, *study.relations),
        script:
            "../scripts/publish.py"
