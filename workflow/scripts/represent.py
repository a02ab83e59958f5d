from importlib import import_module
from pathlib import Path

import numpy as np
from job import Bar, given, logged

from pte.corpora.encoded import EncodedCorpus
from pte.files import atomic_file, write_json
from pte.training.contract import Task, fit_or_say_why
from pte.training.plan import FitPlan

with logged(snakemake):
    plan, seed = FitPlan(**snakemake.params.plan), int(snakemake.wildcards.seed)
    corpus = EncodedCorpus.load(Path(snakemake.input.corpus))
    if plan.shuffled:
        corpus = corpus.with_shuffled_labels(seed)
    around = {"threads": snakemake.threads, "inputs": given(snakemake), "progress": Bar("step")}
    fitted = fit_or_say_why(import_module(plan.model), Task(corpus, seed, **around, **plan.values))
    with atomic_file(Path(snakemake.output.representation)) as path:
        np.save(path, fitted.array)
    write_json(Path(snakemake.output.training), fitted.record | {"threads": snakemake.threads})
    print(fitted.record)
