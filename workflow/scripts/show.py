from job import logged

from pte_study.report import show

with logged(snakemake):
    files, params = dict(snakemake.input.items()), snakemake.params
    show(params.module, snakemake.rule, files, params.given, snakemake.output)
