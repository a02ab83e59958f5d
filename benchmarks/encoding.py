"""Tokens numbered per second, bytes in, numbers out: a JSON line per case, medians over rounds.

Beside the package, the same in plain Python, and scikit-learn's
CountVectorizer, which counts the words of each document and forgets their order. The cases of a
round follow one another, so that the ratios hold on a machine whose speed drifts.

    python -m benchmarks.encoding FOLDER_OF_ARCHIVES [CORPUS ...]
"""

import re
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer

from benchmarks.common import archives_of, journal
from pte.corpora.document import Document
from pte.corpora.encode import number
from pte.corpora.encoded import TRAIN
from pte.corpora.readers import read
from pte.corpora.tokenise import letters

CORPORA = ("20ng", "imdb", "wiki")
ROUNDS = 3


def documents_of(corpus: str, folder: Path) -> list[Document]:
    entry, paths = archives_of(corpus, folder)
    return list(read(paths.pop("archive"), entry.reader, entry.options, paths))


def plain(documents: list[Document]) -> np.ndarray[Any, Any]:
    find = re.compile(rb"[a-z]+").findall
    token_lists = [find(document.text.lower()) for document in documents]
    counts: Counter[bytes] = Counter()
    for tokens, document in zip(token_lists, documents, strict=True):
        if document.part == TRAIN:
            counts.update(tokens)
    words = sorted(counts, key=lambda word: (-counts[word], word))
    ids = {word: i for i, word in enumerate(words)}
    return np.array([ids[t] for tokens in token_lists for t in tokens if t in ids], np.int32)


def count_vectorizer(documents: list[Document]) -> None:
    vectorizer = CountVectorizer(encoding="latin-1", token_pattern="[a-z]+")
    vectorizer.fit_transform(document.text for document in documents)


def main(folder: Path, corpora: tuple[str, ...]) -> None:
    cases: dict[str, Callable[[list[Document]], object]] = {
        "pte": lambda documents: number(documents, letters),
        "plain Python": plain,
        "CountVectorizer": count_vectorizer,
    }
    note = journal("encoding")
    for corpus in corpora:
        documents = documents_of(corpus, folder)
        numbered = number(documents, letters)  # which also compiles
        assert (numbered.tokens == plain(documents)).all()
        tokens = int(numbered.lengths.sum())
        seconds: dict[str, list[float]] = {name: [] for name in cases}
        for _ in range(ROUNDS):
            for name, case in cases.items():
                start = time.perf_counter()
                case(documents)
                seconds[name].append(time.perf_counter() - start)
        for name, taken in seconds.items():
            median = statistics.median(taken)
            line = {
                "corpus": corpus,
                "tokens": tokens,
                "case": name,
                "million_tokens_per_second": round(tokens / median / 1e6, 2),
                "against_plain_python": round(
                    statistics.median(seconds["plain Python"]) / median, 1
                ),
            }
            note(**line)


if __name__ == "__main__":
    main(Path(sys.argv[1]), tuple(sys.argv[2:]) or CORPORA)
