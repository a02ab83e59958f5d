"""What is kept of one evaluation: a JSON with the scores, an array with the predictions."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pte.files import atomic_file, write_json


def write_score(
    stem: Path,
    run: Mapping[str, Any],
    training: Mapping[str, Any],
    predicted: NDArray[np.int32],
    scores: Mapping[str, Any],
) -> None:
    """Write `stem`.npy and `stem`.json.

    `run` names corpus, method, setting and seed; `training` has the `samples` drawn and the
    `seconds` taken to train the vectors, None where nothing was trained, and `epochs` where there
    are any.
    """
    with atomic_file(stem.with_name(f"{stem.name}.npy")) as path:
        np.save(path, predicted)
    spent = {"samples": training["samples"], "train_seconds": training["seconds"]}
    if "epochs" in training:
        spent["epochs"] = training["epochs"]
    write_json(stem.with_name(f"{stem.name}.json"), {**run, **spent, **scores})
