"""A corpus as large as asked for, from text to scores of PTE(joint): seconds and memory by step.

    python -m benchmarks.size FOLDER [--documents 1000000 --tokens 100 --words 400000 ...]

The corpus is made up. Words follow Zipf's law; a part of the tokens of a document come from words
of its class alone. With `--mirror ARCHIVES` a document is a run of words of an article of the
stand-in for Wikipedia, with its label, and a part of the tokens follow Zipf's law over `--words`.
Articles of test documents make no training document.

Each step is a process of its own on `--cores` cores, which may not hold more than `--gigabytes`. It
leaves its files in FOLDER, so that the next call goes on where one was stopped; a call with other
arguments needs another folder.

A line of a step has `seconds`, those of the `processor`, `peak_mb`, and what they are to be
compared with: `arrays` (what its result must take, in MB), `rate`, and `at_best`, the rate that
this machine would reach if nothing but the named work had to be done.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.common import NETWORKS, ROOT, WINDOW, archives_of, cores, journal, peak_mb
from pte.corpora.document import spooled
from pte.corpora.encode import encode
from pte.corpora.encode_entry import documents_sha256, encode_entry, read_entry
from pte.corpora.encoded import TEST, TRAIN, UNLABELLED, EncodedCorpus
from pte.corpora.readers import read
from pte.corpora.tokenise import TOKENISERS
from pte.evaluation.setting import ClassifierChoice
from pte.files import atomic_file, load_array, read_json, save_array, write_json
from pte.models import network_embedding
from pte.networks import named
from pte.training.contract import Task
from pte.training.scores import score_fit
from pte.training.setup import Hyperparameters

BLOCK = 10_000  # documents that are made up at a time
OF_CLASS = 0.2  # the part of the tokens that come from words of the class
OF_TAIL = 0.1  # the part of the tokens of articles that are replaced, so that all words occur
MB = 2**20
Line = dict[str, Any]


@dataclass(frozen=True)
class Size:
    """How large the corpus is, and what the steps may use.

    `tokens` are those of a document, on average; `labelled` is the part of the documents that train
    and have a label, and `test` the part that is test documents; `draws` is T for each token of the
    corpus. `mirror` is a folder with the archives of articles, or empty.
    """

    documents: int = 1_000_000
    tokens: int = 100
    words: int = 400_000
    labelled: float = 0.05
    test: float = 0.02
    classes: int = 10
    draws: float = 3.0
    seed: int = 1
    cores: int = 2
    gigabytes: float = 8.0
    mirror: str = ""


Draw = Callable[
    [np.random.Generator, NDArray[np.int64], int, int], tuple[NDArray[np.int64], NDArray[np.int64]]
]
"""Draws word numbers, and a class for each document, from the lengths of a block of documents, the
number of the first, and how many of the part have labels."""


def generate(size: Size, folder: Path) -> Line:
    """Write corpus.zip: `label<TAB>text` in train.tsv and test.tsv; most labels are empty."""
    rng = np.random.default_rng(size.seed)
    n_test = max(int(size.test * size.documents), size.classes)
    names, of_part = _articles(size) if size.mirror else _made_up(size)
    drawn = 0
    with (
        atomic_file(folder / "corpus.zip") as path,
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
    ):
        for (name, draw), n in zip(of_part.items(), (size.documents - n_test, n_test), strict=True):
            labelled = round(size.labelled * size.documents) if name == "train.tsv" else n
            with archive.open(name, "w", force_zip64=True) as file:
                for text, tokens in _texts(size, n, labelled, rng, names, draw):
                    file.write(text)
                    drawn += tokens
    return {"tokens": drawn, "file_mb": (folder / "corpus.zip").stat().st_size / MB}


def _texts(
    size: Size,
    n: int,
    labelled: int,
    rng: np.random.Generator,
    names: NDArray[np.object_],
    draw: Draw,
) -> Iterator[tuple[bytes, int]]:
    """Yield lines of documents, a block at a time, and their tokens; the first have labels."""
    for first in range(0, n, BLOCK):
        lengths = 1 + rng.poisson(size.tokens - 1, min(BLOCK, n - first))
        words, classes = draw(rng, lengths, first, labelled)
        lines = []
        for d, tokens in enumerate(np.split(names[words], np.cumsum(lengths)[:-1])):
            label = b"c%d" % classes[d] if first + d < labelled else b""
            lines.append(label + b"\t" + b" ".join(tokens.tolist()) + b"\n")
        yield b"".join(lines), words.size


def _made_up(size: Size) -> tuple[NDArray[np.object_], dict[str, Draw]]:
    """Return the words, and how documents of each part are made up."""
    anywhere, of_class = _zipf(size.words), _zipf(size.words // size.classes)

    def draw(
        rng: np.random.Generator, lengths: NDArray[np.int64], first: int, labelled: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        classes = np.arange(first, first + lengths.size) % size.classes
        words = np.searchsorted(anywhere, rng.random(lengths.sum()))
        chosen = np.flatnonzero(rng.random(words.size) < OF_CLASS)
        ranks = np.searchsorted(of_class, rng.random(chosen.size))
        words[chosen] = ranks * size.classes + np.repeat(classes, lengths)[chosen]
        return words, classes

    names = np.array([b"w%x" % i for i in range(size.words)], object)
    return names, {"train.tsv": draw, "test.tsv": draw}


def _articles(size: Size) -> tuple[NDArray[np.object_], dict[str, Draw]]:
    """Return the words, and how documents of each part are made from articles of this part."""
    entry, paths = archives_of("wiki", Path(size.mirror))
    corpus = encode_entry(read_entry(paths, entry), entry)
    anywhere, lengths_of = _zipf(size.words), np.diff(corpus.offsets)
    has_label = corpus.labels != UNLABELLED

    def of_part(part: int) -> Draw:
        there = (corpus.split == part) & (lengths_of > 0)
        with_label, all_of_part = np.flatnonzero(there & has_label), np.flatnonzero(there)

        def draw(
            rng: np.random.Generator, lengths: NDArray[np.int64], first: int, labelled: int
        ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
            many = min(max(labelled - first, 0), lengths.size)
            found = rng.choice(all_of_part, lengths.size)
            found[:many] = rng.choice(with_label, many)
            within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
            within += np.repeat(rng.integers(0, lengths_of[found]), lengths)
            within %= np.repeat(lengths_of[found], lengths)
            within += np.repeat(corpus.offsets[found], lengths)
            words = corpus.tokens[within].astype(np.int64)
            replaced = np.flatnonzero(rng.random(words.size) < OF_TAIL)
            words[replaced] = np.searchsorted(anywhere, rng.random(replaced.size))
            return words, corpus.labels[found].astype(np.int64)

        return draw

    more = [b"w%x" % i for i in range(corpus.n_words, size.words)]
    names = np.array([*corpus.words, *more], object)
    return names, {"train.tsv": of_part(TRAIN), "test.tsv": of_part(TEST)}


def _zipf(n: int) -> NDArray[np.float64]:
    """The chances of words, added up; that of the word of rank r goes with 1 / (r + 2.7)."""
    ends: NDArray[np.float64] = np.cumsum(1 / (np.arange(n) + 2.7))
    ends /= ends[-1]
    return ends


def encoding(size: Size, folder: Path) -> Line:
    """Read and hash the documents, number their words, and save the corpus."""
    began = time.perf_counter()
    options = {"train": "train.tsv", "test": "test.tsv", "header": 0}
    documents = spooled(read(folder / "corpus.zip", "labelled_tab", options))
    digest = documents_sha256(documents)
    seconds = {"read": time.perf_counter() - began}
    corpus = encode(documents, TOKENISERS["whitespace"])
    seconds["encode"] = time.perf_counter() - began - seconds["read"]
    corpus.save(folder / "corpus")
    began = time.perf_counter()
    with zipfile.ZipFile(folder / "corpus.zip") as archive:
        for name in archive.namelist():
            with archive.open(name) as file:
                while file.read(MB):
                    pass
    return {
        "documents_sha256": digest,
        "parts": seconds,
        "arrays": {**_arrays(corpus), "texts": sum(len(d.content) for d in documents) / MB},
        "rate": corpus.tokens.size / sum(seconds.values()),
        "at_best": {"only unpacking": corpus.tokens.size / (time.perf_counter() - began)},
    }


def streams(size: Size, folder: Path) -> Line:
    """Make the samplers of edges, and read the degrees of their nodes from the text."""
    corpus = EncodedCorpus.load(folder / "corpus")
    began = time.perf_counter()
    made = named.streams(corpus, NETWORKS, WINDOW)
    for sampler in made.values():
        sampler.source_degrees(), sampler.target_degrees()
    seconds = time.perf_counter() - began
    return {
        "rate": corpus.tokens.size / seconds,
        "at_best": {"only copying the tokens": _bandwidth() * MB / corpus.tokens.itemsize},
        "arrays": {"alias tables": len(made) * 8 * corpus.n_documents / MB},
    }


def represent(size: Size, folder: Path) -> Line:
    """Train PTE(joint) on streamed edges."""
    corpus = EncodedCorpus.load(folder / "corpus")
    shape = Hyperparameters()
    fitted = network_embedding.fit(
        Task(
            corpus,
            size.seed,
            size.cores,
            options={"phases": [list(NETWORKS)]},
            hyperparameters=shape,
            samples=max(round(size.draws * corpus.tokens.size), 1),
            streamed=True,
        )
    )
    save_array(folder / "vectors.npy", np.asarray(fitted.array))
    assert fitted.samples and fitted.seconds
    row = 4 * shape.dim
    read_and_written = 2 * row * (2 + shape.negatives)
    return {
        "samples": fitted.samples,
        "rate": fitted.samples / fitted.seconds,
        "at_best": {
            "only moving rows of vectors": size.cores * _bandwidth() * MB / read_and_written
        },
        "arrays": {
            "words": row * corpus.n_words / MB,
            "words as sources": row * corpus.n_words / MB,
            "documents as sources": row * corpus.n_documents / MB,
        },
    }


def scoring(size: Size, folder: Path) -> Line:
    """Documents as means of their words; LIBLINEAR; micro-F1 of the test documents."""
    corpus = EncodedCorpus.load(folder / "corpus")
    vectors = load_array(folder / "vectors.npy")
    began = time.perf_counter()
    scored = score_fit(corpus, vectors, "words", ClassifierChoice())
    seconds = time.perf_counter() - began
    return {
        "micro_f1": scored.scores["micro_f1"],
        "rate": corpus.n_documents / seconds,
        "arrays": {"documents": 4 * vectors.shape[1] * corpus.n_documents / MB},
    }


STEPS: dict[str, Callable[[Size, Path], Line]] = {
    "generate": generate,
    "encode": encoding,
    "streams": streams,
    "represent": represent,
    "score": scoring,
}


def _arrays(corpus: EncodedCorpus) -> dict[str, float]:
    """Megabytes of the arrays of a corpus."""
    arrays: dict[str, NDArray[Any]] = {
        "tokens": corpus.tokens,
        "offsets": corpus.offsets,
        "labels": corpus.labels,
    }
    found = {name: array.size * array.itemsize / MB for name, array in arrays.items()}
    return found | {"words": sum(map(len, corpus.words)) / MB}


def _bandwidth() -> float:
    """Megabytes a second that one core copies."""
    source, target = np.ones(64 * MB // 8), np.empty(64 * MB // 8)
    taken = []
    for _ in range(5):
        began = time.perf_counter()
        np.copyto(target, source)
        taken.append(time.perf_counter() - began)
    return 64 / min(taken)


def _run(step: str, size: Size, folder: Path) -> None:
    """One step in this process, within the bounds; writes its line."""
    most = int(size.gigabytes * 2**30)
    if sys.platform == "linux":
        os.sched_setaffinity(0, cores()[: size.cores])
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    began = time.perf_counter()
    found = STEPS[step](size, folder)
    line: Line = {"step": step, "seconds": time.perf_counter() - began}
    line |= {"processor": time.process_time(), "peak_mb": peak_mb(), **found}
    if line["peak_mb"] > most / MB:
        sys.exit(f"{step}: it held {line['peak_mb']:.0f} MB, more than {size.gigabytes} GB")
    write_json(folder / f"{step}.json", line)


def main(arguments: list[str]) -> None:
    """All steps that FOLDER has no line of, and then all lines."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.size")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--step", choices=STEPS, help=argparse.SUPPRESS)
    for field in fields(Size):
        parser.add_argument(f"--{field.name}", type=type(field.default), default=field.default)
    asked = parser.parse_args(arguments)
    size = Size(**{field.name: getattr(asked, field.name) for field in fields(Size)})
    folder = asked.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if asked.step:
        return _run(asked.step, size, folder)
    if (folder / "size.json").exists() and read_json(folder / "size.json") != asdict(size):
        sys.exit(f"{folder}: it holds a corpus of another size; name another folder")
    write_json(folder / "size.json", asdict(size))
    for step in STEPS:
        if not (folder / f"{step}.json").exists():
            command = [sys.executable, "-m", "benchmarks.size", str(folder), "--step", step]
            command += [f"--{name}={value}" for name, value in asdict(size).items()]
            if subprocess.run(command, cwd=ROOT, check=False).returncode:
                sys.exit(f"{step} failed; after a repair the same command goes on from here")
    note = journal("size")
    note(kind="size", **asdict(size))
    for step in STEPS:
        note(**_short(read_json(folder / f"{step}.json")))


def _short(line: Line) -> Line:
    """Floats with four digits, in what is nested, too."""
    rounded = json.loads(json.dumps(line), parse_float=lambda text: float(f"{float(text):.4g}"))
    return dict(rounded)


if __name__ == "__main__":
    main(sys.argv[1:])
