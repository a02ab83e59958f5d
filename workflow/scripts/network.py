from pathlib import Path

from job import logged

from pte.corpora.encoded import EncodedCorpus
from pte.networks import named
from pte.networks.statistics import statistics

with logged(snakemake):
    wildcards, memory = snakemake.wildcards, snakemake.resources.mem_mb * 10**6
    corpus = EncodedCorpus.load(Path(snakemake.input.corpus))
    _, shuffled, seed = wildcards.labels.partition("shuffled-")
    if shuffled:
        corpus = corpus.with_shuffled_labels(int(seed))
    # The network itself takes the other half of the memory.
    network = named.build(
        wildcards.network, corpus, snakemake.params.window, memory // 2, snakemake.threads
    )
    network.save(Path(snakemake.output.network))
    print(statistics(network))
