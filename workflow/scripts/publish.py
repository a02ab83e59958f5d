from pathlib import Path

from job import logged

from pte.report.publication import publish_here
from pte.study.runs import Runs
from pte.study.study import Study

with logged(snakemake):
    params, workflow = snakemake.params, Path(snakemake.scriptdir).parent
    publish_here(Runs(Study.load(dict(params.config), workflow, params.mirror)), [])
