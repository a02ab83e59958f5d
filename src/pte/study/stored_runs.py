"""Published runs: what each run found, in one file for each corpus.

A file `results/published/runs/CORPUS.npz` holds `records`, JSON as bytes, and `hits`, a row of bits
for each test of a run: whether each test document got the right class, eight documents in a byte.
Verdicts, tables and figures can be made from these files alone.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pte.corpora.subsets import Subset
from pte.errors import PteError
from pte.files import DAMAGED_NPZ, atomic_file, read_json
from pte.study import paths

FORMAT = 1
"""Which layout of `records` a file has."""


@dataclass(frozen=True)
class StoredRun:
    """A run that was published.

    `name` is that of its result without the ending, such as `results/scores/r8/bow/paper/seed1`.
    `kept` is what the JSON of the result holds. `made` says with what: the hash of the `code`, the
    facts of the `machine`, the `cost` of its jobs, and the sha256 of the `vectors`, each where it
    is known. `hits` is bool, shape (tests, test documents); a run without a score has no test, a
    training of the sensitivity experiment has one for each checkpoint, and others have one.
    """

    name: str
    kept: Mapping[str, Any]
    made: Mapping[str, Any]
    hits: NDArray[np.bool_]

    @property
    def group(self) -> tuple[str, ...]:
        """What runs that differ in their seed alone have in common."""
        folder, _, _ = self.name.rpartition("/")
        kind, corpus, *rest = folder.removeprefix("results/").split("/")
        if kind != "scores":
            return (kind, corpus, *rest)
        return (kind, replace(Subset.parse(corpus), seed=None).name, *rest)


@dataclass(frozen=True)
class Store:
    """The published runs on a corpus and its subsets; `corpus` is what corpus.json records."""

    corpus: Mapping[str, Any]
    runs: tuple[StoredRun, ...]

    def beside(self, earlier: "Store") -> "Store":
        """Return these runs and the `earlier` ones, which may come from another machine.

        Runs of the same code join: a seed that both have is taken from here, and keeps the code and
        the machine that it was published with if it is the same run. Runs of other code join, too,
        if both sides have a seed in common, and it has the same hits and the same vectors. Where it
        has not, one of both sides is kept whole: this one if it has at least as many seeds. Raises
        `PteError` when the corpora hold other documents.
        """
        ours, theirs = (each.corpus["documents_sha256"] for each in (self, earlier))
        if ours != theirs:
            raise PteError(
                f"publish: the published runs are on documents with the sha256 {theirs[:16]}, and "
                f"these on {ours[:16]}; delete the published file of this corpus to begin anew"
            )
        old, new = _groups(earlier.runs), _groups(self.runs)
        kept = [
            run
            for group in {**old, **new}
            for run in _joined(old.get(group, []), new.get(group, []))
        ]
        return Store(self.corpus, tuple(sorted(kept, key=lambda run: run.name)))


def write_store(store: Store, path: Path) -> None:
    """Write a file of runs, atomically; the same runs give the same bytes."""
    rows = [np.packbits(run.hits, axis=1) for run in store.runs if len(run.hits)]
    documents = {run.hits.shape[1] for run in store.runs if len(run.hits)}
    if len(documents) > 1:
        raise PteError(f"{path}: runs have hits on {sorted(documents)} documents; publish one kind")
    machines: list[Any] = []
    records = []
    for run in store.runs:
        facts = run.made.get("machine")
        if facts not in machines:
            machines.append(facts)
        made = {**run.made, "machine": machines.index(facts)}
        records.append({"name": run.name, "kept": run.kept, "made": made, "tests": len(run.hits)})
    said = {
        "format": FORMAT,
        "corpus": store.corpus,
        "documents": max(documents, default=0),
        "machines": machines,
        "runs": records,
    }
    text = json.dumps(said, ensure_ascii=False).encode()
    hits = np.concatenate(rows) if rows else np.empty((0, 0), np.uint8)
    with atomic_file(path) as temporary:
        np.savez_compressed(temporary, records=np.frombuffer(text, np.uint8), hits=hits)


def read_store(path: Path) -> Store:
    """Read a file of runs. Raises `PteError` when it is not there, damaged, or of another form."""
    try:
        with np.load(path, allow_pickle=False) as arrays:
            said, packed = json.loads(arrays["records"].tobytes()), arrays["hits"]
    except FileNotFoundError:
        raise PteError(f"{path}: no such file; publish runs on this corpus first") from None
    except DAMAGED_NPZ as error:
        raise PteError(f"{path}: not a file of runs ({error}); restore it with git") from None
    if said.get("format") != FORMAT:
        raise PteError(f"{path}: format {said.get('format')}, but this version reads {FORMAT}")
    if len(packed) != sum(record["tests"] for record in said["runs"]):
        raise PteError(f"{path}: the rows of hits are not those of its runs; restore it with git")
    hits = np.unpackbits(packed, axis=1, count=said["documents"]).astype(bool)
    runs, row = [], 0
    for record in said["runs"]:
        made = {**record["made"], "machine": said["machines"][record["made"]["machine"]]}
        tests = hits[row : row + record["tests"]]
        runs.append(StoredRun(record["name"], record["kept"], made, tests))
        row += record["tests"]
    return Store(said["corpus"], tuple(runs))


def corpus_record(place: Path) -> Mapping[str, Any]:
    """Return what corpus.json records, from the folder of a corpus or a file of its runs."""
    if place.suffix == ".npz":
        return read_store(place).corpus
    record: Mapping[str, Any] = read_json(place / "corpus.json")
    return record


def stores(folder: Path = Path(paths.PUBLISHED_RUNS)) -> dict[str, Path]:
    """Return the files of runs that are there, by corpus."""
    return {path.stem: path for path in sorted(folder.glob("*.npz"))}


def held(folder: Path = Path(paths.PUBLISHED_RUNS)) -> dict[str, str]:
    """Return the file that holds each published run, by the run's name.

    Raises `PteError` when no run is published, and as `read_store` does.
    """
    found = stores(folder)
    if not found:
        raise PteError(f"from=published: {folder} has no runs; publish some, or leave `from` out")
    return {run.name: str(path) for path in found.values() for run in read_store(path).runs}


def stored_runs(files: Iterable[Path], names: Sequence[str]) -> list[StoredRun]:
    """Read the runs of these names, in this order. Raises `PteError` for one that is not there."""
    found = {run.name: run for path in files for run in read_store(path).runs}
    lacking = [name for name in names if name not in found]
    if lacking:
        raise PteError(f"{lacking[0]}: no published file holds this run; publish it first")
    return [found[name] for name in names]


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
    again = {run.name for run, earlier in both if _is_again(run, earlier)}
    return list((known | {run.name: run for run in new if run.name not in again}).values())


def _same_bits(run: StoredRun, other: StoredRun) -> bool:
    """Whether two runs have the same vectors, and are right on the same documents."""
    same = run.made.get("vectors") == other.made.get("vectors")
    return same and np.array_equal(run.hits, other.hits)


def _is_again(run: StoredRun, earlier: StoredRun) -> bool:
    """Whether a run was published before, when its code and its machine were noted."""
    facts = {name: earlier.made.get(name) for name in ("code", "machine")}
    same = run.kept == earlier.kept and {**run.made, **facts} == earlier.made
    return same and np.array_equal(run.hits, earlier.hits)
