from pathlib import Path

import numpy as np
from job import bar, logged

from pte.corpora.encoded import EncodedCorpus
from pte.files import atomic_file, read_json, write_json
from pte.models.network_embedding import Hyperparameters
from pte.models.paragraph_vector import document_vectors, fit

with logged(snakemake):
    params, epochs, seed = snakemake.params, snakemake.params.epochs, int(snakemake.wildcards.seed)
    if epochs == "validated":
        epochs = read_json(Path(snakemake.input.epochs))["epochs"]
    corpus = EncodedCorpus.load(Path(snakemake.input.corpus))
    with bar("token") as progress:
        result = fit(
            corpus,
            params.variant,
            epochs,
            seed,
            Hyperparameters(**params.training),
            params.window,
            snakemake.threads,
            progress,
        )
    with atomic_file(Path(snakemake.output.vectors)) as path:
        np.save(path, document_vectors(result, corpus, seed, snakemake.threads))
    training = {"samples": result.samples, "seconds": result.seconds, "epochs": epochs}
    write_json(Path(snakemake.output.training), training | {"threads": snakemake.threads})
    print(f"{result.samples / result.seconds / 1e6:.2f} M tokens/s", training)
