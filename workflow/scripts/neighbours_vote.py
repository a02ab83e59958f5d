from pathlib import Path

from job import logged

from pte.corpora.encoded import EncodedCorpus
from pte.evaluation.maps import neighbours_of
from pte.files import load_array, save_array

with logged(snakemake):
    corpus = EncodedCorpus.load(Path(snakemake.input.corpus))
    vectors = load_array(Path(snakemake.input.vectors))
    save_array(Path(snakemake.output.predicted), neighbours_of(corpus, vectors))
