from pathlib import Path

from job import logged

from pte import plugins
from pte.files import write_json
from pte.training.contract import Task, choose_or_say_why
from pte.training.setup import FitPlan

with logged(snakemake):
    plan, seed = FitPlan(**snakemake.params.plan), snakemake.params.seed
    model = plugins.load("pte.models", plan.model)
    threads = min(snakemake.threads, model.SPEC.threads)
    task = Task.of(plan, dict(snakemake.input.items()), seed, threads)
    chosen = choose_or_say_why(model, task)
    write_json(Path(snakemake.output.choice), chosen)
    print(chosen)
