from pathlib import Path

import numpy as np
from job import Bar, logged

from pte.corpora.encoded import EncodedCorpus
from pte.evaluation.setting import ClassifierSetting
from pte.files import atomic_file, write_json
from pte.selection.sensitivity import records_of, scores_of_joint
from pte.training.plan import SensitivityPlan
from pte.training.setup import Setup

with logged(snakemake):
    params, wildcards = snakemake.params, snakemake.wildcards
    plan, seed = SensitivityPlan(**params.plan), int(wildcards.seed)
    setup = Setup(seed, plan.hyperparameters, snakemake.threads, params.deterministic, Bar("edge"))
    corpus = EncodedCorpus.load(Path(snakemake.input.corpus))
    setting = ClassifierSetting(**params.setting)
    found = scores_of_joint(corpus, plan.samples, setup, plan.checkpoints, params.weights, setting)
    with atomic_file(Path(snakemake.output.predictions)) as path:
        np.save(path, np.stack([each.predicted for each in found]))
    records = records_of(found, wildcards.corpus, wildcards.parameter, wildcards.value, seed)
    runs = [vars(record) for record in records]
    write_json(Path(snakemake.output.scores), {"runs": runs})
    print(*runs, sep="\n")
