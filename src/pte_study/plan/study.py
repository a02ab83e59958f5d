"""The study: one object that says what is run, and what each job is given; rules only ask it."""

import json
import os
import random
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from pte import encoders
from pte.corpora.subsets import Subset
from pte.errors import PteError
from pte.files import sha256_of
from pte_study import paths
from pte_study.configuration.checks import check_all
from pte_study.configuration.config import Config
from pte_study.configuration.registry import read_registries
from pte_study.configuration.yaml_files import check
from pte_study.plan.runs import Runs
from pte_study.store.stored_runs import corpus_of, held

SEED = 1  # of the sample to verify: the same runs give the same sample


class Study(Runs):
    """The configuration and the registries, checked against each other, and all that follows."""

    @classmethod
    def load(cls, values: dict[str, Any], workflow: Path, mirror: str = "") -> "Study":
        """Load the study from `values` of config.yaml; `mirror` is what `prepare` returns.

        Plugin folders must be on the path."""
        check(values, workflow / "schemas" / "config.schema.yaml", "config.yaml")
        config = Config.of(values)
        registries = read_registries(workflow, [Path(folder) for folder in config.plugins])
        rows = tuple(name for name, method in registries.methods.items() if method.row)
        config = replace(config, methods=config.methods or rows)
        check_all(config, registries)
        registries = replace(registries, encoded=config.reads_texts)
        folder = Path(mirror) if mirror else None
        return cls(config, registries, workflow / "scripts", folder)

    @property
    def of_published(self) -> "Study":
        return replace(self, held=held())

    @cached_property
    def to_verify(self) -> dict[str, str]:
        """Published scores that can be made here, of many methods in turn, with their files."""
        found = held()
        able = sorted(name for name in found if self._is_able(name))
        random.Random(SEED).shuffle(able)
        turns, turn = Counter[tuple[str, str]](), dict[str, int]()
        for name in able:
            run = paths.wildcards_of(paths.SCORES, name) or {}
            made_by = (run["method"], run["protocol"])
            turn[name] = turns[made_by]
            turns[made_by] += 1
        chosen = sorted(sorted(able, key=turn.__getitem__)[: self.config.verified])
        return {name: found[name] for name in chosen}

    def _is_able(self, name: str) -> bool:
        run = paths.wildcards_of(paths.SCORES, name)
        if not run or run["method"] not in self.registries.methods:
            return False
        base = Subset.parse(run["corpus"]).base
        if not self.is_installed(run["method"]):
            return False
        known = base in self.registries.corpora and not self.unplanned(base)
        return known and self.registries.why_not(run["corpus"], run["method"]) is None

    def verify_inputs(self) -> dict[str, list[str]]:
        """Return the files that jobs make again, and the places of these runs."""
        made, corpora = replace(self, held=None), dict.fromkeys(map(corpus_of, self.to_verify))
        return {"runs": made.files(self.to_verify), "places": made.places(corpora)}

    def verified_hashes(self) -> dict[str, str]:
        """Return published files' sha256; as inputs of the job, `publish` would make them first."""
        return {file: sha256_of(Path(file)) for file in sorted(set(self.to_verify.values()))}


# The environment of jobs: the package, plugins, compiled kernels, and the mirror


def prepare(config: Mapping[str, Any]) -> str:
    """Set the environment of jobs, put plugins on the path, and return the mirror's folder.

    PTE_MIRROR comes before config.yaml. Jobs with an environment of their own need PYTHONPATH."""
    if len(sys.executable.split()) > 1:  # Snakemake does not quote it
        raise PteError(
            f"{sys.executable}: Snakemake cannot start Python in a folder whose path has a space; "
            "move the checkout, or its .venv"
        )
    folders = _plugins(config.get("plugins"))
    sys.path[:0] = [folder for folder in folders if folder not in sys.path]
    package = str(Path(encoders.__file__).parents[1])
    path = [package, *folders, os.environ.get("PYTHONPATH", "")]
    kernels = Path(os.environ.get("PTE_KERNELS") or "resources/numba").resolve()
    os.environ["PTE_NETWORKS"] = json.dumps(_edge_lists(config.get("networks")))
    os.environ["PTE_PLUGINS"] = os.pathsep.join(folders)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, path))
    os.environ["NUMBA_CACHE_DIR"] = str(kernels)
    mirror = os.environ.get("PTE_MIRROR") or str(config.get("mirror") or "")
    os.environ["PTE_MIRROR"] = mirror
    return mirror


def _edge_lists(networks: Any) -> dict[str, str]:
    """Return the edge lists of the user's networks, by name. Nothing has checked `networks` yet."""
    entries = networks.items() if isinstance(networks, Mapping) else ()
    edges = {name: own.get("edges") for name, own in entries if isinstance(own, Mapping)}
    return {str(name): str(Path(str(file)).resolve()) for name, file in edges.items()}


def _plugins(folders: Any) -> list[str]:
    """Return the folders of plugins, which the schema checks later."""
    given = [Path(str(folder)) for folder in folders] if isinstance(folders, list | tuple) else []
    for folder in given:
        if not folder.is_dir():
            raise PteError(f"config.yaml: plugins: {folder}: there is no such folder")
    return [str(folder.resolve()) for folder in given]
