"""Text of a user's own: what config.yaml or the command line says of it."""

import hashlib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any
from unicodedata import combining, normalize

from pte.corpora.compressed import ENDINGS
from pte.corpora.own import FORMATS, KEYS, OwnText, TextReading, reading_of
from pte.corpora.text_files import paths_below
from pte.errors import PteError
from pte.machine import cores as cores_here
from pte_study.configuration.yaml_files import typed

MINUTES, FOLDS = 2, 5

TYPED = ("folds", "seed", "minutes", "header", "ignore_case")
"""Keys whose values are numbers, true or false. All other values stay text, such as columns."""

OF_COMMAND_LINE = ("corpus", "name", *KEYS, "folds", "minutes")
"""Keys that `--config` may have for a text, beside the keys of config.yaml."""

CORES = "PTE_CORES"
"""The environment variable that tells jobs for how many cores the run was planned."""


@dataclass(frozen=True)
class Own:
    """A text of a user's own, the folds of its contest, and the minutes that this may take."""

    text: OwnText
    folds: int = FOLDS
    minutes: float = MINUTES

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> "Own":
        """Make an `Own` from an entry under `own` in config.yaml, which fits the schema."""
        given = {key: value for key, value in values.items() if key not in ("minutes", "folds")}
        return cls(OwnText.of(given), values.get("folds", FOLDS), values.get("minutes", MINUTES))

    @property
    def path(self) -> Path:
        """The file or the folder of the text."""
        return Path(self.text.file)

    @cached_property
    def reading(self) -> TextReading:
        """How the text is read, without the open file. Raises `PteError` as `reading_of` does."""
        return replace(reading_of(self.text), opened=None)

    @property
    def files(self) -> dict[str, Path]:
        """All files that are read, by their names, in ascending order.

        Snakemake itself sees only the first level of a folder. The file with the words of a bag of
        words counts, too.
        """
        words = self.reading.options.get("vocabulary")
        found = {**_files(self.path), **(_files(Path(words)) if words else {})}
        return dict(sorted(found.items()))

    @property
    def values(self) -> dict[str, Any]:
        """What is said of how the text is read, as commands take it."""
        text = self.text
        said = {"same": list(text.same) or None, "ignore_case": text.ignore_case or None}
        return {"format": text.format, **text.columns.named(), **text.dialect.named(), **said}


def _files(path: Path) -> dict[str, Path]:
    """Return each file below `path`, or `path` itself, by its name."""
    found = [path] if path.is_file() else filter(Path.is_file, paths_below(path))
    return {each.relative_to(path.parent).as_posix(): each for each in found}


def cores() -> int:
    """Return the number of cores that a run may use.

    This is the number that Snakemake was given, if the environment has it.
    """
    given = os.environ.get(CORES)
    return int(given) if given else cores_here()


def from_command_line(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values in which `corpus=FILE` and the keys beside it are an entry of `own`.

    The name of the entry is the value of the key `name`, or is made from the name of the file.
    Raises `PteError` for keys without `corpus`, for a name that `own` has already, and for a
    separator that the command line has lost.
    """
    given = {
        key: values[key] for key in OF_COMMAND_LINE if values.get(key) is not None
    }  # `key=` on the command line gives None
    if "corpus" in values and values["corpus"] is None:
        raise PteError("--config corpus=: it is empty; name the file: corpus=FILE")
    if not given:
        return dict(values)
    if not given.get("corpus"):
        key = next(iter(given))
        without = f"name the file, too: corpus=FILE; config.yaml itself has no key {key}"
        raise PteError(f"--config {key}=…: {without}")
    if given.get("separator") == "":
        raise PteError(
            "--config separator is empty, as Snakemake reads | and > on the command line as "
            "nothing; write these into config.yaml, under `own`, or leave the separator out"
        )
    file, name = str(given.pop("corpus")), given.pop("name", None)
    entry = {key: typed(value) if key in TYPED else _texts(value) for key, value in given.items()}
    name = clean(Path(file)) if name is None else str(name)
    known = values.get("own") or {}
    if name in known:
        raise PteError(f"config.yaml: own has {name} already; add name=ANOTHER to --config")
    left = {key: value for key, value in values.items() if key not in OF_COMMAND_LINE}
    return left | {"own": dict(known) | {name: {"file": file} | entry}}


def _texts(value: Any) -> str | list[str]:
    return [str(each) for each in value] if isinstance(value, list) else str(value)


def clean(file: Path) -> str:
    """Return a name for the results of a file, made of small letters, digits and underscores.

    It is the file's name without the ending that says the format. A letter with a mark loses the
    mark (ö becomes o), and ß becomes ss. Where other letters are lost, the name ends with six
    digits of a hash, so that files with different names have different results.
    """
    stem = file.absolute().name.casefold()
    if not file.is_dir():
        stem = _without(stem, ENDINGS)
        stem = _without(stem, tuple(end for each in FORMATS.values() for end in each.endings))
    whole = normalize("NFKD", stem)
    plain = "".join(c for c in whole if not combining(c))
    name = re.sub("[^a-z0-9]+", "_", plain).strip("_")
    if name and plain.isascii():
        return name
    return f"{name or 'text'}_{hashlib.sha256(whole.encode('utf-8', 'replace')).hexdigest()[:6]}"


def _without(name: str, endings: tuple[str, ...]) -> str:
    """Return a name without the ending that it has of `endings`, unless nothing would be left."""
    return name.rpartition(".")[0] or name if name.endswith(endings) else name
