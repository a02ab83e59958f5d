from pathlib import Path

import numpy as np
from job import logged
from scoring import score_features

from pte.corpora.encoded import EncodedCorpus
from pte.evaluation.features import document_features
from pte.files import read_json

with logged(snakemake):
    corpus = EncodedCorpus.load(Path(snakemake.input.corpus))
    if snakemake.params.labels == "shuffled":
        corpus = corpus.with_shuffled_labels(int(snakemake.wildcards.seed))
    vectors = np.load(snakemake.input.vectors)
    features = document_features(corpus, vectors, **snakemake.params.features)
    score_features(snakemake, corpus, features, read_json(Path(snakemake.input.training)))
