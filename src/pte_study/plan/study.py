"""The study: one object that says what is run, what each job is given, and what users may make."""

import json
import os
import random
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from pte import encoders
from pte.corpora.subsets import Subset
from pte.errors import PteError
from pte.files import sha256_of
from pte_study import paths
from pte_study.configuration.checks import check_all
from pte_study.configuration.config import Config
from pte_study.configuration.registry import check, read_registries
from pte_study.paths import TEXT_KINDS
from pte_study.plan.exhibits import COMPARISON, EXHIBITS, FIGURE, NETWORK, Exhibit
from pte_study.plan.runs import Runs
from pte_study.store import corpus_of, held

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


# What a user may ask for: pages, all exhibits of a kind, published files, and what they need


PAGES = {
    "index": "What came out",
    "claims": "Claims of the paper",
    "scores": "Scores",
    "curves": "Few labels and other parameters",
    "corpora": "Corpora and maps",
    "provenance": "Provenance",
}  # pages that show everything; `quickstart` is apart


KEPT = (*TEXT_KINDS, "svg")  # the endings of files that are published


def made(study: Study, target: str) -> list[str]:
    shown = [each for each in EXHIBITS if each.target == target]
    names = [(each, name) for each in shown for name in each.made(study)]
    return [file for each, name in names for file in each.files(name).values()]


def compared(table: str) -> list[str]:
    return [*COMPARISON.files(table).values(), *FIGURE.files(table).values()]


def page_items(study: Study, page: str) -> list[dict[str, Any]]:
    """Return what a page shows, in its order, as fields of `pte_study.report.page.Item`."""
    if page == "quickstart":
        of_tables = [each for each in EXHIBITS if each.wildcard == "table"]
        return [_item(study, each, page) for each in of_tables]
    claims = {
        "module": "pte_study.report.verdicts",
        "rule": "claims",
        "part": "claims",
        "files": {"csv": f"{paths.CLAIMS}.csv"},
        "given": {"claims": dict(study.registries.claims), "labels": study.labels},
    }
    shown = [each for each in EXHIBITS if page == each.on or (page, each) == ("index", COMPARISON)]
    items = [_item(study, each, name) for each in shown for name in _kept(study, each)]
    return [claims, *items] if page in ("index", "claims") else items


def _kept(study: Study, exhibit: Exhibit) -> list[str]:
    return [name for name in exhibit.made(study) if name != "quickstart"]


def _item(study: Study, exhibit: Exhibit, name: str) -> dict[str, Any]:
    known = exhibit.sources(study, name) | exhibit.files(name)
    files = {role: known[role] for role in ("csv", "svg") if role in known}
    return {
        "module": exhibit.module,
        "rule": exhibit.rule,
        "part": exhibit.target if exhibit.joined else exhibit.part.format(name),
        "files": files,
        "given": exhibit.told(study, name),
    }


def page_inputs(study: Study, page: str) -> dict[str, Any]:
    """Return the files that a page is made of; the page of provenance comes after all others."""
    pages = [each for each in PAGES if each != page] if page == "provenance" else [page]
    items = [item for each in pages for item in page_items(study, each)]
    shown = [files for item in items for files in item["files"].values()]
    files = [file for each in shown for file in ([each] if isinstance(each, str) else each)]
    inputs = {"shown": list(dict.fromkeys(files))}
    if page not in ("quickstart", "provenance"):
        return inputs
    tables = ["quickstart"] if page == "quickstart" else study.published
    return inputs | {"corpora": study.places(study.corpora_of(tables))}


def all_corpora(study: Study) -> list[str]:
    claimed = map(corpus_of, study.of_claims(study.claims()))
    return list(dict.fromkeys([*study.shown, *claimed]))


def to_store(study: Study) -> dict[str, list[str]]:
    """Return the names of all runs that published files hold, by corpus."""
    names = [name for table in study.tables for name in study.of_table(table)]
    names += [name for curve in study.curves for name in study.of_curve(curve)]
    names += [name for parameter in study.parameters for name in study.of_sensitivity(parameter)]
    names += study.of_claims(study.claims())
    found: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        found.setdefault(corpus_of(name), []).append(name)
    return found


def publish_inputs(study: Study) -> dict[str, list[str]]:
    """Return the files that are published, or that published files are made of, by kind."""
    return {
        "runs": [file for names in to_store(study).values() for file in study.files(names)],
        "maps": made(study, "maps"),
        "network": [NETWORK.files(name)["svg"] for name in study.pictures],
        "corpora": [paths.corpus(name) for name in all_corpora(study)],
    }


def published_exhibits(study: Study) -> dict[str, list[tuple[Exhibit, str]]]:
    """Return the exhibits that can be published, and their names, by the names of their parts."""
    parts: dict[str, list[tuple[Exhibit, str]]] = {}
    for exhibit in EXHIBITS:
        for name in _kept(study, exhibit):
            parts.setdefault(exhibit.part.format(name), []).append((exhibit, name))
    return parts


class Published(NamedTuple):
    """A file of the results, and the name that it has in the repository."""

    made: str
    kept: str


def published_parts(study: Study) -> dict[str, list[Published]]:
    """Return the files of all that can be published, by the names of their parts."""
    return {
        part: [
            Published(file, f"{(exhibit.kept or exhibit.part).format(name)}.{kind}")
            for exhibit, name in shown
            for kind, file in exhibit.files(name).items()
            if kind in KEPT
        ]
        for part, shown in published_exhibits(study).items()
    }


def say_what_is_left_out(study: Study) -> None:
    """Print to standard error what is left out because files or runs are not there."""
    if line := lacking(study):
        print(line, flush=True, file=sys.stderr)


def lacking(study: Study) -> str:
    """Return a line on what is left out because files or published runs are not there, or ""."""
    if study.held is None:
        return _absent(study)
    config = study.config
    lacks = [f"table {name}" for name in config.tables if name not in study.tables]
    lacks += [f"curve {name}" for name in config.curves if name not in study.curves]
    lacks += [f"sensitivity {name}" for name in study.parameters if name not in study.sensitivities]
    return f"published runs lack: {', '.join([*lacks, 'maps', 'the picture of a network'])}"


def _absent(study: Study) -> str:
    tables = study.config.tables.values()
    corpora = dict.fromkeys(name for table in tables for name in table.corpora)
    lacking = [name for name in corpora if study.lacking(name)]
    where = f"the mirror {study.mirror}" if study.mirror else "a mirror (none is configured)"
    said = f"left out unless named: {', '.join(lacking)}, whose files are not in {where}"
    return said if lacking else ""
