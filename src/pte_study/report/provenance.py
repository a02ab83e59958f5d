"""Where numbers come from: code and machine, texts, jobs, and processor time."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd

from pte.corpora.subsets import Subset
from pte.files import read_json
from pte.machine import code_and_machine
from pte_study import paths
from pte_study.configuration.entries import MAIN_METHOD, PAPER
from pte_study.render.cells import humanise
from pte_study.render.cells import seconds as rounded
from pte_study.store.reading import PACKED, corpus_record
from pte_study.store.stored_runs import Store, read_store

FITS, SCORES, SENSITIVITY = "representations", "scores", "sensitivity"
"""Kinds of jobs: they fit a method, score it, or train and score PTE(joint)."""
KINDS = {
    "corpora": "encode documents",
    "encoded": "encode documents with an encoder",
    "networks": "build networks",
    "neighbours": "find nearest documents",
    "choices": "choose hyperparameters",
    "classifiers": "choose classifiers",
    FITS: "fit methods",
    SCORES: "score them",
    SENSITIVITY: "sensitivity of PTE(joint)",
    "claims/timed": "train with all threads, to measure seconds",
    "claims/neighbours": "classify test documents by their nearest",
    "claims/training_neighbours": "classify training documents by their nearest",
    "maps": "place documents on maps",
}
"""What the jobs of each kind do, in the order of the table."""
TRAINS = (FITS, SENSITIVITY)
"""The kinds of jobs that train, and that alone have rows in the table of runs."""
NOTES = (
    "Seconds are those of whole jobs, with loading and saving, while other jobs ran beside them: "
    "by the clock and of the processor, the median over seeds. MB is the most memory that a job "
    "held. No row has what methods share: the neighbours of label propagation, the vectors that "
    "others start from, the search for hyperparameters. Where runs were made by several versions "
    "of the code or on several machines, a row has all of them. Archives of a mirror may be packed "
    "anew, with other hashes than the official ones; the hashes of the documents do not depend on "
    "that."
)


@dataclass(frozen=True)
class Job:
    """What a job took: seconds by the clock and of the processor, and the most memory.

    `corpus` may name a value of the sensitivity experiment, or say that T was chosen. `method` is
    "" unless the job fitted or scored a method.
    """

    kind: str
    corpus: str
    method: str
    seconds: float
    processor_seconds: float
    memory_mb: float

    @classmethod
    def of(cls, made: str, cost: Mapping[str, Any]) -> "Job":
        """Take the name of what the job made, without the folder of results, and its cost."""
        cost = {name: cost[name] for name in ("seconds", "processor_seconds", "memory_mb")}
        kind, *places = made.split("/")
        if kind == "claims":
            kind, places = f"claims/{places[0]}", places[1:]
        if kind == SENSITIVITY:
            _, corpus, parameter, value, _ = places
            corpus = f"{corpus}, {parameter} {value}".removesuffix(" all")
            return cls(kind, corpus, MAIN_METHOD, **cost)
        corpus = replace(Subset.parse(places[0]), seed=None).name
        method = places[1] if kind in (FITS, SCORES) else ""
        if kind == FITS and places[2] != PAPER:
            corpus = f"{corpus}, {places[2]} T"
        return cls(kind, corpus, method, **cost)


def jobs_of(store: Store) -> Iterator[Job]:
    """Yield the jobs of published runs, each fit once, where it is known what they took."""
    took: dict[str, Mapping[str, Any]] = {}
    for run in store.runs:
        of_fit = {run.made["fit"]: run.made["fit_cost"]} if "fit_cost" in run.made else {}
        took |= of_fit | ({run.name: run.made["cost"]} if "cost" in run.made else {})
    for name, cost in took.items():
        yield Job.of(name.removeprefix("results/"), cost)


def _facts(stores: Iterable[Store]) -> dict[str, str]:
    """Return all values of each fact of code and machine, in the order in which they first come."""
    found: dict[str, dict[str, None]] = {}
    for store in stores:
        for run in store.runs:
            for name, value in run.made.get("machine", {}).items():
                found.setdefault(name, {})[value] = None
    facts = {name: ", ".join(values) for name, values in found.items()}
    return {
        name: re.sub(r"\b([0-9a-f]{10})[0-9a-f]{30}\b", r"\1", each) for name, each in facts.items()
    }


def provenance(
    checkout: Path, places: Iterable[Path], costs: Iterable[Path], labels: Mapping[str, str]
) -> tuple[str, dict[str, pd.DataFrame]]:
    """Return sentences on the whole, and tables of strings: code and machine, texts, work, runs.

    They are about what was run in a checkout, or about published runs if the places hold them.
    `places` are folders of encoded corpora, with the cost files of jobs in `costs`, or files of
    published runs. `labels` are the names of methods, in the order of the rows.
    """
    places = list(places)
    corpora = {place.name.removesuffix(PACKED): corpus_record(place) for place in places}
    stores = [read_store(place) for place in places if place.suffix == PACKED]
    jobs = [job for store in stores for job in jobs_of(store)] or [
        Job.of(file.with_suffix("").as_posix().rpartition(f"{paths.COST}/")[2], read_json(file))
        for file in costs
    ]
    code = _facts(stores) if stores else code_and_machine(checkout)
    tables = {
        "Code and machine": pd.DataFrame({"what": list(code), "which": list(code.values())}),
        "Texts": text_cells(corpora),
        "Work": work_cells(jobs),
        "Runs": run_cells(jobs, labels),
    }
    counted = (job for job in jobs if job.kind in (*TRAINS, SCORES))
    hours = sum(job.processor_seconds for job in counted) / 3600
    took = f"{60 * hours:.1f} minutes" if hours < 1 else f"{hours:.1f} hours"
    what = "Fits, scores and the sensitivity experiment"
    said = f"{what} took {took} of processor time. {NOTES}"
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


def work_cells(jobs: Sequence[Job]) -> pd.DataFrame:
    """Return a row of strings for each kind of job: how many there were, and what they took.

    Hours are of processor time, summed over all jobs. Memory is the most that one job held.
    """
    frame = pd.DataFrame(jobs, columns=list(Job.__dataclass_fields__))
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


def run_cells(jobs: Sequence[Job], labels: Mapping[str, str]) -> pd.DataFrame:
    """Return a row of strings for each corpus and method: seeds, seconds, processor and memory.

    Only jobs that train a method of `labels` have rows, in the order of `labels`. The subsets of
    all seeds are one corpus. Seconds are medians over seeds. Memory is the most that one job held.
    """
    shown = [job for job in jobs if job.kind in TRAINS and job.method in labels]
    if not shown:
        return pd.DataFrame()
    place = {method: i for i, method in enumerate(labels)}
    frame = pd.DataFrame(shown).assign(place=[place[job.method] for job in shown])
    groups = frame.groupby(["corpus", "place", "method"])
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
