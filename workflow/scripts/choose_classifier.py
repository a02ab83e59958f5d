from pathlib import Path

from job import logged

from pte.files import write_json
from pte.training.scores import read_chosen
from pte.training.setup import FitPlan

with logged(snakemake):
    plan = FitPlan(**snakemake.params.plan)
    chosen = read_chosen(plan, dict(snakemake.input.items()), snakemake.params.seed)
    write_json(Path(snakemake.output.classifier), chosen)
    print(chosen)
