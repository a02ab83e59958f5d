from pathlib import Path

import numpy as np
from job import Bar, logged

from pte.corpora.encoded import EncodedCorpus
from pte.evaluation.setting import ClassifierSetting
from pte.files import save_array, write_json
from pte.training.sensitivity import records_of, scores_of_joint
from pte.training.setup import SensitivityPlan, Setup

with logged(snakemake):
    params, wildcards = snakemake.params, snakemake.wildcards
    plan, seed = SensitivityPlan(**params.plan), int(wildcards.seed)
    setup = Setup(seed, plan.hyperparameters, snakemake.threads, Bar("edge"))
    corpus = EncodedCorpus.load(Path(snakemake.input.corpus))
    setting = ClassifierSetting(**params.setting)
    found = scores_of_joint(corpus, plan.samples, setup, plan.checkpoints, params.weights, setting)
    predicted = np.stack([each.predicted for each in found])
    save_array(Path(snakemake.output.predictions), predicted)
    runs = records_of(found, wildcards.corpus, wildcards.parameter, wildcards.value, seed)
    write_json(Path(snakemake.output.scores), {"runs": runs})
    print(*runs, sep="\n")
