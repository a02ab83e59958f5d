"""A sample of published runs, and the files that are compared when they are made again here."""

import random
from dataclasses import dataclass
from pathlib import Path

from pte.files import sha256_of
from pte_study import paths
from pte_study.plan.runs import Runs
from pte_study.store.stored_runs import held

SEED = 1
"""The seed of the sample, so that the same published runs give the same sample."""


@dataclass(frozen=True)
class Verified:
    """The names of sampled runs, and the published files that hold them."""

    names: tuple[str, ...]
    files: tuple[str, ...]

    @classmethod
    def sample(cls, runs: Runs, n: int, folder: Path = Path(paths.PUBLISHED_RUNS)) -> "Verified":
        """Choose `n` of the published scores that can be made here, or all if there are fewer.

        Raises `PteError` when nothing is published.
        """
        found = held(folder)
        able = sorted(name for name in found if _is_able(runs, name))
        names = tuple(sorted(random.Random(SEED).sample(able, min(n, len(able)))))
        return cls(names, tuple(sorted({found[name] for name in names})))

    def stores(self) -> dict[str, str]:
        """Return the sha256 of each published file.

        The files are not inputs of the job, because then the rule `publish` would make them first.
        """
        return {file: sha256_of(Path(file)) for file in self.files}

    def inputs(self, runs: Runs) -> dict[str, list[str]]:
        """Return the files that are compared with the published runs, by kind."""
        bases = dict.fromkeys(runs.study.base(_run(name)["corpus"]) for name in self.names)
        return {
            "scores": paths.with_ending(self.names, "json"),
            "predictions": paths.with_ending(self.names, "npy"),
            "corpora": [paths.corpus(name) for name in bases],
        }


def _run(name: str) -> dict[str, str]:
    return paths.wildcards_of(paths.SCORES, name) or {}


def _is_able(runs: Runs, name: str) -> bool:
    run, study = _run(name), runs.study
    if not run or run["method"] not in study.registries.methods:
        return False
    base = study.base(run["corpus"])
    known = base in study.registries.corpora and study.is_planned(base)
    return known and study.registries.why_not(run["corpus"], run["method"]) is None
