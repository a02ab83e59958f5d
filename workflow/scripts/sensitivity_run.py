from pathlib import Path

import numpy as np
from job import logged

from pte.corpora.encoded import EncodedCorpus
from pte.evaluation.sensitivity import NETWORKS, scores_of_joint
from pte.files import atomic_file, write_json
from pte.models.network_embedding import Hyperparameters
from pte.networks.weights import auto_weights


def value_of(wildcards, look):
    """None stands for the value that the tables have, of whatever parameter is asked about."""
    if wildcards.parameter == "samples":
        return look.samples
    return None if wildcards.parameter == "default" else float(wildcards.value)


with logged(snakemake):
    wildcards, settings = snakemake.wildcards, snakemake.params.settings
    seed = int(wildcards.seed)
    corpus = EncodedCorpus.load(Path(snakemake.input.corpus))
    weights = snakemake.params.weights
    if weights == "auto":
        weights = auto_weights(corpus, [NETWORKS], settings["samples"])
    found = scores_of_joint(
        corpus,
        settings["samples"],
        seed,
        snakemake.params.setting,
        Hyperparameters(**settings["training"]),
        settings["window"],
        settings["looks"],
        snakemake.threads,
        {} if weights == "paper" else weights,
        snakemake.params.deterministic,
    )
    run = {"corpus": wildcards.corpus, "parameter": wildcards.parameter, "seed": seed}
    runs = [
        run
        | {"value": value_of(wildcards, look)}
        | {"part": look.part, "samples": look.samples}
        | {"micro_f1": look.micro_f1, "macro_f1": look.macro_f1}
        for look in found
    ]
    print(*runs, sep="\n")
    with atomic_file(Path(snakemake.output.predictions)) as path:
        np.save(path, np.stack([look.predicted for look in found]))
    write_json(Path(snakemake.output.scores), {"runs": runs})
