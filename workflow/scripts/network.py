from pathlib import Path

from job import logged

from pte.corpora.encoded import EncodedCorpus
from pte.networks.build import BUILDERS

with logged(snakemake):
    corpus = EncodedCorpus.load(Path(snakemake.input.corpus))
    _, shuffled, seed = snakemake.wildcards.labels.partition("shuffled-")
    if shuffled:
        corpus = corpus.with_shuffled_labels(int(seed))
    window = snakemake.params.window
    build = BUILDERS[snakemake.wildcards.network]
    network = build(corpus, window) if window else build(corpus)
    network.save(Path(snakemake.output[0]))
    print(network.statistics())
