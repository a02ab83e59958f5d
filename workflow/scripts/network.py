from pathlib import Path

from job import logged

from pte.corpora.encoded import EncodedCorpus
from pte.networks.named import build, labelled_as

with logged(snakemake):
    wildcards, memory = snakemake.wildcards, snakemake.resources.mem_mb * 10**6
    corpus = labelled_as(EncodedCorpus.load(Path(snakemake.input.corpus)), wildcards.labels)
    shape = snakemake.params.window, memory // 2, snakemake.threads  # half is for the network
    network = build(wildcards.network, corpus, *shape)
    network.save(Path(snakemake.output.network))
    print(f"{network.n_edges} edges, {network.total:.0f} in weight")
