"""Where numbers come from: code and machine, texts, jobs, and the hours of the processor."""

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
from pte_study.plan.costs import searched_for
from pte_study.plan.runs import Runs
from pte_study.plan.targets import all_scores
from pte_study.render.tables import humanise, read_csv
from pte_study.render.tables import seconds as rounded
from pte_study.store.reading import PACKED, corpus_record
from pte_study.store.stored_runs import Store, read_store

FITS, SCORES, SENSITIVITY = "representations", "scores", "sensitivity"
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
TOOK = ["seconds", "processor_seconds", "memory_mb"]
SEARCHES = ["corpus", "made", *TOOK]
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
        took = [cost[name] for name in TOOK]
        kind, *places = made.split("/")
        if kind == "claims":
            kind, places = f"claims/{places[0]}", places[1:]
        if kind == SENSITIVITY:
            _, corpus, parameter, value, _ = places
            corpus = f"{corpus}, {parameter} {value}".removesuffix(" all")
            return cls(kind, corpus, MAIN_METHOD, *took)
        corpus = replace(Subset.parse(places[0]), seed=None).name
        method = places[1] if kind in (FITS, SCORES) else ""
        if kind == FITS and places[2] != PAPER:
            corpus = f"{corpus}, {places[2]} T"
        return cls(kind, corpus, method, *took)


def _jobs_of(store: Store) -> Iterator[Job]:
    """Yield the jobs of published runs, each fit once, where it is known what they took."""
    took: dict[str, Mapping[str, Any]] = {}
    for run in store.runs:
        of_fit = {run.made["fit"]: run.made["fit_cost"]} if "fit_cost" in run.made else {}
        took |= of_fit | ({run.name: run.made["cost"]} if "cost" in run.made else {})
    for name, cost in took.items():
        yield Job.of(name.removeprefix("results/"), cost)


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
    jobs = [job for store in stores for job in _jobs_of(store)] or [
        Job.of(file.with_suffix("").as_posix().rpartition(f"{paths.COST}/")[2], read_json(file))
        for file in costs
    ]
    code = _facts(stores) if stores else code_and_machine(checkout)
    tables = {
        "Code and machine": pd.DataFrame({"what": list(code), "which": list(code.values())}),
        "Texts": pd.DataFrame([_text_cells(*corpus) for corpus in corpora.items()]),
        "Work": _work_cells(jobs),
        "Runs": _run_cells(jobs, labels),
    }
    counted = (job for job in jobs if job.kind in (*TRAINS, SCORES))
    hours = sum(job.processor_seconds for job in counted) / 3600
    took = f"{60 * hours:.1f} minutes" if hours < 1 else f"{hours:.1f} hours"
    what = "Fits, scores and the sensitivity experiment"
    said = f"{what} took {took} of processor time. {NOTES}"
    return said, {name: cells for name, cells in tables.items() if not cells.empty}


def _facts(stores: Iterable[Store]) -> dict[str, str]:
    """Return all values of each fact of code and machine, in the order in which they first come."""
    found: dict[str, dict[str, None]] = {}
    for store in stores:
        for run in store.runs:
            for name, value in run.made.get("machine", {}).items():
                found.setdefault(name, {})[value] = None
    commit = re.compile(r"\b([0-9a-f]{10})[0-9a-f]{30}\b")
    return {name: commit.sub(r"\1", ", ".join(values)) for name, values in found.items()}


def _text_cells(name: str, record: Mapping[str, Any]) -> dict[str, str]:
    """Return what an encoded corpus was read from, and what it holds.

    Its record has an entry for each role of an archive.
    """
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


def _work_cells(jobs: Sequence[Job]) -> pd.DataFrame:
    """Return a row of strings for each kind of job: how many there were, and what they took."""
    rows = []
    for kind, does in KINDS.items():
        if own := [job for job in jobs if job.kind == kind]:
            hours = sum(job.processor_seconds for job in own) / 3600
            rows.append((does, f"{len(own):,}", f"{hours:.2f}", f"{_most(own):,.0f}"))
    return pd.DataFrame(rows, columns=["jobs that", "number", "hours of the processor", "MB"])


def _most(jobs: Iterable[Job]) -> float:
    return max(job.memory_mb for job in jobs)


def _run_cells(jobs: Sequence[Job], labels: Mapping[str, str]) -> pd.DataFrame:
    """Return a row of strings for each corpus and method that is trained, in the order of `labels`.

    The subsets of all seeds are one corpus. Seconds are medians over seeds.
    """
    shown = [job for job in jobs if job.kind in TRAINS and job.method in labels]
    if not shown:
        return pd.DataFrame()
    place = {method: i for i, method in enumerate(labels)}
    frame = pd.DataFrame(shown).assign(place=[place[job.method] for job in shown])
    summary = (
        frame.groupby(["corpus", "place", "method"])
        .agg(
            jobs=("seconds", "size"),
            seconds=("seconds", "median"),
            processor=("processor_seconds", "median"),
            memory=("memory_mb", "max"),
        )
        .reset_index()
    )
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


def searches(runs: Runs, published: Path) -> pd.DataFrame:
    """Return the jobs that chose hyperparameters and classifiers, here and in a `published` file.

    `corpus` is not a subset, and `made` is the name of the result. A search that is in both is
    taken from here. Published searches of a corpus for other scores than now are left out.
    """
    scores = [paths.wildcards_of(paths.SCORES, name) or {} for name in all_scores(runs)]
    asked = {(run["corpus"], run["method"], run["protocol"]) for run in scores}
    wanted = {
        name.removeprefix("results/").removesuffix(".json"): name
        for each in asked
        for name in searched_for(runs.study, *each)
    }
    corpora = {made: Subset.parse(made.split("/")[1]).base for made in wanted}
    rows = [
        [corpora[made], made, *(cost[column] for column in TOOK)]
        for made, name in wanted.items()
        if Path(paths.cost(name)).exists()
        for cost in [read_json(Path(paths.cost(name)))]
    ]
    if published.exists():
        kept, known = read_csv(published)[SEARCHES].to_numpy().tolist(), set(corpora.values())
        rows += [row for row in kept if row[0] not in known or row[1] in wanted]
    found = pd.DataFrame(rows, columns=SEARCHES).drop_duplicates("made")
    return found.sort_values(["corpus", "made"], ignore_index=True)


def hours(stores: Iterable[Path], searched: pd.DataFrame) -> pd.DataFrame:
    """Return the hours of the processor for each file of runs and for all, each fit counted once.

    `processor_hours` are those of all runs and fits, and `search_hours` those of the frame of
    `searches`. The encoding of texts is not counted. `two_core_hours` are the hours that all this
    takes on two cores that are always busy.
    """
    rows = {}
    for path in stores:
        store = read_store(path)
        jobs = list(_jobs_of(store))
        took = sum(job.processor_seconds for job in jobs) / 3600
        rows[path.stem] = (len(store.runs), sum(job.kind == FITS for job in jobs), took)
    columns = ["runs", "fits", "processor_hours"]
    frame = pd.DataFrame(list(rows.values()), list(rows), columns)
    of_corpus = searched.groupby("corpus")["processor_seconds"].agg(["count", "sum"])
    of_corpus = of_corpus.reindex(frame.index, fill_value=0)
    frame = frame.assign(searches=of_corpus["count"], search_hours=of_corpus["sum"] / 3600)
    both = frame["processor_hours"] + frame["search_hours"]
    frame = frame.assign(two_core_hours=both / 2)
    frame.loc["all"] = frame.sum()
    whole = dict.fromkeys(["runs", "fits", "searches"], int)
    return frame.astype(whole).reset_index(names="corpus")
