"""What a reader sees of a document of a user's own text: its beginning, as it was written."""

from collections.abc import Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pte.corpora.encoded import TRAIN, EncodedCorpus
from pte.corpora.reading import read
from pte.corpora.tfidf import rarity, weigh

LENGTH, BYTES = 100, 2000
"""How many characters a beginning has at most, and from how many bytes of a text it is taken."""

HEAVIEST = 10
"""How many words are shown of a document that has lost the order of its words."""


@dataclass(frozen=True)
class TextFile:
    """The file or folder of a text, and how it is read."""

    path: Path
    reader: str
    options: Mapping[str, Any]

    @classmethod
    def of(cls, path: str, reading: Mapping[str, Any] | None) -> "TextFile | None":
        """Return the file at `path`, with `reading` as the other fields; None without `reading`."""
        return None if reading is None else cls(Path(path), **reading)


def excerpts(
    corpus: EncodedCorpus, documents: NDArray[np.int64], file: TextFile | None
) -> list[str]:
    """Return the beginning of each of `documents`, with its case and its punctuation.

    If `file` is None, the documents are bags of words, and the words that weigh most by TF-IDF are
    returned. Raises `PteError` when the reader of the file cannot read it any more.
    """
    if file is None:
        return _heaviest(corpus, documents)
    names = corpus.ids or ()
    found = _beginnings(file, {names[i] for i in documents})
    return [found.get(names[i], "") for i in documents]


def _beginnings(file: TextFile, wanted: set[str]) -> dict[str, str]:
    """Return the beginnings of the documents with these ids, by id."""
    with redirect_stdout(StringIO()):
        found = read(file.path, file.reader, file.options) if wanted else ()
        return {str(each.id): _beginning(each.text) for each in found if str(each.id) in wanted}


def _beginning(text: bytes) -> str:
    """Return the first characters of a text, on one line."""
    line = " ".join(text.strip()[:BYTES].decode("utf-8", "ignore").split())
    return line if len(line) <= LENGTH else f"{line[: LENGTH - 1].rstrip()}…"


def _heaviest(corpus: EncodedCorpus, documents: NDArray[np.int64]) -> list[str]:
    """Return the words of each document that weigh most, each word once, the heaviest first."""
    rare = rarity(corpus.counts[corpus.documents(TRAIN)])
    weights = weigh(corpus.counts[documents], rare)
    ends = zip(weights.indptr[:-1], weights.indptr[1:], strict=True)
    rows = [(weights.indices[begin:end], weights.data[begin:end]) for begin, end in ends]
    return [_named(corpus, words[np.argsort(-heavy, kind="stable")]) for words, heavy in rows]


def _named(corpus: EncodedCorpus, words: NDArray[np.int32]) -> str:
    return " ".join(corpus.words[word].decode("utf-8", "replace") for word in words[:HEAVIEST])
