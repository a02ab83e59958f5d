from pathlib import Path

import numpy as np
from job import logged
from scoring import score_features

from pte.corpora.encoded import EncodedCorpus
from pte.files import read_json

with logged(snakemake):
    corpus = EncodedCorpus.load(Path(snakemake.input.corpus))
    features = np.load(snakemake.input.vectors)
    score_features(snakemake, corpus, features, read_json(Path(snakemake.input.training)))
