from pathlib import Path

import numpy as np
from job import bar, logged

from pte.corpora.encoded import EncodedCorpus
from pte.files import atomic_file, read_json, write_json
from pte.models.network_embedding import Hyperparameters
from pte.models.skip_gram import fit

with logged(snakemake):
    params, epochs = snakemake.params, snakemake.params.epochs
    if epochs == "validated":
        epochs = read_json(Path(snakemake.input.epochs))["epochs"]
    with bar("token") as progress:
        result = fit(
            EncodedCorpus.load(Path(snakemake.input.corpus)),
            epochs,
            int(snakemake.wildcards.seed),
            Hyperparameters(**params.training),
            params.window,
            threads=snakemake.threads,
            progress=progress,
        )
    with atomic_file(Path(snakemake.output.vectors)) as path:
        np.save(path, result.vectors)
    training = {"samples": result.samples, "seconds": result.seconds, "epochs": epochs}
    write_json(Path(snakemake.output.training), training | {"threads": snakemake.threads})
    print(f"{result.samples / result.seconds / 1e6:.2f} M pairs/s", training)
