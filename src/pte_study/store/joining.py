"""Runs that are published now, joined with runs that were published before."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pte.errors import PteError
from pte_study.store.reading import corpus_of
from pte_study.store.stored_runs import Store, StoredRun


def joined(new: Store, earlier: Store) -> Store:
    """Return the `new` runs and the `earlier` runs, which may come from another machine.

    Runs of the same code join: a seed that both sides have is taken from `new`. If it is the same
    run, it keeps the code and the machine that it was published with. Runs of different code join,
    too, if both sides have seeds in common, with the same predictions and the same vectors.
    Otherwise one side is kept whole: `new` if it has at least as many seeds. Raises `PteError` when
    the corpora have other documents, classes or test documents.
    """
    if not _are_comparable(new, earlier):
        corpora = ", ".join(dict.fromkeys(corpus_of(run.name) for run in new.runs))
        raise PteError(
            f"publish: {corpora}: the published runs have other documents, other classes or other "
            "test documents than these; delete the published file of this corpus to begin anew"
        )
    old, ours = _groups(earlier.runs), _groups(new.runs)
    kept = [
        run for group in {**old, **ours} for run in _joined(old.get(group, []), ours.get(group, []))
    ]
    return replace(new, runs=tuple(sorted(kept, key=lambda run: run.name)))


def replaced(store: Store, earlier: Store) -> set[str]:
    """Return the names of the `earlier` runs that `store` lacks, or has with other predictions."""
    now = {run.name: run for run in store.runs}
    return {
        run.name
        for run in earlier.runs
        if run.name not in now or not _same_tests(run, now[run.name])
    }


def _groups(runs: Iterable[StoredRun]) -> dict[tuple[str, ...], list[StoredRun]]:
    groups: dict[tuple[str, ...], list[StoredRun]] = {}
    for run in runs:
        groups.setdefault(run.group, []).append(run)
    return groups


def _joined(old: Sequence[StoredRun], new: Sequence[StoredRun]) -> list[StoredRun]:
    known = {run.name: run for run in old}
    both = [(run, known[run.name]) for run in new if run.name in known]
    agree = bool(both) and all(_same_bits(*pair) for pair in both)
    codes = [{str(run.made.get("code")) for run in side} for side in (old, new) if side]
    if len(codes) == 2 and codes[0] != codes[1] and not agree:
        return list(new if len(new) >= len(old) else old)
    known |= {run.name: _as_published(run, known.get(run.name)) for run in new}
    return list(known.values())


def _are_comparable(one: Store, other: Store) -> bool:
    """Return whether runs of both stores predict the same classes of the same test documents."""
    if _facts(one) != _facts(other):
        return False
    if one.truth is None or other.truth is None:
        return one.truth is other.truth
    return np.array_equal(one.truth, other.truth)


def _facts(store: Store) -> list[Any]:
    """Return the hash of the documents, the classes, and the split in the entry of the corpus."""
    corpus = store.corpus
    split = corpus.get("entry", {}).get("split")
    return [corpus["documents_sha256"], corpus.get("classes"), split]


def _same_bits(run: StoredRun, other: StoredRun) -> bool:
    """Return whether two runs have the same vectors and, as far as known, the same predictions."""
    same = run.made.get("vectors") == other.made.get("vectors")
    return same and _same_tests(run, other)


def _same_tests(run: StoredRun, other: StoredRun) -> bool:
    if not np.array_equal(run.hits, other.hits):
        return False
    if run.misses is None or other.misses is None:
        return True
    return np.array_equal(run.misses, other.misses)


def _as_published(run: StoredRun, earlier: StoredRun | None) -> StoredRun:
    """Return the run; if it was published before, with the code and the machine noted then."""
    if earlier is None or not _same_tests(run, earlier):
        return run
    made = {**run.made, **{name: earlier.made.get(name) for name in ("code", "machine")}}
    again = run.kept == earlier.kept and made == earlier.made
    return replace(run, made=made) if again else run
