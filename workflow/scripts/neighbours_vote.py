from pathlib import Path

from job import logged

from pte.corpora.encoded import EncodedCorpus
from pte.evaluation.maps import neighbours_of, right_in_training
from pte.files import load_array, save_array

with logged(snakemake):
    corpus = EncodedCorpus.load(Path(snakemake.input.corpus))
    vectors = load_array(Path(snakemake.input.vectors))
    found = right_in_training if snakemake.output.get("right") else neighbours_of
    save_array(Path(snakemake.output[0]), found(corpus, vectors))
