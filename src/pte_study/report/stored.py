"""How results of jobs become files of published runs."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pte.corpora.targets import Targets
from pte.corpora.targets import hits as hits_of
from pte.files import load_array, read_json, sha256_of
from pte.machine import code_and_machine
from pte_study import paths
from pte_study.claims.pairing import read_truth
from pte_study.plan.runs import Runs
from pte_study.plan.targets import to_store
from pte_study.report.joined_runs import joined
from pte_study.store.stored_runs import Store, StoredRun, read_store, stores, write_store


def store_here(runs: Runs, folder: Path = Path(paths.PUBLISHED_RUNS)) -> list[Path]:
    """Add the runs that are here to the published runs; return the files that were written.

    Only runs whose encoded corpus is here, too, are added.
    """
    written, machine = [], code_and_machine(Path.cwd())
    known = stores(folder)
    for corpus, wanted in to_store(runs).items():
        names = [name for name in wanted if Path(_result(name)).exists()]
        encoded = Path(paths.corpus(corpus))
        if not (names and encoded.exists()):
            continue
        (truth,) = read_truth([encoded]).values()
        new = tuple(_stored(runs, name, truth, machine) for name in names)
        one_class = truth.astype(np.int32) if truth.ndim == 1 else None
        store = Store(read_json(encoded / "corpus.json"), new, one_class)
        if corpus in known:
            store = joined(store, read_store(known[corpus]))
        path = folder / f"{corpus}.npz"
        write_store(store, path)
        written.append(path)
    return written


def _result(name: str) -> str:
    """Return the file whose presence shows that a run is here."""
    return f"{name}.npy" if paths.wildcards_of(paths.BY_NEIGHBOURS, name) else f"{name}.json"


def _stored(runs: Runs, name: str, truth: Targets, machine: Mapping[str, str]) -> StoredRun:
    made: dict[str, Any] = {"machine": dict(machine)}
    cost = Path(paths.cost(_result(name)))
    if cost.exists():
        made["cost"] = read_json(cost)
    if run := paths.wildcards_of(paths.TIMED, name):
        kept = {**run, **read_json(Path(f"{name}.json"))}
        made["code"] = [runs.study.fits.code("represent", run["method"])]
        return StoredRun(name, kept, made, _no_test(truth))
    predicted = load_array(Path(f"{name}.npy"))
    if run := paths.wildcards_of(paths.BY_NEIGHBOURS, name):
        fit = runs.study.fits.code("represent", run["method"])
        made["code"] = [runs.study.code("neighbours_vote"), fit]
        return StoredRun(name, run, made, *publishable(truth, run, predicted))
    kept = read_json(Path(f"{name}.json"))
    made |= {"code": runs.study.sensitivity_code} if "runs" in kept else _fit(runs, kept)
    return StoredRun(name, kept, made, *publishable(truth, kept, predicted))


def publishable(
    truth: Targets, kept: Mapping[str, Any], predicted: Targets
) -> tuple[NDArray[np.bool_], NDArray[np.int32] | None]:
    """Return the hits and the misses of a result, as `StoredRun` has them.

    `truth` and `predicted` are classes of test documents, and `kept` is the JSON of the result.
    """
    if "unavailable" in kept:
        return _no_test(truth), None
    tests = predicted if "runs" in kept else predicted[np.newaxis]
    hits = np.stack([hits_of(truth, test) for test in tests])
    return hits, tests[~hits].astype(np.int32) if truth.ndim == 1 else None


def _no_test(truth: Targets) -> NDArray[np.bool_]:
    """Return the hits of a run without a score."""
    return np.empty((0, len(truth)), np.bool_)


def _fit(runs: Runs, kept: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts of the fit of a score: the hashes of code and vectors, and the cost."""
    study, corpus, method = runs.study, kept["corpus"], kept["method"]
    code = [study.fits.score_code(method)]
    if not study.method(method).is_represented or "unavailable" in kept:
        return {"code": code}
    code.append(study.fits.code("represent", method))
    stem = study.fits.stem(corpus, method, kept["protocol"], kept["seed"])
    vectors, cost = Path(f"{stem}.npy"), Path(paths.cost(stem))
    fit: dict[str, Any] = {"code": code, "fit": stem}
    if vectors.exists():
        fit["vectors"] = sha256_of(vectors)
    if cost.exists():
        fit["fit_cost"] = read_json(cost)
    return fit
