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
class Scored:
    """The predicted class of each test document, int32, in corpus order, and the scores.

    In a multi-label corpus a prediction is a row with a bool for each class. A run that trains a
    classifier also has the classifier's choice, and the seconds that the classifier took.
    """

    predicted: Targets
    scores: Scores
    choice: ClassifierChoice | None = None
    seconds: float | None = None


def write_score(
    stem: Path, run: Mapping[str, Any], cost: Mapping[str, Any], scored: Scored
) -> dict[str, Any]:
    """Write `stem`.npy and `stem`.json; return the content of the JSON.

    `run` has the `corpus`, `method`, `protocol` and `seed`. `cost` has the `samples` drawn and the
    `train_seconds`, or None for each; and `epochs` and a `pool` of experts, if there are some.
    """
    found = asdict(scored.scores)
    if scored.choice is not None:
        found |= {"choice": asdict(scored.choice), "seconds": scored.seconds}
    return _write(stem, {**run, **cost, **found}, scored.predicted)


def write_unavailable(stem: Path, run: Mapping[str, Any], reason: str) -> dict[str, Any]:
    """Write both files for a method that could not run: a reason, and no predictions."""
    kept = {**run, "samples": None, "train_seconds": None, "unavailable": reason}
    return _write(stem, kept, np.empty(0, np.int32))


def _write(stem: Path, kept: dict[str, Any], predicted: Targets) -> dict[str, Any]:
    save_array(stem.with_name(f"{stem.name}.npy"), predicted)
    write_json(stem.with_name(f"{stem.name}.json"), kept)
    return kept
