from pathlib import Path

from job import logged

from pte.files import write_json
from pte.models.network_embedding import fit
from pte.networks.bipartite import Network

with logged(snakemake):
    network = Network.from_edges([0, 1], [1, 0], [1, 1], 2, 2)
    fit({"ww": network}, [["ww"]], samples=1, seed=0)
    write_json(Path(snakemake.output[0]), {"core": snakemake.params.code})
