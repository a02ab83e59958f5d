"""What the adapters that score share: a record and predictions."""

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
    """Train the classifier on the features of documents."""
    seed = int(snakemake.wildcards.seed)
    predicted, scores = evaluate(corpus, features, snakemake.params.setting, seed)
    write(snakemake, training, predicted, scores)


def write(
    snakemake: Any,
    training: Mapping[str, Any],
    predicted: NDArray[np.int32],
    scores: Mapping[str, Any],
) -> None:
    """Write the two files of a run, and a line to the log."""
    run = {**snakemake.wildcards, "seed": int(snakemake.wildcards.seed)}
    stem = Path(snakemake.output.scores).with_suffix("")
    write_score(stem, run, training, predicted, scores)
    shown = ("unavailable", "micro_f1", "macro_f1", "choice")
    print(run, {key: scores[key] for key in shown if key in scores})
