from dataclasses import asdict
from importlib import import_module
from pathlib import Path

from job import logged

from pte.files import write_json
from pte.training.contract import Task
from pte.training.plan import FitPlan

with logged(snakemake):
    plan, seed = FitPlan(**snakemake.params.plan), snakemake.params.seed
    model = import_module(plan.model)
    threads = min(snakemake.threads, model.SPEC.threads)
    chosen = model.choose(Task.of(plan, dict(snakemake.input.items()), seed, threads))
    write_json(Path(snakemake.output.choice), asdict(chosen))
    print(chosen)
