from pathlib import Path

import numpy as np
from job import logged

from pte.core.windows import window_pairs
from pte.files import write_json
from pte.models.network_embedding import fit
from pte.networks.bipartite import Network

with logged(snakemake):
    network = Network.from_edges([0, 1], [1, 0], [1, 1], 2, 2)
    fit({"ww": network}, [["ww"]], samples=1, seed=0)
    window_pairs(np.zeros(2, np.int32), np.array([0, 2]), 5, 1)
    write_json(Path(snakemake.output[0]), {"core": snakemake.params.code})
