from pathlib import Path

import numpy as np
from job import logged
from score import write_score

from pte.corpora.encoded import EncodedCorpus
from pte.evaluation.documents import mean_vectors
from pte.files import read_json

with logged(snakemake):
    corpus = EncodedCorpus.load(Path(snakemake.input.corpus))
    if snakemake.params.labels == "shuffled":
        corpus = corpus.with_shuffled_labels(int(snakemake.wildcards.seed))
    features = mean_vectors(corpus.counts, np.load(snakemake.input.vectors))
    write_score(snakemake, corpus, features, read_json(Path(snakemake.input.training)))
