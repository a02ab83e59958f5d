from pathlib import Path

from job import logged

from pte.corpora.encoded import EncodedCorpus
from pte.networks.build import BUILDERS

with logged(snakemake):
    corpus = EncodedCorpus.load(Path(snakemake.input.corpus))
    _, shuffled, seed = snakemake.wildcards.labels.partition("shuffled-")
    if shuffled:
        corpus = corpus.with_shuffled_labels(int(seed))
    options = {"window": snakemake.params.window} if snakemake.params.window else {}
    network = BUILDERS[snakemake.wildcards.network](
        corpus,
        **options,
        memory=snakemake.resources.mem_mb * 10**6 // 2,  # the other half is the network's own
        threads=snakemake.threads,
    )
    network.save(Path(snakemake.output[0]))
    print(network.statistics())
