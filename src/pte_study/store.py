"""A run, the runs on a corpus, and the packed file `results/published/runs/CORPUS.npz`.

It holds `records`, JSON as bytes, and three arrays: `truth`, the class of each test document
(empty for several classes); `hits`, for each test of a run a row of bits, whether the predicted
class was right; `misses`, the classes predicted for other documents, one test after another."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pte.array_file import ArrayFile, has_form, parsed, read_array_file
from pte.corpora.encoded import TEST, EncodedCorpus, Targets, hits
from pte.corpora.subsets import Subset
from pte.errors import PteError
from pte.files import REMEDY, atomic_file, load_array, read_json
from pte_study import paths

FORMAT = 2  # the layout of `records`
_MOST_RATIO = 250
_TESTS = range(2**31)
_RECORD = {"name": str, "kept": dict, "made": dict, "tests": _TESTS, "keeps_misses": bool}


@dataclass(frozen=True)
class StoredRun:
    """A run: what it was, how it was `made`, and what it predicted.

    `kept` is the JSON of its result. `hits` is bool, shape (tests, test documents): no test without
    a score, one for each checkpoint of a training, else one. `misses` has what was predicted where
    it is no hit: a class (int32), or a bool for each class; None where it is not known."""

    name: str
    kept: Mapping[str, Any]
    made: Mapping[str, Any]
    hits: NDArray[np.bool_]
    misses: Targets | None = None

    @property
    def group(self) -> tuple[str, ...]:
        """The parts of the name that runs have in common if only their seeds differ."""
        folder, _, _ = self.name.rpartition("/")
        kind, corpus, *rest = folder.removeprefix("results/").split("/")
        if kind != "scores":
            return (kind, corpus, *rest)
        return (kind, replace(Subset.parse(corpus), seed=None).name, *rest)

    def predicted(self, truth: Targets) -> Targets:
        """Return what each test predicted, shape (tests, test documents), or with classes last."""
        if self.keeps_hits_alone:
            raise PteError(
                f"{self.name}: its hits alone are published; run it again, and publish it with "
                "`python -m pte_study.report.publish`"
            )
        shape = (len(self.hits), *truth.shape)
        found: NDArray[Any] = np.broadcast_to(truth, shape).copy()
        if self.misses is not None:
            found[~self.hits] = self.misses
        return found

    @property
    def keeps_hits_alone(self) -> bool:
        """Whether the run was tested, and what it predicted is not known."""
        return len(self.hits) > 0 and self.misses is None


@dataclass(frozen=True)
class Store:
    """Runs on a corpus and its subsets; `truth` has the classes of test documents, where known."""

    corpus: Mapping[str, Any]
    runs: tuple[StoredRun, ...]
    truth: Targets | None = None


def write_store(store: Store, path: Path) -> None:
    """Write a file of runs, atomically. The same runs give the same bytes."""
    if store.truth is not None and store.truth.ndim > 1:
        alone = tuple(replace(run, misses=None) for run in store.runs)
        store = Store(store.corpus, alone)
    tested = [run for run in store.runs if len(run.hits)]
    documents = {run.hits.shape[1] for run in tested}
    if store.truth is not None:
        documents.add(len(store.truth))
    if len(documents) > 1:
        raise PteError(f"{path}: runs have hits on {sorted(documents)} documents; publish one kind")
    hits = [np.packbits(run.hits, axis=1) for run in tested]
    none = np.empty(0, np.int32)
    misses = [none, *(run.misses for run in tested if run.misses is not None)]
    said = {
        "format": FORMAT,
        "corpus": store.corpus,
        "documents": max(documents, default=0),
        **_records(store.runs),
    }
    text = json.dumps(said, ensure_ascii=False).encode()
    with atomic_file(path) as temporary:
        np.savez_compressed(
            temporary,
            records=np.frombuffer(text, np.uint8),
            truth=_smallest(none if store.truth is None else store.truth),
            hits=np.concatenate(hits) if hits else np.empty((0, 0), np.uint8),
            misses=_smallest(np.concatenate(misses)),
        )


def _records(runs: Iterable[StoredRun]) -> dict[str, Any]:
    machines: list[Any] = []
    records = []
    for run in runs:
        facts = run.made.get("machine")
        if facts not in machines:
            machines.append(facts)
        made = {**run.made, "machine": machines.index(facts)}
        keeps = {"tests": len(run.hits), "keeps_misses": run.misses is not None}
        records.append({"name": run.name, "kept": run.kept, "made": made, **keeps})
    return {"machines": machines, "runs": records}


def _smallest(classes: NDArray[Any]) -> NDArray[Any]:
    return classes.astype(np.min_scalar_type(classes.max(initial=0)))


def read_store(path: Path) -> Store:
    """Read a file of runs. Raises `PteError` if it is missing, damaged, or of another format."""
    remedy = "it is no file of runs, or damaged: restore it with git"
    kept = read_array_file(path, None, remedy, _MOST_RATIO)
    try:
        said = parsed(kept.array("records", "uint8", "bytes").tobytes())
    except ValueError as error:
        raise kept.fault(f"its records: {error}") from None
    kept = replace(kept, facts=said if isinstance(said, dict) else {})
    if (found := kept.fact("format", int)) != FORMAT:
        raise PteError(
            f"{path}: format {found}, but this version reads {FORMAT}; take the file of this "
            "version, or delete it and publish anew"
        )
    return _store_of(kept)


def _store_of(kept: ArrayFile) -> Store:
    truth, misses = (kept.array(name, "u i", name).astype(np.int32) for name in ("truth", "misses"))
    packed = kept.array("hits", "uint8", "tests", "bytes of a test")
    n = kept.fact("documents", range(8 * packed.shape[1] + 1))
    machines, records = kept.fact("machines", [(dict, None)]), kept.fact("runs", [_RECORD])
    hits = np.unpackbits(packed, axis=1, count=n).astype(bool)
    runs, row, missed = [], 0, 0  # each run takes its rows of `hits`, and the `misses` of these
    for record in records:
        if not has_form(machine := record["made"].get("machine"), range(len(machines))):
            raise kept.fault(f"{record['name']} names a machine that is not there")
        made = {**record["made"], "machine": machines[machine]}
        run = StoredRun(record["name"], record["kept"], made, hits[row : row + record["tests"]])
        row += record["tests"]
        if record["keeps_misses"]:
            wrong = int((~run.hits).sum())
            run = replace(run, misses=misses[missed : missed + wrong])
            missed += wrong
        runs.append(run)
    if (row, missed) != (len(hits), len(misses)) or len(truth) not in (0, n):
        raise kept.fault("the arrays are not those of its runs")
    return Store(kept.fact("corpus", dict), tuple(runs), truth if len(truth) else None)


# Runs by their names, from a place: a folder of job results, or a packed file

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


def kind_of(name: str) -> tuple[str, dict[str, str]]:
    """Return a run's kind, which is a key of `paths.RUNS` or "", and the wildcards of its name."""
    given = ((kind, paths.wildcards_of(pattern, name)) for kind, pattern in paths.RUNS.items())
    return next(((kind, found) for kind, found in given if found), ("", {}))


def corpus_of(name: str) -> str:
    return Subset.parse(kind_of(name)[1]["corpus"]).base


def files_of_job(name: str) -> list[str]:
    alone = {"seconds": ["json"], "neighbours": ["npy"], "training neighbours": ["npy"]}
    return [f"{name}.{ending}" for ending in alone.get(kind_of(name)[0], ["json", "npy"])]


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
    files, (kind, wildcards) = [Path(file) for file in files_of_job(name)], kind_of(name)
    kept: dict[str, Any] = {**wildcards} if kind in paths.BESIDE else {}
    if files[0].suffix == ".json":
        kept |= _object(files[0])
    none = np.empty((0, len(truth)), np.bool_)
    if files[-1].suffix == ".json" or "unavailable" in kept:
        return StoredRun(name, kept, {}, none)
    predicted = load_array(files[-1])
    if kind == "training neighbours":
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
