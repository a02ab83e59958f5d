from dataclasses import asdict
from importlib import import_module
from pathlib import Path

from job import given, logged

from pte.corpora.encoded import EncodedCorpus
from pte.files import write_json
from pte.training.contract import Task
from pte.training.plan import FitPlan

with logged(snakemake):
    plan, seed = FitPlan(**snakemake.params.plan), snakemake.params.seed
    corpus = EncodedCorpus.load(Path(snakemake.input.corpus))
    task = Task(corpus, seed, snakemake.threads, inputs=given(snakemake), **plan.values)
    chosen = import_module(plan.model).choose(task)
    write_json(Path(snakemake.output.choice), asdict(chosen))
    print(chosen)
