from pathlib import Path

import numpy as np
from job import logged
from tqdm import tqdm

from pte.corpora.encoded import EncodedCorpus
from pte.files import atomic_file, write_json
from pte.models.network_embedding import Hyperparameters, fit
from pte.networks.bipartite import Network
from pte.networks.sampling import streams

with logged(snakemake):
    params, seed = snakemake.params, int(snakemake.wildcards.seed)
    names = sorted({name for phase in params.phases for name in phase})
    corpus = EncodedCorpus.load(Path(snakemake.input.corpus))
    if params.labels == "shuffled":
        corpus = corpus.with_shuffled_labels(seed)
    if params.window:
        networks = streams(corpus, names, params.window)
    else:
        networks = {name: Network.load(Path(snakemake.input[name])) for name in names}
    hyperparameters = Hyperparameters(**params.training)
    with tqdm(unit="edge", unit_scale=True, mininterval=5, maxinterval=5) as bar:

        def progress(drawn: int, whole: int) -> None:
            bar.total = whole
            bar.update(drawn - bar.n)

        result = fit(
            networks,
            params.phases,
            None if params.samples == "auto" else params.samples,
            seed,
            hyperparameters,
            snakemake.threads,
            progress,
            deterministic=params.deterministic,
        )
    with atomic_file(Path(snakemake.output.vectors)) as path:
        np.save(path, result.vectors)
    training = {
        "samples": result.samples,
        "seconds": result.seconds,
        "threads": snakemake.threads,
        "edges": "streamed" if params.window else "stored",
        "deterministic": params.deterministic,
    }
    write_json(Path(snakemake.output.training), training)
    print(f"{result.samples / result.seconds / 1e6:.2f} M edges/s", training)
