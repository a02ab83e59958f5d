"""The file of a fitted estimator: a zip of arrays, as numpy writes them, and of a JSON text."""

import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pte.errors import PteError
from pte.files import DAMAGED_NPZ
from pte.machine import code_and_machine
from pte.outputs import output_file

FORMAT = 1
"""The version of the format. It grows when an older program could not read a new file."""

PACKAGES = ("pte", "numpy", "numba")
"""The packages whose versions a model file holds."""

_FACTS = "model.json"


@dataclass(frozen=True)
class Fit:
    """What a fitted estimator is made of: arrays by name, and facts that JSON can hold."""

    arrays: Mapping[str, NDArray[Any]]
    facts: Mapping[str, Any]


def write_fit(path: str | Path, estimator: str, fit: Fit) -> None:
    """Write a fit of the estimator of this name, with the date, code and machine, atomically.

    Raises `PteError` for an array of Python objects, which numpy would pickle.
    """
    if objects := [name for name, array in fit.arrays.items() if array.dtype.hasobject]:
        raise PteError(f"{path}: {objects[0]} holds Python objects, which no file may")
    arrays: dict[str, Any] = dict(fit.arrays)
    made = {"date": datetime.now(UTC).isoformat(timespec="seconds")}
    made |= code_and_machine(Path(__file__).parent, PACKAGES)
    head = {"format": FORMAT, "estimator": estimator, "made": made}
    with output_file(path) as temporary:
        with temporary.open("wb") as file:
            np.savez(file, **arrays)
        with zipfile.ZipFile(temporary, "a") as archive:
            archive.writestr(_FACTS, json.dumps(head | dict(fit.facts)))


def read_fit(path: str | Path, estimator: str) -> Fit:
    """Read a fit that `write_fit` wrote.

    Raises `PteError` when there is no such file, and when the file is damaged, has another format,
    or holds another estimator.
    """
    if Path(path).is_file() and not zipfile.is_zipfile(path):
        raise PteError(f"{path}: not a model file; the `save` of an estimator writes one")
    try:
        with np.load(path, allow_pickle=False) as archive:
            facts = json.loads(archive[_FACTS])
            arrays = {name: archive[name] for name in archive.files if name != _FACTS}
    except FileNotFoundError:
        raise PteError(f"{path}: no such file") from None
    except DAMAGED_NPZ as error:
        raise PteError(f"{path}: not a file that `save` wrote ({error})") from None
    if facts.get("format") != FORMAT:
        raise PteError(
            f"{path}: it has format {facts.get('format')}, and this version reads {FORMAT}; save "
            "the model anew with this version"
        )
    if facts.get("estimator") != estimator:
        raise PteError(f"{path}: it holds a {facts.get('estimator')}, not a {estimator}")
    return Fit(arrays, facts)


def lines_of(texts: tuple[bytes, ...]) -> NDArray[np.uint8]:
    """Return byte strings that have no newline as one array, in which each string is a line."""
    return np.frombuffer(b"".join(text + b"\n" for text in texts), np.uint8)


def of_lines(lines: NDArray[np.uint8]) -> list[bytes]:
    """Return the byte strings that `lines_of` was given."""
    return lines.tobytes().split(b"\n")[:-1]
