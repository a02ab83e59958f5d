"""Where numbers come from: code, machine, texts, the hours of the processor, and Table 1."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from pte.corpora.entry import PaperRow
from pte.errors import PteError
from pte.files import read_json
from pte.machine import code_and_machine
from pte_study import paths
from pte_study.render.tables import NONE, Section, humanise, write_tables
from pte_study.report.summaries import Files, Given
from pte_study.store import PACKED, StoredRun, corpus_record, read_store

KINDS = {
    "corpora": "encode documents",
    "encoded": "encode documents with an encoder",
    "networks": "build networks",
    "neighbours": "find nearest documents",
    "choices": "choose hyperparameters",
    "classifiers": "choose classifiers",
    "representations": "fit methods",
    "scores": "score them",
    "sensitivity": "sensitivity of PTE(joint)",
    "claims/timed": "train with all threads, to measure seconds",
    "claims/neighbours": "classify test documents by their nearest",
    "claims/training_neighbours": "classify training documents by their nearest",
    "maps": "place documents on maps",
}
RUNS = ("representations", "scores", "sensitivity")  # kinds whose hours are told together
JOB = ["kind", "processor_seconds", "memory_mb"]
NOTES = (
    "Hours are those of whole jobs, with loading and saving. MB is the most memory that a job "
    "held. Where runs were made by several versions of the code or on several machines, a row has "
    "all of them. Archives of a mirror may be packed anew, with other hashes than the official "
    "ones; the hashes of the documents do not depend on that."
)


def _kind(made: str) -> str:
    """Return the part of a job's name that is one of `KINDS`."""
    kind, other, *_ = made.removeprefix("results/").split("/")
    return f"{kind}/{other}" if kind == "claims" else kind


def provenance(
    checkout: Path, places: Iterable[Path], costs: Iterable[Path]
) -> tuple[str, dict[str, pd.DataFrame]]:
    """Return sentences, and tables; `costs` count if no place holds published runs."""
    places = list(places)
    corpora = {place.name.removesuffix(PACKED): corpus_record(place) for place in places}
    packed = [place for place in places if place.suffix == PACKED]
    runs = [run for place in packed for run in read_store(place).runs]
    took = {run.made["fit"]: run.made["fit_cost"] for run in runs if "fit_cost" in run.made}
    took |= {run.name: run.made["cost"] for run in runs if "cost" in run.made}
    if not took:
        made = {file.as_posix().rpartition(f"{paths.COST}/")[2]: file for file in costs}
        took = {name: read_json(file) for name, file in made.items()}
    jobs = pd.DataFrame([{"kind": _kind(name), **cost} for name, cost in took.items()], columns=JOB)
    code = _facts(runs) if packed else code_and_machine(checkout)
    tables = {
        "Code and machine": pd.DataFrame({"what": list(code), "which": list(code.values())}),
        "Texts": pd.DataFrame([_text_cells(*corpus) for corpus in corpora.items()]),
        "Work": _work_cells(jobs),
    }
    hours = jobs.loc[jobs["kind"].isin(RUNS), "processor_seconds"].sum() / 3600
    told = f"{60 * hours:.1f} minutes" if hours < 1 else f"{hours:.1f} hours"
    what = "Fits, scores and the sensitivity experiment"
    said = f"{what} took {told} of processor time. {NOTES}"
    return said, {name: cells for name, cells in tables.items() if not cells.empty}


def _facts(runs: Iterable[StoredRun]) -> dict[str, str]:
    found: dict[str, dict[str, None]] = {}
    for run in runs:
        for name, value in run.made.get("machine", {}).items():
            found.setdefault(name, {})[value] = None
    commit = re.compile(r"\b([0-9a-f]{10})[0-9a-f]{30}\b")
    return {name: commit.sub(r"\1", ", ".join(values)) for name, values in found.items()}


def _text_cells(name: str, record: Mapping[str, Any]) -> dict[str, str]:
    values = (value for value in record.values() if isinstance(value, Mapping))
    archives = [value for value in values if value.keys() >= {"file", "sha256"}]
    counts = record["counts"]
    return {
        "corpus": name,
        "archive": ", ".join(archive["file"] for archive in archives),
        "sha256 of the archive": ", ".join(archive["sha256"][:16] for archive in archives),
        "sha256 of the documents": record["documents_sha256"][:16],
        "documents": f"{counts['documents']:,}",
        "words": f"{counts['vocabulary']:,}",
        "tokens": humanise(counts["tokens"]),
    }


def _work_cells(jobs: pd.DataFrame) -> pd.DataFrame:
    kinds = jobs.groupby("kind")
    took = kinds.agg(
        number=("kind", "size"), s=("processor_seconds", "sum"), mb=("memory_mb", "max")
    )
    took = took.reindex([kind for kind in KINDS if kind in took.index])
    return pd.DataFrame(
        {
            "jobs that": took.index.map(KINDS),
            "number": took["number"].map("{:,}".format),
            "hours of the processor": (took["s"] / 3600).map("{:.2f}".format),
            "MB": took["mb"].map("{:,.0f}".format),
        }
    )


# Table 1 of the paper beside our corpora


COUNTS = ["train", "labelled_train", "test", "vocabulary", "doc_length", "classes"]
SHOWN = ["corpus", "values", *COUNTS, "match", "agrees"]
HEADERS = {"labelled_train": "labelled", "doc_length": "doc. length", "match": "declared"}
COMPARED = [name for name in COUNTS if name != "labelled_train"]
OURS = "ours"


def make_table1(files: Files, given: Given, stem: Path) -> None:
    corpora = [
        (folder.stem, corpus_record(folder)["counts"], expected)
        for folder, expected in zip(files["corpora"], given["expected"], strict=True)
    ]
    write_table1(table1(corpora, pd.read_csv(files["paper"])), stem, given["caption"])


def show_table1(files: Files, given: Given) -> Section:
    frame = pd.read_csv(files["csv"]).astype(object)
    return Section("Corpora", _notes(frame), {"Corpora": _cells(frame)})


def table1(
    corpora: Sequence[tuple[str, Mapping[str, Any], PaperRow]], paper: pd.DataFrame
) -> pd.DataFrame:
    """Return up to three rows for each corpus: the paper's values, ours, and ours plus one."""
    printed = {row["corpus"]: row for row in paper.to_dict("records")}
    frame = pd.DataFrame([row for corpus in corpora for row in _rows_of(*corpus, printed)])
    types = {name: "float" if name == "doc_length" else "Int64" for name in COUNTS}
    return frame.astype(types | {"agrees": "boolean"})


def _rows_of(
    corpus: str, counts: Mapping[str, Any], expected: PaperRow, printed: Mapping[Any, Any]
) -> list[dict[str, Any]]:
    counts = {**counts, "doc_length": counts["mean_document_length"]}
    ours = {name: counts[name] for name in COUNTS}
    more = {"vocabulary": ours["vocabulary"] + 1, "doc_length": round(ours["doc_length"] + 1, 2)}
    lines, agrees = {OURS: ours, f"{OURS} + 1": ours | more}, None
    if expected.row is not None:
        if expected.row not in printed:
            raise PteError(
                f"{corpus}: paper_row {expected.row!r} is not in the paper's Table 1; "
                f"known rows are {', '.join(printed)}"
            )
        lines = {"paper": {name: printed[expected.row][name] for name in COUNTS}} | lines
        paper, as_paper = lines["paper"], ours | more
        differing = [name for name in COMPARED if paper[name] != as_paper[name]]
        agrees = not differing
        if expected.match == "exact" and differing:
            raise PteError(
                f"{corpus}: {differing[0]} differs from the paper's Table 1: "
                f"expected {paper[differing[0]]}, got {as_paper[differing[0]]}"
            )
    elif expected.match == "exact":
        raise PteError(f"{corpus}: declared exact, but it names no row of the paper's Table 1")
    facts = {"match": expected.match, "agrees": agrees, "why": expected.why}
    return [{"corpus": corpus, "values": values} | line | facts for values, line in lines.items()]


def write_table1(frame: pd.DataFrame, stem: Path, caption: str) -> None:
    notes = "\n".join(f"- {note}" for note in _notes(frame))
    write_tables(frame, {"": _cells(frame)}, stem, caption, [notes])


def _notes(frame: pd.DataFrame) -> list[str]:
    inexact = frame[(frame["match"] != "exact") & (frame["values"] == OURS)]
    reasons = inexact.groupby("why", sort=False)["corpus"]
    return [f"{', '.join(corpora)}: {why}" for why, corpora in reasons]


def _cells(frame: pd.DataFrame) -> pd.DataFrame:
    cells = pd.DataFrame({name: [_text(value) for value in frame[name]] for name in SHOWN})
    repeated = frame["corpus"].eq(frame["corpus"].shift()).to_numpy()
    cells.loc[repeated, ["corpus", "match", "agrees"]] = ""
    return cells.rename(columns=HEADERS)


def _text(value: Any) -> str:
    if pd.isna(value):
        return NONE
    if isinstance(value, str):
        return value
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    return f"{value:.2f}" if isinstance(value, float) else f"{value:,}"
