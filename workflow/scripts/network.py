from pathlib import Path

from job import logged

from pte.corpora.encoded import EncodedCorpus
from pte.networks.named import build_of
from pte.networks.statistics import statistics

with logged(snakemake):
    wildcards, memory = snakemake.wildcards, snakemake.resources.mem_mb * 10**6
    corpus = EncodedCorpus.load(Path(snakemake.input.corpus))
    which, window = (wildcards.network, corpus, wildcards.labels), snakemake.params.window
    network = build_of(*which, window, memory, snakemake.threads)
    network.save(Path(snakemake.output.network))
    print(statistics(network))
