"""How runs that are here become published runs: with how they were made, beside earlier runs."""

import sys
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pte.files import read_json, sha256_of
from pte.machine import code_and_machine
from pte_study import paths
from pte_study.plan.runs import Runs
from pte_study.plan.study import Study
from pte_study.plan.targets import to_store
from pte_study.store.joining import joined, replaced
from pte_study.store.reading import files_of_job, packed, read_stores
from pte_study.store.stored_runs import StoredRun, read_store, write_store


def add_runs(runs: Runs, folder: Path = Path(paths.PUBLISHED_RUNS)) -> list[Path]:
    """Add the runs that are here to the published runs; return the files that were written.

    Only runs whose encoded corpus is here, too, are added. Those that `joined` leaves out,
    and the published runs that it replaces, are printed.
    """
    written, machine = [], code_and_machine(Path.cwd())
    earlier = packed(folder)
    for corpus, wanted in to_store(runs).items():
        names = [name for name in wanted if Path(files_of_job(name)[-1]).exists()]
        encoded = Path(paths.corpus(corpus))
        if not (names and encoded.exists()):
            continue
        (store,) = read_stores([encoded], names)
        made = tuple(replace(run, made=_made(runs.study, run, machine)) for run in store.runs)
        store = replace(store, runs=made)
        if corpus in earlier:
            published = read_store(earlier[corpus])
            store = joined(store, published)
            _tell_left_out({run.name for run in made} - {run.name for run in store.runs}, corpus)
            _tell_replaced(replaced(store, published), corpus)
        written.append(folder / f"{corpus}.npz")
        write_store(store, written[-1])
    return written


def _tell_left_out(names: Collection[str], corpus: str) -> None:
    if names:
        _tell(
            f"{corpus}: {len(names)} runs are left out, such as {min(names)}: other code made as "
            "many published seeds or more; delete the published file of this corpus to begin anew"
        )


def _tell_replaced(names: Collection[str], corpus: str) -> None:
    if names:
        _tell(f"{corpus}: {len(names)} published runs are replaced, such as {min(names)}")


def _tell(line: str) -> None:
    """Print a line, and also show it to a user whose job prints into a log."""
    for stream in {sys.stdout, sys.__stdout__}:
        print(line, file=stream, flush=True)


def _made(study: Study, run: StoredRun, machine: Mapping[str, str]) -> dict[str, Any]:
    """Return the facts of how a run was made here, as `StoredRun` has them."""
    made: dict[str, Any] = {"machine": dict(machine)}
    cost, kept = Path(paths.cost(run.name)), run.kept
    if cost.exists():
        made["cost"] = read_json(cost)
    if paths.wildcards_of(paths.TIMED, run.name):
        return made | {"code": [study.fits.code("represent", kept["method"])]}
    if any(paths.wildcards_of(each, run.name) for each in paths.NEIGHBOURS_VOTE):
        fit = study.fits.code("represent", kept["method"])
        return made | {"code": [study.code("neighbours_vote"), fit]}
    return made | ({"code": study.sensitivity_code} if "runs" in kept else _fit(study, kept))


def _fit(study: Study, kept: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts of the fit of a score: the hashes of code and vectors, and the cost."""
    corpus, method = kept["corpus"], kept["method"]
    code = [study.fits.scoring_code("score", method)]
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
