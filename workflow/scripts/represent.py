from pathlib import Path

from job import Bar, logged

from pte import plugins
from pte.files import save_array, write_json
from pte.training.contract import Task, fit_or_say_why
from pte.training.setup import FitPlan

with logged(snakemake):
    plan, seed = FitPlan(**snakemake.params.plan), int(snakemake.wildcards.seed)
    model = plugins.load("pte.models", plan.model)
    threads = min(snakemake.threads, model.SPEC.threads)
    task = Task.of(plan, dict(snakemake.input.items()), seed, threads, progress=Bar("step"))
    fitted = fit_or_say_why(model, task)
    save_array(Path(snakemake.output.representation), fitted.array)
    write_json(Path(snakemake.output.training), fitted.record | {"threads": threads})
    print(fitted.record)
