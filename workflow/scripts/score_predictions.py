from pathlib import Path

import numpy as np
from job import logged

from pte.corpora.encoded import TEST, EncodedCorpus
from pte.evaluation.metrics import score
from pte.evaluation.record import write_score
from pte.files import read_json

with logged(snakemake):
    corpus = EncodedCorpus.load(Path(snakemake.input.corpus))
    predicted = np.load(snakemake.input.predictions)
    training = read_json(Path(snakemake.input.training))
    if "unavailable" in training:
        scores = {"unavailable": training["unavailable"]}
    else:
        truth = np.asarray(corpus.labels[corpus.documents(TEST)])
        scores = score(truth, predicted, corpus.classes)
    run = dict(snakemake.wildcards) | {"seed": int(snakemake.wildcards.seed)}
    write_score(Path(snakemake.output.scores).with_suffix(""), run, training, predicted, scores)
    print(run, scores.get("unavailable") or (scores["micro_f1"], scores["macro_f1"]))
