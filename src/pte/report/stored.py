"""From results of jobs to published runs, and from these to frames, outcomes and records."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from pte.claims.claim import Claim, checkpoint
from pte.claims.pairing import Outcomes, Side, read_truth
from pte.claims.verdicts import judge, without_checkpoints
from pte.corpora.subsets import Subset
from pte.corpora.targets import hits as hits_of
from pte.files import read_json, sha256_of
from pte.report.summaries import frame_of
from pte.report.verdicts import Pairs
from pte.study import paths
from pte.study.entries import MAIN_METHOD
from pte.study.machine import code_and_machine
from pte.study.runs import Runs
from pte.study.stored_runs import Store, StoredRun, read_store, stores, write_store


def store_here(runs: Runs, folder: Path = Path(paths.PUBLISHED_RUNS)) -> list[Path]:
    """Add the runs that are here to the published ones; return the files that were written.

    Only runs whose encoded corpus is here, too, are added.
    """
    trained = [stem for name in runs.parameters for stem in runs.of_sensitivity(name)]
    files = runs.all_scores() + [file for table in runs.tables for file in runs.of_table(table)]
    wanted = [file.removesuffix(".json") for file in files] + trained
    found: dict[str, list[str]] = {}
    for name in dict.fromkeys(wanted):
        if Path(f"{name}.json").exists():
            found.setdefault(Subset.parse(name.split("/")[_corpus_at(name)]).base, []).append(name)
    written, machine = [], code_and_machine(Path.cwd())
    known = stores(folder)
    for corpus, names in found.items():
        encoded = Path(paths.corpus(corpus))
        if not encoded.exists():
            continue
        (truth,) = read_truth([encoded]).values()
        new = tuple(_stored(runs, name, truth, machine) for name in names)
        store = Store(read_json(encoded / "corpus.json"), new)
        if corpus in known:
            store = store.beside(read_store(known[corpus]))
        path = folder / f"{corpus}.npz"
        write_store(store, path)
        written.append(path)
    return written


def _corpus_at(name: str) -> int:
    """Where the corpus stands among the folders of a name."""
    return 2 if name.startswith("results/scores/") else 3


def _stored(runs: Runs, name: str, truth: Any, machine: Mapping[str, str]) -> StoredRun:
    kept = read_json(Path(f"{name}.json"))
    predicted = np.load(f"{name}.npy")
    cost = Path(paths.cost(f"{name}.json"))
    made: dict[str, Any] = {"machine": dict(machine)}
    if cost.exists():
        made["cost"] = read_json(cost)
    if "runs" in kept:
        made["code"] = runs.study.sensitivity_code
        return StoredRun(name, kept, made, np.stack([hits_of(truth, row) for row in predicted]))
    made |= _fit(runs, kept)
    if "unavailable" in kept:
        return StoredRun(name, kept, made, np.empty((0, len(truth)), np.bool_))
    return StoredRun(name, kept, made, hits_of(truth, predicted)[np.newaxis])


def _fit(runs: Runs, kept: Mapping[str, Any]) -> dict[str, Any]:
    """What the fit of a score was made with: the hash of the code, of the vectors, and the cost."""
    study, corpus, method = runs.study, kept["corpus"], kept["method"]
    code = [study.score_code(method)]
    if not study.method(method).is_represented or "unavailable" in kept:
        return {"code": code}
    code.append(study.fit_code("represent", method))
    stem = paths.representation(study.trained_on(corpus, method), method, kept["seed"])
    vectors, cost = Path(f"{stem}.npy"), Path(paths.cost(stem))
    fit: dict[str, Any] = {"code": code, "fit": stem}
    if vectors.exists():
        fit["vectors"] = sha256_of(vectors)
    if cost.exists():
        fit["fit_cost"] = read_json(cost)
    return fit


def scores_of(runs: Iterable[StoredRun]) -> pd.DataFrame:
    """Return the tidy frame of some runs, as `pte.report.summaries.collect` does of files."""
    return frame_of([dict(run.kept) for run in runs])


def trainings_of(runs: Iterable[StoredRun]) -> list[dict[str, Any]]:
    """Return the records of checkpoints, as `pte.report.sensitivity.trainings` does of files."""
    return [record for run in runs for record in run.kept["runs"]]


def judge_stored(
    claims: Mapping[str, Claim],
    runs: Sequence[StoredRun],
    settings: Sequence[str],
    unavailable: Mapping[str, str],
    unseeded: Collection[str],
) -> Pairs:
    """Judge the claims on published runs, as `pte.claims.verdicts.judge_settings` does on files."""
    checkpoints = _outcomes(_checkpoints(runs))
    reasons: dict[str | Side, str] = dict(unavailable.items())
    reasons.update({_side(run): run.kept["unavailable"] for run in runs if not len(run.hits)})
    return {
        setting: judge(
            claims if setting == "paper" else without_checkpoints(claims),
            _scored(runs, setting, unseeded) | checkpoints,
            reasons,
        )
        for setting in settings
    }


_Found = dict[Side, list[tuple[int, Any, float]]]
"""The seed, the hits and the seconds of each run."""


def _side(run: StoredRun) -> Side:
    subset = Subset.parse(run.kept["corpus"])
    return replace(subset, seed=None).name, run.kept["method"]


def _scored(
    runs: Iterable[StoredRun], setting: str, unseeded: Collection[str]
) -> dict[Side, Outcomes]:
    found: _Found = {}
    for run in runs:
        if len(run.hits) and run.kept.get("setting") == setting:
            took = run.kept["train_seconds"]
            row = (run.kept["seed"], run.hits[0], np.nan if took is None else took)
            found.setdefault(_side(run), []).append(row)
    return {
        (view, method): replace(each, seeds=None) if alone else each
        for (view, method), each in _outcomes(found).items()
        for alone in [method in unseeded and view == Subset.parse(view).base]
    }


def _checkpoints(runs: Iterable[StoredRun]) -> _Found:
    found: _Found = {}
    for run in runs:
        for record, hits in zip(run.kept.get("runs", []), run.hits, strict=False):
            key = (checkpoint(record["corpus"], record["part"]), MAIN_METHOD)
            found.setdefault(key, []).append((record["seed"], hits, np.nan))
    return found


def _outcomes(found: _Found) -> dict[Side, Outcomes]:
    outcomes = {}
    for side, each in found.items():
        seeds, hits, seconds = zip(*sorted(each, key=lambda run: run[0]), strict=True)
        outcomes[side] = Outcomes(seeds, np.stack(hits), np.array(seconds, np.float64))
    return outcomes
