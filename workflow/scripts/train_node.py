from importlib import import_module
from pathlib import Path

from job import logged

from pte.training.contract import Task
from pte.training.plan import FitPlan

with logged(snakemake):
    wildcards, plan = snakemake.wildcards, FitPlan(**snakemake.params.plan)
    model = import_module(plan.model)
    threads = min(snakemake.threads, model.SPEC.threads)
    task = Task.of(plan, dict(snakemake.input.items()), int(wildcards.seed), threads)
    state = model.train_node(task, int(wildcards.node), int(wildcards.round))
    state.save(Path(snakemake.output.node))
    print(f"{len(state.rows)} rows of all nodes, {len(state.own)} of this one")
