"""Text of a user's own: what config.yaml or the command line says of it, and how it is run."""

import hashlib
import os
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any
from unicodedata import combining, normalize

from pte.corpora.own import KEYS, OwnText, own_entry
from pte.errors import PteError
from pte.training.contract import ONE_LABEL, ORDER_LOST
from pte_study.configuration.budget import Budget, Candidate, choose
from pte_study.configuration.entries import CHOSEN
from pte_study.configuration.registry import Registries
from pte_study.configuration.yaml_files import typed

MINUTES = 5
PROTOCOL = CHOSEN
"""The protocol of the scores. Held-out documents choose T, C and the length of vectors."""

TYPED = ("test", "seed", "minutes", "header")
"""Keys whose values are numbers or `true` and `false`. All other values stay text."""

OF_COMMAND_LINE = ("corpus", "name", *KEYS, "minutes")
"""Keys that `--config` may have for a text, beside the keys of config.yaml."""

CORES = "PTE_CORES"
"""The environment variable that tells jobs for how many cores the run was planned."""

COMPRESSED = {".gz": 3, ".bz2": 4, ".xz": 4, ".parquet": 2}
"""The size of the text in a file, divided by the size of the file, about."""

WHY_IDLE = {
    ONE_LABEL: "they learn one label only",
    ORDER_LOST: "the order of words is lost",
}
"""Why methods cannot run on some texts: the reason in score files, and the same in words."""


@dataclass(frozen=True)
class Own:
    """A text of a user's own, and the minutes that its page may take."""

    text: OwnText
    minutes: float = MINUTES

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> "Own":
        """Make an `Own` from an entry under `own` in config.yaml, which fits the schema."""
        given = {key: value for key, value in values.items() if key != "minutes"}
        return cls(OwnText.of(given), values.get("minutes", MINUTES))

    @cached_property
    def path(self) -> Path:
        """The file or the folder of the text."""
        return Path(self.text.file)

    @property
    def size(self) -> int:
        """The bytes of text, about."""
        return sum(
            size * COMPRESSED.get(Path(name).suffix, 1) for name, size, _ in _files(self.path)
        )

    @property
    def state(self) -> str:
        """A hash that changes when a file is added, removed, or written again.

        It is the hash of names, sizes and times. The file with the words of a bag of words counts,
        too.
        """
        words = own_entry("", self.text)[1].options.get("vocabulary")
        read = _files(self.path) + (_files(Path(words)) if words else ())
        return hashlib.sha256(repr(read).encode()).hexdigest()[:16]

    def budget(self, candidates: Mapping[str, Candidate], idle: Collection[str]) -> Budget:
        """Return what is run in the minutes of the text, on the cores that the run may use.

        The arguments are those of `choose`.
        """
        return choose(candidates, self.size, 60 * self.minutes * cores(), idle)


@cache
def _files(path: Path) -> tuple[tuple[str, int, int], ...]:
    """Return name, size and time of each file below `path`, or of the file `path`, sorted by name.

    A process plans jobs once, so it looks at the files once.
    """
    found = [path] if path.is_file() else [p for p in path.rglob("*") if p.is_file()]
    stats = [(each.relative_to(path.parent).as_posix(), each.stat()) for each in found]
    return tuple(sorted((name, stat.st_size, stat.st_mtime_ns) for name, stat in stats))


def cores() -> int:
    """Return the number of cores that a run may use.

    This is the number that Snakemake was given, if the environment has it.
    """
    if given := os.environ.get(CORES):
        return int(given)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def from_command_line(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values in which `corpus=FILE` and the keys beside it are an entry of `own`.

    The name of the entry is the value of the key `name`, or is made from the name of the file.
    Raises `PteError` for keys without `corpus`, and for a name that `own` has already.
    """
    given = {
        key: values[key] for key in OF_COMMAND_LINE if values.get(key) is not None
    }  # `key=` on the command line gives None
    if not given:
        return dict(values)
    if not given.get("corpus"):
        key = next(iter(given))
        without = f"name the file, too: corpus=FILE; config.yaml itself has no key {key}"
        raise PteError(f"--config {key}=…: {without}")
    file, name = str(given.pop("corpus")), given.pop("name", None)
    entry = {key: typed(value) if key in TYPED else str(value) for key, value in given.items()}
    name = clean(Path(file)) if name is None else str(name)
    known = values.get("own") or {}
    if name in known:
        raise PteError(f"config.yaml: own has {name} already; add name=ANOTHER to --config")
    left = {key: value for key, value in values.items() if key not in OF_COMMAND_LINE}
    return left | {"own": dict(known) | {name: {"file": file} | entry}}


def clean(file: Path) -> str:
    """Return a name for the corpus of a file, made of small letters, digits and underscores.

    A letter with a mark loses the mark (ö becomes o), and ß becomes ss. Where other letters are
    lost, the name ends with six digits of a hash, so that the corpora of files with different names
    have different names.
    """
    stem = file.resolve().name.casefold()
    if not file.is_dir():
        stem = stem.partition(".")[0] or stem
    whole = normalize("NFKD", stem)
    plain = "".join(c for c in whole if not combining(c))
    name = re.sub("[^a-z0-9]+", "_", plain).strip("_")
    if name and plain.isascii():
        return name
    return f"{name or 'text'}_{hashlib.sha256(whole.encode('utf-8', 'replace')).hexdigest()[:6]}"


def with_own(registries: Registries, own: Mapping[str, Own], taken: Iterable[str]) -> Registries:
    """Return the registries with an archive and a corpus for each text of the user's own.

    Raises `PteError` for a file that does not exist, and for a name that the registries, or
    `taken`, have already.
    """
    archives, corpora = dict(registries.archives), dict(registries.corpora)
    for name, each in own.items():
        at = f"own: {name}"
        if name in corpora or name in archives or name in taken:
            raise PteError(
                f"{at}: this name is taken; choose another, with name=ANOTHER on the command "
                "line, or as the key under `own` in config.yaml"
            )
        if not each.path.exists():
            raise PteError(f"{at}: {each.text.file}: no such file or folder; check its path")
        archive, entry = own_entry(name, each.text)
        archives[entry.archive], corpora[name] = archive, entry
    places = {f"corpora.{name}": f"own: {name}" for name in own}
    where = {**registries.where, **places}
    return replace(registries, archives=archives, corpora=corpora, where=where)
