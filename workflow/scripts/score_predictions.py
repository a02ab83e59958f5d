from pathlib import Path

import numpy as np
from job import logged
from scoring import write

from pte.corpora.encoded import TEST, EncodedCorpus
from pte.evaluation.metrics import score
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
    write(snakemake, training, predicted, scores)
