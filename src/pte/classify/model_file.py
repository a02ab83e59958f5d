"""The file of a fitted estimator: a zip of arrays, as numpy writes them, and of a JSON text."""

import json
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pte.array_file import (
    DAMAGE,
    ArrayFile,
    has_form,
    parsed,
    read_array_file,
    read_facts,
    write_array_file,
)
from pte.errors import PteError, naming, no_file
from pte.evaluation.evaluate import Shares
from pte.files import output_file
from pte.keyed_vectors import KeyedVectors
from pte.machine import code_and_machine, installed

FORMAT = 4  # The version of the format. It grows when an older program could not read a new file
PACKAGES = ("pte", "numpy", "numba")  # the packages whose versions a model file holds

_FACTS = "model.json"
_REMEDY = "it is damaged, or no model: save the model anew, or take another file"


class Fit(NamedTuple):
    """What a fitted estimator is made of: arrays by name, and facts that JSON can hold."""

    arrays: dict[str, NDArray[Any]]
    facts: dict[str, Any]


def write_fit(path: str | Path, estimator: str, fit: Fit) -> None:
    """Write a fit of the named estimator, with the date, code and machine, atomically."""
    if objects := [name for name, array in fit.arrays.items() if array.dtype.hasobject]:
        raise PteError(f"{path}: {objects[0]} holds Python objects, which no file may")
    made = {"date": datetime.now(UTC).isoformat(timespec="seconds")}
    made |= code_and_machine(Path(__file__).parent, PACKAGES)
    head = {"format": FORMAT, "estimator": estimator, "made": made}
    facts = head | fit.facts
    try:
        parsed(json.dumps(facts).encode())
        for texts in (each for each in fit.arrays.values() if each.dtype.kind == "U"):
            "".join(texts.ravel().tolist()).encode()
    except (TypeError, ValueError) as error:  # it could not be read again
        what = "a label, a parameter or a note is nothing that a model file can hold"
        raise PteError(f"{path}: {what} ({error}); give other texts or finite numbers") from None
    with output_file(path) as temporary:
        write_array_file(temporary, fit.arrays, facts, _FACTS)


def read_fit(path: str | Path) -> ArrayFile:
    """Read a fit that `write_fit` wrote; the fact `estimator` names its class."""
    if not Path(path).is_file():  # a pipe would be waited for
        raise no_file(path, "`pte fit` or the `save` of an estimator")
    with naming(path), Path(path).open("rb") as file:
        is_model = zipfile.is_zipfile(file)
    if not is_model:
        raise PteError(
            f"{path}: not a model file; `pte fit` or the `save` of an estimator writes one"
        )
    fit = read_array_file(path, _FACTS, _REMEDY)
    found = fit.fact("format", int)
    if found < FORMAT:
        raise PteError(
            f"{path}: it has format {found}, and this version reads {FORMAT}; learn the model anew"
        )
    if found > FORMAT:
        raise newer(fit, f"it has format {found}, and this version reads {FORMAT}")
    fit.fact("estimator", str)
    return fit


def facts_of(path: str | Path) -> dict[str, Any] | None:
    """Return the facts that a model file holds about itself; None for a file that is no model."""
    if not Path(path).is_file():
        return None
    try:
        facts = read_facts(Path(path), _FACTS)
    except DAMAGE:
        return None
    return facts if has_form(facts, {"estimator": str}) else None


def newer(fit: ArrayFile, what: str) -> PteError:
    """Return the error of a file that another version of pte has made."""
    made = fit.facts.get("made")
    version = made.get("pte") if isinstance(made, dict) else None
    maker = f"made by pte {version}" if isinstance(version, str) else "made by another version"
    here = installed("pte")
    remedy = "install that version" if version != here else "take another file, it was changed"
    return PteError(f"{fit.path}: {what}; it was {maker}, and this is {here}: {remedy}")


def words_of(fit: ArrayFile) -> tuple[bytes, ...]:
    """Return the vocabulary of a model; its length is known as "words" from then on."""
    words = tuple(fit.array("words", "uint8", "bytes of words").tobytes().split(b"\n")[:-1])
    if len(set(words)) < len(words) or lines_of(words).size != fit.lengths["bytes of words"]:
        raise fit.fault("its words are not distinct lines")
    fit.lengths["words"] = len(words)
    return words


def lines_of(texts: tuple[bytes, ...]) -> NDArray[np.uint8]:
    """Return byte strings that have no newline as one array, in which each string is a line."""
    return np.frombuffer(b"".join(text + b"\n" for text in texts), np.uint8)


def classes_of(fit: ArrayFile) -> NDArray[Any]:
    """Return the classes of a model; their number is known as "classes" from then on."""
    return fit.array("classes", "U S i u b f", "classes")


def class_shares_of(fit: ArrayFile) -> Shares:
    """Return the shares of the classes, of which there must be one."""
    if not fit.lengths["classes"]:
        raise fit.fault("it has no class")
    return fit.array("class_shares", "float64", "classes")


def label_vectors_of(fit: ArrayFile, labels: tuple[str, ...]) -> KeyedVectors | None:
    """Return the vectors of labels of a model; None if it has none."""
    if "label_vectors" not in fit:
        return None
    return KeyedVectors(labels, fit.array("label_vectors", "float32", len(labels), "dim"))
