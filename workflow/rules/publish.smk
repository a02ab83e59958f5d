# Pages for people, which need no network, the files of a run that the repository keeps, and their
# comparison with runs made here.


shown = [each.module for each in EXHIBITS]


# The pages that show everything, and the page `quickstart`.
rule write_page:
    input:
        unpack(lambda w: study.page_inputs(w.page)),
    output:
        report("results/{page}.html", category="Pages"),
    log:
        "logs/pages/{page}.log",
    wildcard_constraints:
        page=either(["quickstart", *PAGES]),
    conda:
        "../../environment.yml"
    params:
        shown=lambda w: study.page_items(w.page),
        code=study.code("page", *shown),
    message:
        "Write the page {wildcards.page}"
    script:
        "../scripts/page.py"


# Draws all that the repository keeps.
# Published runs are never published again, because their pages read the files that this rule writes.
if study.held is None:

    rule publish:
        input:
            unpack(lambda w: study.publish_inputs()),
        output:
            files=[
                f"results/published/{file.kept}"
                for part in study.published_parts.values()
                for file in part
            ],
            verdicts=update("results/published/claims.csv"),
            verdicts_tables="results/published/claims.md",
            provenance="results/published/provenance.md",
            readme=update("README.md"),
            leads=update("results/published/leads.csv"),
            scores="results/published/scores.md",
            runs=update(
                expand("results/published/runs/{name}.npz", name=study.to_store)
            ),
        log:
            "logs/publish.log",
        # The script does not read all of these: they make an edit of claims or labels publish anew.
        conda:
            "../../environment.yml"
        params:
            claims=dict(study.registries.claims),
            labels=study.labels,
            config=dict(config),
            mirror=str(study.mirror or ""),
            code=study.code("publish", *shown),
        message:
            "Add the runs to the published runs, and draw what the repository keeps of them"
        script:
            "../scripts/publish.py"


# `snakemake verify --config sample=20`.
rule verify:
    input:
        unpack(lambda w: study.verify_inputs()),
    output:
        multiext("results/verify/runs", ".csv", ".md"),
    log:
        "logs/verify.log",
    conda:
        "../../environment.yml"
    params:
        names=lambda w: list(study.to_verify),
        stores=lambda w: study.verified_hashes(),
        code=study.code("verify"),
    message:
        "Compare published runs with the same runs, made here"
    script:
        "../scripts/verify.py"
