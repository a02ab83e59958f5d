"""Seconds and memory to read and encode a branch of RCV1 at its full size.

The documents are made: as many as LYRL2004's test part has, of the branches' sizes in the paper's
Table 1, with words by Zipf's law. They are written in the official format, where none are yet.

    python -m benchmarks.rcv1_size FOLDER [DOCUMENTS [BRANCH]]
"""

import multiprocessing
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.common import archives_of, journal
from benchmarks.lyrl2004 import NAMES, write_hierarchy, write_tokens, write_topics
from pte.corpora.encode_entry import encode_entry, read_entry
from pte.corpora.readers.lyrl2004 import LAST_TRAINING

DOCUMENTS = 781_265
BRANCHES = {
    "CCAT": (18, 368_477),
    "ECAT": (10, 115_865),
    "GCAT": (23, 208_486),
    "MCAT": (4, 198_060),
}
"""How many topics and documents a branch has."""
WORDS, LENGTH = 300_000, 125
"""Different words, and the mean length of a document: more of both than Corporate has."""
BLOCK = 2000


def made(rng: np.random.Generator, numbers: range) -> Iterator[tuple[int, list[str]]]:
    """Numbers and tokens of documents; lengths are log-normal."""
    words = np.array([f"w{i}" for i in range(WORDS)], object)
    ends = np.cumsum(1 / np.arange(1, WORDS + 1))
    for begin in range(numbers.start, numbers.stop, BLOCK):
        block = range(begin, min(begin + BLOCK, numbers.stop))
        lengths = rng.lognormal(np.log(LENGTH) - 0.18, 0.6, len(block)).astype(np.int64) + 1
        drawn = words[np.searchsorted(ends, rng.random(lengths.sum()) * ends[-1])]
        cuts = np.cumsum(lengths)[:-1]
        for number, tokens in zip(block, np.split(drawn, cuts), strict=True):
            yield number, tokens.tolist()


def topics(rng: np.random.Generator, numbers: range) -> Iterator[tuple[int, list[str]]]:
    """Numbers and topics: a branch takes documents at random, each with one code, some with two."""
    for number in numbers:
        codes = []
        for branch, (n, size) in BRANCHES.items():
            if rng.random() < size / DOCUMENTS:
                chosen = {int(n * rng.random() ** 2) for _ in range(1 + (rng.random() < 0.25))}
                codes += [branch, *(f"{branch[0]}{i:02}" for i in sorted(chosen))]
        yield number, codes or ["GCAT"]


def write(folder: Path, documents: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    first = LAST_TRAINING + 1
    cuts = np.linspace(first, first + documents, 5).astype(int).tolist()
    for i in range(4):
        numbers = range(cuts[i], cuts[i + 1])
        write_tokens(folder / NAMES[f"part{i}"], made(np.random.default_rng(i), numbers))
    rng = np.random.default_rng(9)
    write_topics(folder / NAMES["topics"], topics(rng, range(first, first + documents)))
    below = {b: [f"{b[0]}{i:02}" for i in range(n)] for b, (n, _) in BRANCHES.items()}
    write_hierarchy(folder / NAMES["hierarchy"], {"Root": list(BRANCHES)} | below)


def encode(folder: Path, branch: str) -> dict[str, float]:
    """What reading and encoding takes in this process, and what is read."""
    entry, paths = archives_of(f"rcv1_{branch}", folder)
    began = time.perf_counter()
    documents = read_entry(paths, entry)
    read = time.perf_counter()
    corpus = encode_entry(documents, entry)
    done = time.perf_counter()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    text = sum(len(document.text) for document in documents) / 2**20
    counts = {name: corpus.meta["counts"][name] for name in ("documents", "vocabulary", "tokens")}
    spent = {"read_seconds": read - began, "encode_seconds": done - read}
    return counts | spent | {"text_mib": text, "peak_mib": peak}


def main() -> None:
    folder = Path(sys.argv[1])
    documents = int(sys.argv[2]) if len(sys.argv) > 2 else DOCUMENTS
    branch = sys.argv[3] if len(sys.argv) > 3 else "corporate"
    note = journal("rcv1_size")
    if not (folder / NAMES["hierarchy"]).is_file():
        began = time.perf_counter()
        write(folder, documents)
        note(kind="write", documents=documents, seconds=time.perf_counter() - began)
    with multiprocessing.get_context("spawn").Pool(1) as pool:  # whose peak is of this alone
        note(kind="encode", branch=branch, **pool.apply(encode, (folder, branch)))


if __name__ == "__main__":
    main()
