from importlib import import_module
from pathlib import Path

import numpy as np
from job import logged

from pte.evaluation.record import Run, Spent, write_score, write_unavailable
from pte.evaluation.setting import ClassifierSetting
from pte.files import read_json
from pte.selection.fits import score_fit
from pte.training.contract import Task
from pte.training.plan import FitPlan

with logged(snakemake):
    plan, setting = FitPlan(**snakemake.params.plan), snakemake.params.setting
    wildcards, files = snakemake.wildcards, dict(snakemake.input.items())
    run = Run(wildcards.corpus, wildcards.method, wildcards.setting, int(wildcards.seed))
    stem = Path(snakemake.output.scores).with_suffix("")
    trained = read_json(Path(files["training"])) if "training" in files else {}
    if "unavailable" in trained:
        print(write_unavailable(stem, run, trained["unavailable"]))
    else:
        task = Task.of(plan, files, run.seed)
        if plan.yields == "features":
            array = import_module(plan.model).fit(task).array
        else:
            array = np.load(files["representation"])
        classifier = setting and ClassifierSetting(**setting)
        scored = score_fit(task.corpus, array, plan.yields, classifier, run.seed)
        spent = Spent(trained.get("samples"), trained.get("seconds"), trained.get("epochs"))
        print(write_score(stem, run, spent, scored))
