# Text networks to the paper's tables. `snakemake --cores N` makes everything; the short targets
# are quickstart, table1, tables, figures, curves, sensitivity, maps, claims, page, report, and
# the name of any corpus.
from snakemake.utils import min_version

min_version("9.6")


configfile: "config.yaml"


include: "workflow/rules/common.smk"
include: "workflow/rules/files.smk"
include: "workflow/rules/corpora.smk"
include: "workflow/rules/networks.smk"
include: "workflow/rules/embeddings.smk"
include: "workflow/rules/baselines.smk"
include: "workflow/rules/classifiers.smk"
include: "workflow/rules/scores.smk"
include: "workflow/rules/tables.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/curves.smk"
include: "workflow/rules/sensitivity.smk"
include: "workflow/rules/maps.smk"
include: "workflow/rules/claims.smk"
include: "workflow/rules/report.smk"


rule all:
    default_target: True
    input:
        rules.table1.output,
        rules.tables.input,
        rules.figures.input,
        rules.curves.input,
        rules.sensitivity.input,
        rules.maps.input,
        rules.claims.output,
        "results/index.html",


rule quickstart:
    input:
        comparison_files("quickstart"),
        figure_files("quickstart"),
        "results/quickstart.html",


for corpus in CORPORA:

    rule:
        name:
            corpus
        input:
            comparison_files(corpus),
            figure_files(corpus),
