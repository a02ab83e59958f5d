"""What the adapters that score share: a record and predictions for every classifier setting."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pte.corpora.encoded import EncodedCorpus
from pte.evaluation.evaluate import evaluate
from pte.evaluation.liblinear import Features
from pte.evaluation.record import write_score


def score_features(
    snakemake: Any, corpus: EncodedCorpus, features: Features, training: Mapping[str, Any]
) -> None:
    """Train the classifier with each setting on the features of documents."""
    seed = int(snakemake.wildcards.seed)
    for name, setting in snakemake.params.settings.items():
        predicted, scores = evaluate(corpus, features, setting, seed)
        write(snakemake, name, training, predicted, scores)


def write(
    snakemake: Any,
    setting: str,
    training: Mapping[str, Any],
    predicted: NDArray[np.int32],
    scores: Mapping[str, Any],
) -> None:
    """Write the two files of one setting, and a line to the log."""
    wildcards = snakemake.wildcards
    run = {**wildcards, "setting": setting, "seed": int(wildcards.seed)}
    path = snakemake.output.scores[list(snakemake.params.settings).index(setting)]
    write_score(Path(path).with_suffix(""), run, training, predicted, scores)
    shown = ("unavailable", "micro_f1", "macro_f1", "choice")
    print(run, {key: scores[key] for key in shown if key in scores})
