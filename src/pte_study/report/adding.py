"""Runs that are here beside published runs: they are added to these, or compared with them."""

import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from pte.errors import PteError
from pte.files import read_json, sha256_of
from pte.machine import code_and_machine
from pte_study import paths
from pte_study import store as stored
from pte_study.plan.study import Study
from pte_study.render.tables import NONE as NO_SCORE
from pte_study.render.tables import write_tables

SAME, DIFFERENT, NONE = "same", "different", "none"
RUN = ["corpus", "method", "protocol", "seed"]  # what tells runs apart


def add_runs(study: Study, folder: Path = Path(paths.PUBLISHED_RUNS)) -> list[Path]:
    """Add the runs that are here to the published runs; return the files that were written."""
    written, machine = [], code_and_machine(Path.cwd())
    earlier = stored.packed(folder)
    for corpus, wanted in study.to_store.items():
        names = [name for name in wanted if Path(stored.files_of_job(name)[-1]).exists()]
        encoded = Path(paths.corpus(corpus))
        if not (names and encoded.exists()):
            continue
        (store,) = stored.read_stores([encoded], names)
        made = tuple(replace(run, made=_made(study, run, machine)) for run in store.runs)
        store = replace(store, runs=made)
        if corpus in earlier:
            published = stored.read_store(earlier[corpus])
            store = joined(store, published)
            _tell(corpus, replaced(store, published))
        written.append(folder / f"{corpus}.npz")
        stored.write_store(store, written[-1])
    return written


def joined(new: stored.Store, earlier: stored.Store) -> stored.Store:
    """Join `new` and `earlier` runs, if of the same code or with the same results in common seeds.
    Otherwise `new` runs take the place of all seeds of their method."""
    if _facts(new) != _facts(earlier) or not _equal(new.truth, earlier.truth):
        corpora = ", ".join(dict.fromkeys(stored.corpus_of(run.name) for run in new.runs))
        raise PteError(
            f"publish: {corpora}: the published runs have other documents, other classes or other "
            "test documents than these; delete the published file of this corpus to begin anew"
        )
    old, ours = _groups(earlier.runs), _groups(new.runs)
    kept = [
        run for group in {**old, **ours} for run in _joined(old.get(group, []), ours.get(group, []))
    ]
    return replace(new, runs=tuple(sorted(kept, key=lambda run: run.name)))


def replaced(store: stored.Store, earlier: stored.Store) -> set[str]:
    """Return the names of the `earlier` runs that `store` lacks, or has with other predictions."""
    now = {run.name: run for run in store.runs}
    return {
        run.name
        for run in earlier.runs
        if run.name not in now or not _same_tests(run, now[run.name])
    }


def _tell(corpus: str, anew: Collection[str]) -> None:
    if anew:
        said = f"{corpus}: {len(anew)} published runs are replaced, such as {min(anew)}"
        for stream in {sys.stdout, sys.__stdout__}:
            print(said, file=stream, flush=True)


def _groups(runs: Iterable[stored.StoredRun]) -> dict[tuple[str, ...], list[stored.StoredRun]]:
    groups: dict[tuple[str, ...], list[stored.StoredRun]] = {}
    for run in runs:
        groups.setdefault(run.group, []).append(run)
    return groups


def _joined(
    old: Sequence[stored.StoredRun], new: Sequence[stored.StoredRun]
) -> list[stored.StoredRun]:
    known = {run.name: run for run in old}
    both = [(run, known[run.name]) for run in new if run.name in known]
    agree = bool(both) and all(
        one.made.get("vectors") == other.made.get("vectors") and _same_tests(one, other)
        for one, other in both
    )
    codes = [{str(run.made.get("code")) for run in side} for side in (old, new) if side]
    if len(codes) == 2 and codes[0] != codes[1] and not agree:
        return list(new)
    known |= {run.name: _as_published(run, known.get(run.name)) for run in new}
    return list(known.values())


def _facts(store: stored.Store) -> list[Any]:
    split = store.corpus.get("entry", {}).get("split")
    return [store.corpus["documents_sha256"], store.corpus.get("classes"), split]


def _equal(one: Any, other: Any) -> bool:
    return one is other if one is None or other is None else np.array_equal(one, other)


def _same_tests(run: stored.StoredRun, other: stored.StoredRun) -> bool:
    unknown = run.misses is None or other.misses is None
    return np.array_equal(run.hits, other.hits) and (unknown or _equal(run.misses, other.misses))


def _as_published(run: stored.StoredRun, earlier: stored.StoredRun | None) -> stored.StoredRun:
    if earlier is None or not _same_tests(run, earlier):
        return run
    made = {**run.made, **{name: earlier.made.get(name) for name in ("code", "machine")}}
    again = run.kept == earlier.kept and made == earlier.made
    return replace(run, made=made) if again else run


def _made(study: Study, run: stored.StoredRun, machine: Mapping[str, str]) -> dict[str, Any]:
    made: dict[str, Any] = {"machine": dict(machine)}
    cost, kept = Path(paths.cost(run.name)), run.kept
    if cost.exists():
        made["cost"] = read_json(cost)
    if (kind := stored.kind_of(run.name)[0]) in paths.BESIDE:
        voting = [] if kind == "seconds" else [study.code("neighbours_vote")]
        return made | {"code": [*voting, study.fit_code("represent", kept["method"])]}
    return made | ({"code": study.sensitivity_code} if "runs" in kept else _fit(study, kept))


def _fit(study: Study, kept: Mapping[str, Any]) -> dict[str, Any]:
    corpus, method = kept["corpus"], kept["method"]
    code = [study.scoring_code("score", method)]
    if not study.method(method).is_represented or "unavailable" in kept:
        return {"code": code}
    code.append(study.fit_code("represent", method))
    stem = study.fit(corpus, method, kept["protocol"], kept["seed"])
    vectors, cost = Path(f"{stem}.npy"), Path(paths.cost(stem))
    fit: dict[str, Any] = {"code": code, "fit": stem}
    if vectors.exists():
        fit["vectors"] = sha256_of(vectors)
    if cost.exists():
        fit["fit_cost"] = read_json(cost)
    return fit


def verify(published: Sequence[stored.Store], here: Sequence[stored.Store]) -> pd.DataFrame:
    """Return a row for each published run, beside the same run made here."""
    ours = {run.name: run for store in here for run in store.runs}
    rows = [_row(run, ours[run.name]) for store in published for run in store.runs]
    return pd.DataFrame(rows).sort_values(RUN, ignore_index=True)


def _row(run: stored.StoredRun, ours: stored.StoredRun) -> dict[str, Any]:
    vectors, fit = run.made.get("vectors"), Path(f"{run.made.get('fit')}.npy")
    row = {name: run.kept[name] for name in RUN} | {"vectors": NONE}
    if vectors is not None and fit.exists():
        row["vectors"] = SAME if sha256_of(fit) == vectors else DIFFERENT
    row |= {"published": run.kept.get("micro_f1"), "micro_f1": ours.kept.get("micro_f1")}
    same = ours.hits.shape == run.hits.shape
    differ = int((ours.hits != run.hits).sum()) if same else run.hits.shape[1]
    return row | {"hits": differ, "agrees": differ == 0 and row["vectors"] != DIFFERENT}


def write_verified(found: pd.DataFrame, stem: Path) -> str:
    """Write `stem`.csv and .md; return a sentence on how many runs agree."""
    said = f"{int(found['agrees'].sum())} of {len(found)} published runs are the same here"
    scores = {
        name: [NO_SCORE if pd.isna(score) else f"{score:.2f}" for score in found[name]]
        for name in ("published", "micro_f1")
    }
    agrees = found["agrees"].map({True: "yes", False: "no"})
    write_tables(found, {"": found.map(str).assign(**scores, agrees=agrees)}, stem, said)
    return said
