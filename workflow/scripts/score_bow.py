from pathlib import Path

from job import logged
from scoring import score_features

from pte.corpora.encoded import EncodedCorpus
from pte.models import bow

with logged(snakemake):
    corpus = EncodedCorpus.load(Path(snakemake.input.corpus))
    training = {"samples": None, "seconds": None}
    score_features(snakemake, corpus, bow.fit(corpus), training)
