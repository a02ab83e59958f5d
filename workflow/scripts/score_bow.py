from pathlib import Path

from job import logged
from score import write_score

from pte.corpora.encoded import EncodedCorpus
from pte.models import bow

with logged(snakemake):
    corpus = EncodedCorpus.load(Path(snakemake.input.corpus))
    write_score(snakemake, corpus, bow.fit(corpus), {"samples": None, "seconds": None})
