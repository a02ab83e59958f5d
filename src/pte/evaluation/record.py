"""The files that are kept of one run: a JSON with the scores, and an array with predictions."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pte.corpora.targets import Targets
from pte.evaluation.metrics import Scores
from pte.evaluation.setting import ClassifierChoice
from pte.files import save_array, write_json


@dataclass(frozen=True)
class Run:
    """A method on a corpus, by a protocol and with a seed."""

    corpus: str
    method: str
    protocol: str
    seed: int


@dataclass(frozen=True)
class Spent:
    """The cost of a run's training: `samples` drawn, `seconds` and `epochs`, or None for each.

    `pool` is what a pool of experts tells: their weights, and what their judges say.
    """

    samples: int | None = None
    seconds: float | None = None
    epochs: int | None = None
    pool: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Scored:
    """The predicted class of each test document, int32, in corpus order, and the scores.

    In a multi-label corpus a prediction is a row with a bool for each class. A run that trains a
    classifier also has the classifier's choice, and the seconds that the classifier took.
    """

    predicted: Targets
    scores: Scores
    choice: ClassifierChoice | None = None
    seconds: float | None = None


def write_score(stem: Path, run: Run, spent: Spent, scored: Scored) -> dict[str, Any]:
    """Write `stem`.npy and `stem`.json; return the content of the JSON."""
    found = asdict(scored.scores)
    if scored.choice is not None:
        found |= {"choice": asdict(scored.choice), "seconds": scored.seconds}
    return _write(stem, run, spent, scored.predicted, found)


def write_unavailable(stem: Path, run: Run, reason: str) -> dict[str, Any]:
    """Write both files for a method that could not run: a reason, and no predictions."""
    return _write(stem, run, Spent(), np.empty(0, np.int32), {"unavailable": reason})


def _write(
    stem: Path, run: Run, spent: Spent, predicted: Targets, found: dict[str, Any]
) -> dict[str, Any]:
    save_array(stem.with_name(f"{stem.name}.npy"), predicted)
    cost: dict[str, Any] = {"samples": spent.samples, "train_seconds": spent.seconds}
    if spent.epochs is not None:
        cost["epochs"] = spent.epochs
    if spent.pool is not None:
        cost["pool"] = dict(spent.pool)
    kept = asdict(run) | cost | found
    write_json(stem.with_name(f"{stem.name}.json"), kept)
    return kept
