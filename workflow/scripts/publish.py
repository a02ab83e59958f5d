from pathlib import Path

from job import logged

from pte_study.plan.study import Study
from pte_study.report.publish import publish_here

with logged(snakemake):
    params, workflow = snakemake.params, Path(snakemake.scriptdir).parent
    publish_here(Study.load(dict(params.config), workflow, params.mirror))
