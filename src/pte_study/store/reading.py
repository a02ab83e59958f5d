"""Reads runs by name from a place: a folder of job results, or a packed file."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from pte.corpora.encoded import TEST, EncodedCorpus, Targets, hits
from pte.corpora.subsets import Subset
from pte.errors import PteError
from pte.files import REMEDY, load_array, read_json
from pte_study import paths
from pte_study.store.stored_runs import Store, StoredRun, read_store

PACKED = ".npz"


def packed(folder: Path = Path(paths.PUBLISHED_RUNS)) -> dict[str, Path]:
    return {path.stem: path for path in sorted(folder.glob(f"*{PACKED}"))}


def held(folder: Path = Path(paths.PUBLISHED_RUNS)) -> dict[str, str]:
    """Return the packed file that holds each published run, by the run's name."""
    found = packed(folder)
    if not found:
        raise PteError(
            f"from=published: {folder} has no runs; copy this folder from the checkout, publish "
            "some, or leave `from` out"
        )
    return {run.name: str(path) for path in found.values() for run in read_store(path).runs}


def corpus_of(name: str) -> str:
    patterns = (paths.SCORES, paths.SENSITIVITY_RUN, *paths.BESIDE.values())
    (run,) = filter(None, (paths.wildcards_of(pattern, name) for pattern in patterns))
    return Subset.parse(run["corpus"]).base


def files_of_job(name: str) -> list[str]:
    if paths.wildcards_of(paths.TIMED, name):
        return [f"{name}.json"]
    if any(paths.wildcards_of(each, name) for each in paths.NEIGHBOURS_VOTE):
        return [f"{name}.npy"]
    return [f"{name}.json", f"{name}.npy"]


def read_stores(places: Iterable[Path], names: Sequence[str]) -> list[Store]:
    found = [_read(place, names) for place in places]
    known = {run.name for store in found for run in store.runs}
    lacking = [name for name in names if name not in known]
    if lacking:
        raise PteError(f"{lacking[0]}: no published file holds this run; publish it first")
    return found


def _read(place: Path, names: Sequence[str]) -> Store:
    if place.suffix == PACKED:
        store, wanted = read_store(place), set(names)
        return replace(store, runs=tuple(run for run in store.runs if run.name in wanted))
    corpus = EncodedCorpus.load(place)
    truth = corpus.targets(corpus.documents(TEST))
    on_it = [name for name in names if corpus_of(name) == place.name]
    return Store(corpus_record(place), tuple(run_of_job(name, truth) for name in on_it), truth)


def run_of_job(name: str, truth: Targets) -> StoredRun:
    """Read the files that a job left of a run; `truth` has the classes of the test documents."""
    files = [Path(file) for file in files_of_job(name)]
    kept: dict[str, Any] = {}
    for pattern in paths.BESIDE.values():
        kept |= paths.wildcards_of(pattern, name) or {}
    if files[0].suffix == ".json":
        kept |= _object(files[0])
    none = np.empty((0, len(truth)), np.bool_)
    if files[-1].suffix == ".json" or "unavailable" in kept:
        return StoredRun(name, kept, {}, none)
    predicted = load_array(files[-1])
    if paths.wildcards_of(paths.IN_TRAINING, name):
        return StoredRun(name, kept, {}, predicted[np.newaxis])
    tests = predicted if "runs" in kept else predicted[np.newaxis]
    right = np.stack([hits(truth, test) for test in tests])
    return StoredRun(name, kept, {}, right, tests[~right])


def _object(path: Path) -> dict[str, Any]:
    found = read_json(path)
    if not isinstance(found, dict):
        raise PteError(f"{path}: it holds no object; {REMEDY}")
    return found


def read_records(files: Iterable[Path], names: Sequence[str]) -> list[Mapping[str, Any]]:
    """Read what is kept of runs beside their predictions, in the order of `names`."""
    if not names:
        raise PteError("none of these runs is published; make them, without from=published")
    stores = [file for file in files if file.suffix == PACKED]
    if not stores:
        return [_object(Path(f"{name}.json")) for name in names]
    found = {run.name: run.kept for store in read_stores(stores, names) for run in store.runs}
    return [found[name] for name in names]


def corpus_record(place: Path) -> Mapping[str, Any]:
    if place.suffix == PACKED:
        return read_store(place).corpus
    record: Mapping[str, Any] = read_json(place / "corpus.json")
    return record
