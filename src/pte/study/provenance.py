"""Where numbers come from: code, packages, machine, corpora, and what each run took."""

import os
import platform
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TypedDict

import pandas as pd

from pte.corpora.subsets import Subset
from pte.files import read_json
from pte.render.cells import NONE, humanise

CHANGES = ["status", "--porcelain", "--untracked-files=no", "--", ":/", ":!/results", ":!/*.md"]
"""Asks git whether code was edited. Published results and documents are no code."""
PACKAGES = [
    *("snakemake", "numpy", "numba", "pandas", "scipy", "scikit-learn", "liblinear-official"),
    *("fasttext-community", "matplotlib"),
]
ROLES = ("archive", "labels", "unlabelled")
"""The archives that a corpus may be read from."""
NOTES = (
    "Code and machine are those that wrote this, or published the piece. Seconds are those of "
    "whole jobs, with loading and saving, while other jobs ran beside them: by the clock and of "
    "the processor, the median over seeds. MB is the most memory that a job held. No row has what "
    "methods share: the neighbours of label propagation, the vectors that others start from, the "
    "search for hyperparameters. In pieces whose hours are a range, processor seconds are a lower "
    "bound, because they were sampled every half minute. Archives of a mirror may be packed anew, "
    "with other hashes than the official ones; the hashes of the documents do not depend on that."
)
FITS, SWEEPS = "representations", "sensitivity"
"""The folders of costs of the jobs that train."""


class Piece(TypedDict):
    """What was run in one checkout: hours of processor time, at least and at most, and strings.

    `code` is the commit, the packages and the machine; `texts` and `runs` are rows.
    """

    hours: tuple[float, float]
    code: dict[str, str]
    texts: list[dict[str, str]]
    runs: list[dict[str, str]]


def piece(
    checkout: Path, corpora: Iterable[Path], costs: Iterable[Path], labels: Mapping[str, str]
) -> Piece:
    """What was run here.

    `corpora` are folders of encoded corpora, `costs` the files that say what jobs took, and
    `labels` the names of methods.
    """
    jobs = [_Job.read(path) for path in costs]
    hours = sum(job.processor_seconds for job in jobs) / 3600
    return Piece(
        hours=(hours, hours),
        code=code_and_machine(checkout),
        texts=_rows(corpora_cells(corpora)),
        runs=_rows(runs_cells(jobs, labels)),
    )


@dataclass(frozen=True)
class _Job:
    """What a job took. `kind` is the folder of what it made; `corpus` may name a sweep's value."""

    kind: str
    corpus: str
    method: str
    seconds: float
    processor_seconds: float
    memory_mb: float

    @classmethod
    def read(cls, path: Path) -> "_Job":
        """From a file of costs: …/costs/KIND/CORPUS/METHOD/…, or …/KIND/runs/CORPUS/PARAMETER/…."""
        _, _, tail = path.as_posix().rpartition("costs/")
        kind, *places = tail.split("/")
        if kind == SWEEPS:
            _, corpus, parameter, value, _ = places
            corpus = f"{corpus}, {parameter} {value}".removesuffix(" all")
            return cls(kind, corpus, "pte_joint", **read_json(path))
        corpus = replace(Subset.parse(places[0]), seed=None).name
        return cls(kind, corpus, places[1], **read_json(path))


def with_piece(earlier: Iterable[Piece], new: Piece) -> list[Piece]:
    """The `earlier` pieces and the `new` one, each run in one of them.

    Each run is kept in the piece with most seeds of it, the latest if several have as many. A piece
    keeps the texts of its runs, and is dropped when it has none.
    """
    pieces = [*earlier, new]
    last: dict[tuple[str, str], tuple[int, int]] = {}
    for i, each in enumerate(pieces):
        for row in each["runs"]:
            key = (row["corpus"], row["method"])
            last[key] = max(last.get(key, (0, 0)), (int(row["seeds"]), i))
    left = []
    for i, each in enumerate(pieces):
        runs = [row for row in each["runs"] if last[row["corpus"], row["method"]][1] == i]
        bases = {_base(row["corpus"]) for row in runs}
        texts = [row for row in each["texts"] if row["corpus"] in bases]
        left.append(Piece(hours=each["hours"], code=each["code"], texts=texts, runs=runs))
    return [each for each in left if each["runs"]] or [new]


def provenance(
    pieces: Sequence[Piece], labels: Mapping[str, str]
) -> tuple[str, dict[str, pd.DataFrame]]:
    """A sentence on the whole, and tables of strings: code and machine, texts, runs.

    With several pieces, each row names its piece. `labels` are the names of methods, in the order
    of the rows.
    """
    several = len(pieces) > 1
    names = [str(i) for i in range(1, len(pieces) + 1)] if several else ["which"] * len(pieces)
    code = pd.DataFrame([each["code"] for each in pieces], index=names).fillna(NONE).T
    marks = [{"piece": name} if several else {} for name in names]
    both = list(zip(pieces, marks, strict=True))
    texts = pd.DataFrame([row | mark for each, mark in both for row in each["texts"]])
    if several and not texts.empty:
        known = texts.columns.drop("piece").tolist()
        texts = texts.groupby(known, sort=False)["piece"].agg(", ".join).reset_index()
    runs = pd.DataFrame([row | mark for each, mark in both for row in each["runs"]])
    if not runs.empty:
        place = {label: i for i, label in enumerate(labels.values())}
        runs = runs.assign(place=runs["method"].map(place)).sort_values(["corpus", "place"])
    tables = {
        "Code and machine": code.reset_index(names="what"),
        "Texts": texts,
        "Runs": runs.drop(columns="place", errors="ignore"),
    }
    said = f"{_hours([each['hours'] for each in pieces])} {NOTES}"
    return said, {name: cells for name, cells in tables.items() if not cells.empty}


def _hours(pieces: Sequence[tuple[float, float]]) -> str:
    """The processor time of all pieces, and of each if there are several."""
    whole = tuple(map(sum, zip(*pieces, strict=True)))
    said = f"Fits, sweeps and scores took {_range(whole)} of processor time"
    if len(pieces) == 1:
        return f"{said}."
    each = [f"{_range(hours)} in piece {i}" for i, hours in enumerate(pieces, 1)]
    return f"{said}: {', '.join(each)}. A job that ran in several pieces counts in each."


def _range(hours: Sequence[float]) -> str:
    least, most = hours
    if least == most and most < 1:
        return f"{60 * most:.1f} minutes"
    return f"{most:.1f} hours" if least == most else f"{least:.1f} to {most:.1f} hours"


def code_and_machine(folder: Path) -> dict[str, str]:
    """The commit of a checkout, the packages and the machine that this runs on."""
    facts = {"commit": commit(folder)}
    facts |= {"processor": processor(), "cores": str(os.cpu_count())}
    facts |= {"memory": memory(), "system": system()}
    facts |= {"Python": platform.python_version()}
    return facts | {name: installed(name) for name in PACKAGES}


def commit(folder: Path) -> str:
    """The commit that is checked out, and whether code differs from it; "unknown" outside git."""
    try:
        found = [
            subprocess.run(
                ["git", *asked], cwd=folder, capture_output=True, text=True, check=True
            ).stdout.strip()
            for asked in (["rev-parse", "HEAD"], CHANGES)
        ]
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return found[0] + (", with changes" if found[1] else "")


def processor() -> str:
    """The name of the processor, as far as the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        lines = []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or platform.machine()


def system() -> str:
    """The system and the first two numbers of its version."""
    return f"{platform.system()} {'.'.join(platform.release().split('.')[:2])}"


def memory() -> str:
    """The memory of the machine, where the system tells."""
    try:
        return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB"
    except (AttributeError, OSError, ValueError):
        return "unknown"


def installed(package: str) -> str:
    """The version of a package."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def corpora_cells(corpora: Iterable[Path]) -> pd.DataFrame:
    """A row of strings for each encoded corpus: what it was read from, and what it holds."""
    rows = []
    for folder in corpora:
        record = read_json(folder / "corpus.json")
        counts, archives = record["counts"], [record[role] for role in ROLES if role in record]
        rows.append(
            {
                "corpus": folder.name,
                "archive": ", ".join(archive["file"] for archive in archives),
                "sha256 of the archive": ", ".join(archive["sha256"][:16] for archive in archives),
                "sha256 of the documents": record["documents_sha256"][:16],
                "documents": f"{counts['documents']:,}",
                "words": f"{counts['vocabulary']:,}",
                "tokens": humanise(counts["tokens"]),
            }
        )
    return pd.DataFrame(rows)


def runs_cells(jobs: Iterable[_Job], labels: Mapping[str, str]) -> pd.DataFrame:
    """A row of strings for each corpus and method: jobs, their seconds, processor time and memory.

    Only jobs that train have rows, of methods that `labels` names. The subsets of all seeds are one
    corpus. Numbers are medians over seeds, and the most memory of any.
    """
    shown = [job for job in jobs if job.kind in (FITS, SWEEPS) and job.method in labels]
    if not shown:
        return pd.DataFrame()
    groups = pd.DataFrame(shown).groupby(["corpus", "method"], sort=False)
    summary = groups.agg(
        jobs=("seconds", "size"),
        seconds=("seconds", "median"),
        processor=("processor_seconds", "median"),
        memory=("memory_mb", "max"),
    ).reset_index()
    return pd.DataFrame(
        {
            "method": summary["method"].map(labels),
            "corpus": summary["corpus"],
            "seeds": summary["jobs"].astype(str),
            "seconds": summary["seconds"].map(_rounded),
            "of processor": summary["processor"].map(_rounded),
            "MB": summary["memory"].map("{:,.0f}".format),
        }
    )


def _base(corpus: str) -> str:
    """The corpus of the registry that a run of `runs_cells` is on."""
    return Subset.parse(corpus.partition(",")[0]).base


def _rounded(seconds: float) -> str:
    return f"{seconds:.1f}" if seconds < 10 else f"{seconds:,.0f}"


def _rows(cells: pd.DataFrame) -> list[dict[str, str]]:
    return [
        {str(name): str(cell) for name, cell in row.items()} for row in cells.to_dict("records")
    ]
