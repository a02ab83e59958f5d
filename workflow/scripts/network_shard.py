from pathlib import Path

from job import logged

from pte.corpora.encoded import EncodedCorpus
from pte.networks.named import counting, labelled_as
from pte.networks.shards import count_shard
from pte.shard import Shard

with logged(snakemake):
    wildcards, memory = snakemake.wildcards, snakemake.resources.mem_mb * 10**6
    corpus = labelled_as(EncodedCorpus.load(Path(snakemake.input.corpus)), wildcards.labels)
    rows = counting(wildcards.network, corpus, snakemake.params.window)
    shard = count_shard(rows, Shard.parse(wildcards.scatteritem), memory // 2, snakemake.threads)
    shard.save(Path(snakemake.output.shard))
    print(f"{shard.rows.target.size} edges")
