from pathlib import Path

from job import logged

from pte.networks.shards import NetworkShard, join_network
from pte.networks.statistics import statistics

with logged(snakemake):
    network = join_network([NetworkShard.load(Path(each)) for each in snakemake.input.shards])
    network.save(Path(snakemake.output.network))
    print(statistics(network))
