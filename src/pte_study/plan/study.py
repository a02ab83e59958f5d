"""The study: one object that says what is run, what each job is given, and what users may make."""

import json
import os
import random
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from itertools import count
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
from pte_study.store import corpus_of, held, kind_of

SEED = 1  # of the sample to verify: the same runs give the same sample
KEPT = (*TEXT_KINDS, "svg")  # the endings of files that are published
PAGES = {
    "index": "What came out",
    "claims": "Claims of the paper",
    "scores": "Scores",
    "curves": "Few labels and other parameters",
    "corpora": "Corpora and maps",
    "provenance": "Provenance",
}  # pages that show everything; `quickstart` is apart


class Published(NamedTuple):
    """A file of the results, and the name that it has in the repository."""

    made: str
    kept: str


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
        turns: dict[tuple[str, str], Iterator[int]] = defaultdict(count)
        runs = [(name, kind_of(name)[1]) for name in able]
        turn = {name: next(turns[run["method"], run["protocol"]]) for name, run in runs}
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

    # What a user may ask for: pages, all exhibits of a kind, published files, and what they need

    def all_made(self, target: str) -> list[str]:
        """Return all files of the exhibits with a target."""
        shown = [each for each in EXHIBITS if each.target == target]
        names = [(each, name) for each in shown for name in each.made(self)]
        return [file for each, name in names for file in each.files(name).values()]

    def page_items(self, page: str) -> list[dict[str, Any]]:
        """Return what a page shows, in its order, as fields of `pte_study.report.page.Item`."""
        if page == "quickstart":
            return [self._item(each, page) for each in EXHIBITS if each.wildcard == "table"]
        claims = {
            "module": "pte_study.report.verdicts",
            "rule": "claims",
            "part": "claims",
            "files": {"csv": f"{paths.CLAIMS}.csv"},
            "given": {"claims": dict(self.registries.claims), "labels": self.labels},
        }
        on_page = [e for e in EXHIBITS if page == e.on or (page, e) == ("index", COMPARISON)]
        items = [self._item(each, name) for each in on_page for name in self._kept(each)]
        return [claims, *items] if page in ("index", "claims") else items

    def _kept(self, exhibit: Exhibit) -> list[str]:
        return [name for name in exhibit.made(self) if name != "quickstart"]

    def _item(self, exhibit: Exhibit, name: str) -> dict[str, Any]:
        known = exhibit.sources(self, name) | exhibit.files(name)
        return {
            "module": exhibit.module,
            "rule": exhibit.rule,
            "part": exhibit.target if exhibit.joined else exhibit.part.format(name),
            "files": {role: known[role] for role in ("csv", "svg") if role in known},
            "given": exhibit.told(self, name),
        }

    def page_inputs(self, page: str) -> dict[str, Any]:
        """Return the files that a page is made of; that of provenance comes after all others."""
        pages = [each for each in PAGES if each != page] if page == "provenance" else [page]
        items = [item for each in pages for item in self.page_items(each)]
        files = [file for item in items for file in item["files"].values()]
        inputs = {"shown": list(dict.fromkeys(files))}
        if page not in ("quickstart", "provenance"):
            return inputs
        tables = ["quickstart"] if page == "quickstart" else self.published
        return inputs | {"corpora": self.places(self.corpora_of(tables))}

    @property
    def all_corpora(self) -> list[str]:
        claimed = map(corpus_of, self.of_claims(self.claims()))
        return list(dict.fromkeys([*self.shown, *claimed]))

    @property
    def to_store(self) -> dict[str, list[str]]:
        """The names of all runs that published files hold, by corpus."""
        names = [name for table in self.tables for name in self.of_table(table)]
        names += [name for curve in self.curves for name in self.of_curve(curve)]
        names += [name for parameter in self.parameters for name in self.of_sensitivity(parameter)]
        names += self.of_claims(self.claims())
        found: dict[str, list[str]] = {}
        for name in dict.fromkeys(names):
            found.setdefault(corpus_of(name), []).append(name)
        return found

    def publish_inputs(self) -> dict[str, list[str]]:
        """Return the files that are published, or that published files are made of, by kind."""
        return {
            "runs": [file for names in self.to_store.values() for file in self.files(names)],
            "maps": self.all_made("maps"),
            "network": [NETWORK.files(name)["svg"] for name in self.pictures],
            "corpora": [paths.corpus(name) for name in self.all_corpora],
        }

    @property
    def published_exhibits(self) -> dict[str, list[tuple[Exhibit, str]]]:
        """The exhibits that can be published, and their names, by the names of their parts."""
        parts: dict[str, list[tuple[Exhibit, str]]] = {}
        for exhibit in EXHIBITS:
            for name in self._kept(exhibit):
                parts.setdefault(exhibit.part.format(name), []).append((exhibit, name))
        return parts

    @property
    def published_parts(self) -> dict[str, list[Published]]:
        """The files of all that can be published, by the names of their parts."""
        return {
            part: [
                Published(file, f"{(exhibit.kept or exhibit.part).format(name)}.{kind}")
                for exhibit, name in shown
                for kind, file in exhibit.files(name).items()
                if kind in KEPT
            ]
            for part, shown in self.published_exhibits.items()
        }

    def left_out(self) -> str:
        """Return a line on what is left out, as files or published runs are not there, or ""."""
        config = self.config
        if self.held is not None:
            lacks = [f"table {name}" for name in config.tables if name not in self.tables]
            lacks += [f"curve {name}" for name in config.curves if name not in self.curves]
            runs = self.sensitivities
            lacks += [f"sensitivity {name}" for name in self.parameters if name not in runs]
            return f"published runs lack: {', '.join([*lacks, 'maps', 'the picture of a network'])}"
        lacking = [name for name in self.corpora_of(config.tables) if self.lacking(name)]
        where = f"the mirror {self.mirror}" if self.mirror else "a mirror (none is configured)"
        said = f"left out unless named: {', '.join(lacking)}, whose files are not in {where}"
        return said if lacking else ""

    def say_what_is_left_out(self, words: Iterable[str]) -> None:
        """Print to standard error what is left out because files or runs are not there.

        Not of other corpora, if the `words` of the command name one, or the quickstart.
        """
        is_one = bool({*words} & {"quickstart", *self.registries.corpora})
        if not (is_one and self.held is None) and (line := self.left_out()):
            print(line, flush=True, file=sys.stderr)


def compared(table: str) -> list[str]:
    return [*COMPARISON.files(table).values(), *FIGURE.files(table).values()]


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
