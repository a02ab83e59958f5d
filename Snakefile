# From text networks to the paper's tables. `snakemake --cores N` makes everything. The short names
# of targets are quickstart, table1, tables, figures, curves, sensitivity, maps, claims, page and the
# name of any corpus.
from pathlib import Path

from snakemake.utils import min_version

min_version("9.6")


# From another folder, or as a module, the configuration of this checkout is the default.
configfile:
    "config.yaml"
    if Path("config.yaml").is_file()
    else f"{workflow.current_basedir}/config.yaml"


include: "workflow/rules/common.smk"
include: "workflow/rules/encode.smk"
include: "workflow/rules/represent.smk"
include: "workflow/rules/score.smk"
include: "workflow/rules/render.smk"
include: "workflow/rules/claims.smk"
include: "workflow/rules/targets.smk"
include: "workflow/rules/publish.smk"


rule all:
    default_target: True
    input:
        [study.all_made(each.target) for each in EXHIBITS],
        rules.claims.output,
        rules.page.input,
