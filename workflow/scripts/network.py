from pathlib import Path

from job import logged

from pte.corpora.encoded import EncodedCorpus
from pte.networks.build import BUILDERS

with logged(snakemake):
    corpus = EncodedCorpus.load(Path(snakemake.input.corpus))
    _, shuffled, seed = snakemake.wildcards.labels.partition("shuffled-")
    if shuffled:
        corpus = corpus.with_shuffled_labels(int(seed))
    network = BUILDERS[snakemake.wildcards.network](corpus, snakemake.params.window)
    network.save(Path(snakemake.output[0]))
    print(network.statistics())
