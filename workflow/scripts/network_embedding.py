from pathlib import Path

import numpy as np
from job import logged
from tqdm import tqdm

from pte.files import atomic_file, write_json
from pte.models.network_embedding import BLOCK, Hyperparameters, fit
from pte.networks.bipartite import Network

with logged(snakemake):
    phases, samples = snakemake.params.phases, snakemake.params.samples
    names = {name for phase in phases for name in phase}
    networks = {name: Network.load(Path(snakemake.input[name])) for name in names}
    with tqdm(unit="edge", unit_scale=True, mininterval=5, maxinterval=5) as bar:

        def progress(done: int, blocks: int) -> None:
            bar.total = blocks * BLOCK
            bar.update(done * BLOCK - bar.n)

        result = fit(
            networks,
            phases,
            None if samples == "auto" else samples,
            int(snakemake.wildcards.seed),
            Hyperparameters(**snakemake.params.training),
            snakemake.threads,
            progress,
        )
    with atomic_file(Path(snakemake.output.vectors)) as path:
        np.save(path, result.vectors)
    training = {
        "samples": result.samples,
        "seconds": result.seconds,
        "threads": snakemake.threads,
        "edges": {name: network.n_edges for name, network in networks.items()},
    }
    write_json(Path(snakemake.output.training), training)
    print(f"{result.samples / result.seconds / 1e6:.2f} M edges/s", training)
