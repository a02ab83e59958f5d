"""Where numbers come from: code and machine, texts, jobs, and the hours of the processor."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from pte.corpora.subsets import Subset
from pte.files import read_json
from pte.machine import code_and_machine
from pte_study import paths
from pte_study.configuration.config import MAIN_METHOD, PAPER
from pte_study.plan.study import Study
from pte_study.plan.targets import to_store
from pte_study.render.tables import humanise, read_csv
from pte_study.render.tables import seconds as rounded
from pte_study.store.stored_runs import PACKED, Store, corpus_record, read_store

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
TRAINS = (FITS, SENSITIVITY)  # kinds that train, which have rows in the table of runs
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


def _jobs(costs: Mapping[str, Mapping[str, Any]]) -> pd.DataFrame:
    """Return what jobs took; `method` is "" unless the job fitted or scored a method."""
    rows = []
    for made, cost in costs.items():
        kind, *places = made.removeprefix("results/").split("/")
        if kind == "claims":
            kind, places = f"claims/{places[0]}", places[1:]
        if kind == SENSITIVITY:
            _, corpus, parameter, value, _ = places
            corpus, method = f"{corpus}, {parameter} {value}".removesuffix(" all"), MAIN_METHOD
        else:
            corpus = replace(Subset.parse(places[0]), seed=None).name
            corpus += f", {places[2]} T" if kind == FITS and places[2] != PAPER else ""
            method = places[1] if kind in (FITS, SCORES) else ""
        rows.append((kind, corpus, method, *(cost[name] for name in TOOK)))
    return pd.DataFrame(rows, columns=["kind", "corpus", "method", *TOOK])


def _costs_of(store: Store) -> dict[str, Mapping[str, Any]]:
    took: dict[str, Mapping[str, Any]] = {}
    for run in store.runs:
        of_fit = {run.made["fit"]: run.made["fit_cost"]} if "fit_cost" in run.made else {}
        took |= of_fit | ({run.name: run.made["cost"]} if "cost" in run.made else {})
    return took


def provenance(
    checkout: Path, places: Iterable[Path], costs: Iterable[Path], labels: Mapping[str, str]
) -> tuple[str, dict[str, pd.DataFrame]]:
    """Return sentences, and tables of code and machine, texts, work, and runs; see `Told`."""
    places = list(places)
    corpora = {place.name.removesuffix(PACKED): corpus_record(place) for place in places}
    stores = [read_store(place) for place in places if place.suffix == PACKED]
    jobs = pd.concat([_jobs(_costs_of(store)) for store in stores] or [_jobs({})])
    if jobs.empty:
        made = {
            file.with_suffix("").as_posix().rpartition(f"{paths.COST}/")[2]: file for file in costs
        }
        jobs = _jobs({name: read_json(file) for name, file in made.items()})
    code = _facts(stores) if stores else code_and_machine(checkout)
    tables = {
        "Code and machine": pd.DataFrame({"what": list(code), "which": list(code.values())}),
        "Texts": pd.DataFrame([_text_cells(*corpus) for corpus in corpora.items()]),
        "Work": _work_cells(jobs),
        "Runs": _run_cells(jobs, labels),
    }
    hours = jobs.loc[jobs["kind"].isin([*TRAINS, SCORES]), "processor_seconds"].sum() / 3600
    took = f"{60 * hours:.1f} minutes" if hours < 1 else f"{hours:.1f} hours"
    what = "Fits, scores and the sensitivity experiment"
    said = f"{what} took {took} of processor time. {NOTES}"
    return said, {name: cells for name, cells in tables.items() if not cells.empty}


def _facts(stores: Iterable[Store]) -> dict[str, str]:
    found: dict[str, dict[str, None]] = {}
    for store in stores:
        for run in store.runs:
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


def _run_cells(jobs: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    shown = jobs[jobs["kind"].isin(TRAINS) & jobs["method"].isin(labels)]
    place = {method: i for i, method in enumerate(labels)}
    groups = shown.assign(place=shown["method"].map(place)).groupby(["corpus", "place", "method"])
    number, medians = groups.size(), groups[TOOK].median().reset_index()
    return pd.DataFrame(
        {
            "method": medians["method"].map(labels),
            "corpus": medians["corpus"],
            "seeds": number.astype(str).to_numpy(),
            "seconds": medians["seconds"].map(rounded),
            "of processor": medians["processor_seconds"].map(rounded),
            "MB": groups["memory_mb"].max().map("{:,.0f}".format).to_numpy(),
        }
    )


def searches(study: Study, published: Path) -> pd.DataFrame:
    """Return the jobs that chose hyperparameters or classifiers, here and in a `published` file."""
    names = (name for each in to_store(study).values() for name in each)
    scores = filter(None, (paths.wildcards_of(paths.SCORES, name) for name in names))
    asked = {(run["corpus"], run["method"], run["protocol"]) for run in scores}
    wanted = {
        name.removeprefix("results/").removesuffix(".json"): name
        for each in asked
        for name in study.searched_for(*each)
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
    """Return the hours of the processor for each file of runs and for all; each fit counts once."""
    rows = {}
    for path in stores:
        store = read_store(path)
        costs = _costs_of(store)
        fits = sum(name.startswith(f"results/{FITS}/") for name in costs)
        took = sum(cost["processor_seconds"] for cost in costs.values()) / 3600
        rows[path.stem] = (len(store.runs), fits, took)
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
