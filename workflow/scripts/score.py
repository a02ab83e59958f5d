from pathlib import Path

from job import logged

from pte.evaluation.evaluate import write_score, write_unavailable
from pte.evaluation.setting import ClassifierSetting
from pte.training.scores import read_scored
from pte.training.setup import FitPlan

with logged(snakemake):
    wildcards, params = snakemake.wildcards, snakemake.params
    run = {"corpus": wildcards.corpus, "method": wildcards.method}
    run |= {"protocol": wildcards.protocol, "seed": int(wildcards.seed)}
    setting = ClassifierSetting(**params.setting)
    files, stem = dict(snakemake.input.items()), Path(snakemake.output.scores).with_suffix("")
    found = read_scored(FitPlan(**params.plan), files, run["seed"], setting)
    if isinstance(found, str):
        print(write_unavailable(stem, run, found))
    else:
        print(write_score(stem, run, *found))
