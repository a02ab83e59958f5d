from importlib import import_module
from pathlib import Path

import numpy as np
from job import given, logged

from pte.corpora.encoded import EncodedCorpus
from pte.evaluation.record import Run, Spent, write_score, write_unavailable
from pte.evaluation.setting import ClassifierSetting
from pte.files import read_json
from pte.selection.fits import score_fit
from pte.training.contract import Task
from pte.training.plan import FitPlan

with logged(snakemake):
    plan, setting = FitPlan(**snakemake.params.plan), snakemake.params.setting
    wildcards, inputs = snakemake.wildcards, given(snakemake)
    run = Run(wildcards.corpus, wildcards.method, wildcards.setting, int(wildcards.seed))
    stem = Path(snakemake.output.scores).with_suffix("")
    trained = read_json(inputs["training"]) if "training" in inputs else {}
    if "unavailable" in trained:
        print(write_unavailable(stem, run, trained["unavailable"]))
    else:
        corpus = EncodedCorpus.load(inputs["corpus"])
        if plan.shuffled:
            corpus = corpus.with_shuffled_labels(run.seed)
        if plan.yields == "features":
            task = Task(corpus, run.seed, inputs=inputs, **plan.values)
            array = import_module(plan.model).fit(task).array
        else:
            array = np.load(inputs["representation"])
        chosen = setting and ClassifierSetting(**setting)
        scored = score_fit(corpus, array, plan.yields, chosen, run.seed)
        spent = Spent(trained.get("samples"), trained.get("seconds"), trained.get("epochs"))
        print(write_score(stem, run, spent, scored))
