from pathlib import Path

from job import logged

from pte.evaluation.setting import ClassifierSetting
from pte.files import write_json
from pte.selection.choosing import read_chosen
from pte.training.plan import FitPlan

with logged(snakemake):
    plan, setting = FitPlan(**snakemake.params.plan), ClassifierSetting(**snakemake.params.setting)
    chosen = read_chosen(plan, dict(snakemake.input.items()), snakemake.params.seed, setting)
    write_json(Path(snakemake.output.classifier), chosen)
    print(chosen)
