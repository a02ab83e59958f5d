"""Where numbers come from, for readers: code and machine, texts, runs, and processor time.

A piece has what one checkout ran. It holds strings, so it always shows what was shown when it was
published.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, NotRequired, TypedDict

import pandas as pd

from pte.corpora.subsets import Subset
from pte_study.render.cells import NONE, humanise
from pte_study.render.cells import seconds as rounded
from pte_study.store.provenance import FITS, SCORES, SENSITIVITY, Gathered, Job

KINDS = {
    "corpora": "encode documents",
    "networks": "build networks",
    "neighbours": "find nearest documents",
    "choices": "choose hyperparameters",
    "classifiers": "choose classifiers",
    FITS: "fit methods",
    SCORES: "score them",
    SENSITIVITY: "sensitivity of PTE(joint)",
    "maps": "place documents on maps",
}
"""What the jobs of each kind do, in the order of the table."""
TRAINS = (FITS, SENSITIVITY)
"""The kinds of jobs that train, and that alone have rows in the table of runs."""
NOTES = (
    "Code and machine are those that wrote this, or published the piece. Seconds are those of "
    "whole jobs, with loading and saving, while other jobs ran beside them: by the clock and of "
    "the processor, the median over seeds. MB is the most memory that a job held. No row has what "
    "methods share: the neighbours of label propagation, the vectors that others start from, the "
    "search for hyperparameters. In pieces whose hours are a range, processor seconds are a lower "
    "bound, because they were sampled every half minute. Archives of a mirror may be packed anew, "
    "with other hashes than the official ones; the hashes of the documents do not depend on that."
)


class Telling(NamedTuple):
    """What a page says beside the numbers: which jobs its hours count, and notes on the tables."""

    counted: str
    notes: str


OF_STUDY = Telling("Fits, scores and the sensitivity experiment", NOTES)


class Piece(TypedDict):
    """What was run in one checkout, as strings.

    `hours` are the least and the most hours of processor time. `code` is the commit, the packages
    and the machine. `texts`, `runs` and `work` are rows of tables. Old pieces have no `work`.
    """

    hours: tuple[float, float]
    code: dict[str, str]
    texts: list[dict[str, str]]
    runs: list[dict[str, str]]
    work: NotRequired[list[dict[str, str]]]


def piece(here: Gathered, labels: Mapping[str, str]) -> Piece:
    """Return what was run here as a piece.

    `labels` are the names of methods. `hours` are the hours of fits, scores and the sensitivity
    experiment.
    """
    counted = [job for job in here.jobs if job.kind in (*TRAINS, SCORES)]
    hours = sum(job.processor_seconds for job in counted) / 3600
    return Piece(
        hours=(hours, hours),
        code=dict(here.code),
        texts=_rows(text_cells(here.corpora)),
        runs=_rows(run_cells(here.jobs, labels)),
        work=_rows(work_cells(here.jobs)),
    )


def with_piece(earlier: Iterable[Piece], new: Piece) -> list[Piece]:
    """Return the `earlier` pieces and the `new` piece, with each run in one piece alone.

    A run stays in the piece that has most seeds of it, the latest piece if several have as many. A
    piece keeps the texts of its runs, and is dropped when it has no runs.
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
        left.append(each | Piece(hours=each["hours"], code=each["code"], texts=texts, runs=runs))
    return [each for each in left if each["runs"]] or [new]


def provenance(
    pieces: Sequence[Piece], labels: Mapping[str, str], telling: Telling = OF_STUDY
) -> tuple[str, dict[str, pd.DataFrame]]:
    """Return sentences on the whole, and tables of strings: code and machine, texts, work, runs.

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
        "Work": pd.DataFrame([row | mark for each, mark in both for row in each.get("work", [])]),
        "Runs": runs.drop(columns="place", errors="ignore"),
    }
    said = f"{_hours([each['hours'] for each in pieces], telling.counted)} {telling.notes}"
    return said, {name: cells for name, cells in tables.items() if not cells.empty}


def text_cells(corpora: Mapping[str, Mapping[str, Any]]) -> pd.DataFrame:
    """Return a row of strings for each encoded corpus: what it was read from, and what it holds."""
    rows = []
    for name, record in corpora.items():
        counts, archives = record["counts"], _archives(record)
        rows.append(
            {
                "corpus": name,
                "archive": ", ".join(archive["file"] for archive in archives),
                "sha256 of the archive": ", ".join(archive["sha256"][:16] for archive in archives),
                "sha256 of the documents": record["documents_sha256"][:16],
                "documents": f"{counts['documents']:,}",
                "words": f"{counts['vocabulary']:,}",
                "tokens": humanise(counts["tokens"]),
            }
        )
    return pd.DataFrame(rows)


def _archives(record: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return what corpus.json says of archives, one entry for each role; see `origin_of`."""
    values = (value for value in record.values() if isinstance(value, Mapping))
    return [value for value in values if value.keys() >= {"file", "sha256"}]


def work_cells(jobs: Iterable[Job]) -> pd.DataFrame:
    """Return a row of strings for each kind of job: how many there were, and what they took.

    Hours are of processor time, summed over all jobs. Memory is the most that one job held.
    """
    frame = pd.DataFrame(list(jobs), columns=list(Job.__dataclass_fields__))
    groups = dict(list(frame.groupby("kind", sort=False)))
    return pd.DataFrame(
        [
            {
                "jobs that": does,
                "number": f"{len(rows):,}",
                "hours of the processor": f"{rows['processor_seconds'].sum() / 3600:.2f}",
                "MB": f"{rows['memory_mb'].max():,.0f}",
            }
            for kind, does in KINDS.items()
            if (rows := groups.get(kind)) is not None
        ]
    )


def run_cells(jobs: Iterable[Job], labels: Mapping[str, str]) -> pd.DataFrame:
    """Return a row of strings for each corpus and method: seeds, seconds, processor and memory.

    Only jobs that train a method of `labels` have rows. The subsets of all seeds are one corpus.
    Seconds are medians over seeds. Memory is the most that one job held.
    """
    shown = [job for job in jobs if job.kind in TRAINS and job.method in labels]
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
            "seconds": summary["seconds"].map(rounded),
            "of processor": summary["processor"].map(rounded),
            "MB": summary["memory"].map("{:,.0f}".format),
        }
    )


def _hours(pieces: Sequence[tuple[float, float]], counted: str) -> str:
    """Say how much processor time all pieces took, and each piece if there are several."""
    whole = tuple(map(sum, zip(*pieces, strict=True)))
    said = f"{counted} took {_range(whole)} of processor time"
    if len(pieces) == 1:
        return f"{said}."
    each = [f"{_range(hours)} in piece {i}" for i, hours in enumerate(pieces, 1)]
    return f"{said}: {', '.join(each)}. A job that ran in several pieces counts in each."


def _range(hours: Sequence[float]) -> str:
    least, most = hours
    if least == most and most < 1:
        return f"{60 * most:.1f} minutes"
    return f"{most:.1f} hours" if least == most else f"{least:.1f} to {most:.1f} hours"


def _base(corpus: str) -> str:
    """Return the corpus of the registry that a run of `run_cells` is on."""
    return Subset.parse(corpus.partition(",")[0]).base


def _rows(cells: pd.DataFrame) -> list[dict[str, str]]:
    return [
        {str(name): str(cell) for name, cell in row.items()} for row in cells.to_dict("records")
    ]
