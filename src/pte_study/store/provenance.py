"""Where numbers come from: code, machine, corpora, and what each job took.

This module gathers these facts, and `pte_study.report.provenance` shows them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pte.corpora.subsets import Subset
from pte.files import read_json
from pte.machine import code_and_machine
from pte_study import paths
from pte_study.configuration.entries import MAIN_METHOD, PAPER

FITS, SCORES, SENSITIVITY = "representations", "scores", "sensitivity"
"""Kinds of jobs: jobs that fit a method, that score it, and that train and score PTE(joint)."""


@dataclass(frozen=True)
class Job:
    """What a job took: seconds by the clock and of the processor, and the most memory.

    `kind` is the folder of the job's result. `corpus` may name a value of the sensitivity
    experiment, or say that T was chosen. `method` is "" unless the job fitted or scored a method.
    """

    kind: str
    corpus: str
    method: str
    seconds: float
    processor_seconds: float
    memory_mb: float

    @classmethod
    def read(cls, path: Path) -> "Job":
        """Read a cost file, which has the name of the job's result."""
        _, _, tail = path.with_suffix("").as_posix().rpartition(f"{paths.COST}/")
        kind, *places = tail.split("/")
        if kind == SENSITIVITY:
            _, corpus, parameter, value, _ = places
            corpus = f"{corpus}, {parameter} {value}".removesuffix(" all")
            return cls(kind, corpus, MAIN_METHOD, **read_json(path))
        corpus = replace(Subset.parse(places[0]), seed=None).name
        method = places[1] if kind in (FITS, SCORES) else ""
        if kind == FITS and places[2] != PAPER:
            corpus = f"{corpus}, {places[2]} T"
        return cls(kind, corpus, method, **read_json(path))


@dataclass(frozen=True)
class Gathered:
    """The jobs that were run in one checkout.

    `code` is the commit, the packages and the machine. `corpora` holds the records of corpus.json,
    by the names of corpora.
    """

    code: Mapping[str, str]
    corpora: Mapping[str, Mapping[str, Any]]
    jobs: tuple[Job, ...]


def gather(checkout: Path, corpora: Iterable[Path], costs: Iterable[Path]) -> Gathered:
    """Gather what was run in a checkout.

    `corpora` are folders of encoded corpora, and `costs` are the cost files of jobs.
    """
    return Gathered(
        code=code_and_machine(checkout),
        corpora={folder.name: read_json(folder / "corpus.json") for folder in corpora},
        jobs=tuple(Job.read(path) for path in costs),
    )
