from pathlib import Path

import numpy as np
from job import logged
from tqdm import tqdm

from pte.corpora.encoded import EncodedCorpus
from pte.evaluation.stopping import choose_samples
from pte.files import atomic_file, write_json
from pte.models.network_embedding import Hyperparameters, auto_samples, fit
from pte.networks.bipartite import Network
from pte.networks.sampling import streams
from pte.networks.weights import auto_weights

with logged(snakemake):
    params, seed = snakemake.params, int(snakemake.wildcards.seed)
    names = sorted({name for phase in params.phases for name in phase})
    corpus = EncodedCorpus.load(Path(snakemake.input.corpus))
    if params.labels == "shuffled":
        corpus = corpus.with_shuffled_labels(seed)
    if params.streamed:
        networks = streams(corpus, names, params.window)
    else:
        networks = {name: Network.load(Path(snakemake.input[name])) for name in names}
    hyperparameters = Hyperparameters(**params.training)
    chosen, weights, samples = None, params.weights, params.samples
    if isinstance(weights, dict):
        weights = {name: weight for name, weight in weights.items() if name in names}
    if samples == "validated":
        given = weights if isinstance(weights, dict) else None
        search = (
            params.window,
            params.samples_limit,
            seed,
            hyperparameters,
            snakemake.threads,
            given,
        )
        chosen = choose_samples(corpus, params.phases, *search)
        samples = chosen.samples
        print(f"T = {samples}, chosen from {chosen.curve}")
    elif samples == "auto":
        samples = auto_samples(networks, params.phases)
    else:
        samples = round(samples * corpus.text_share)
    if weights == "auto":
        weights = auto_weights(corpus, params.phases, samples)
    elif weights == "paper":
        weights = {}
    with tqdm(unit="edge", unit_scale=True, mininterval=5, maxinterval=5) as bar:

        def progress(drawn: int, whole: int) -> None:
            bar.total = whole
            bar.update(drawn - bar.n)

        result = fit(
            networks,
            params.phases,
            samples,
            seed,
            hyperparameters,
            snakemake.threads,
            progress,
            weights,
            deterministic=params.deterministic,
        )
    with atomic_file(Path(snakemake.output.vectors)) as path:
        np.save(path, result.vectors)
    training = {
        "samples": result.samples,
        "seconds": result.seconds,
        "threads": snakemake.threads,
        "edges": "streamed" if params.streamed else "stored",
        "deterministic": params.deterministic,
        "weights": weights,
        "search": chosen and {"seconds": chosen.seconds, "curve": chosen.curve},
    }
    write_json(Path(snakemake.output.training), training)
    print(f"{result.samples / result.seconds / 1e6:.2f} M edges/s", training)
