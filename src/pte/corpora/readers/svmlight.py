"""Bags of words in the format of SVMlight and LIBSVM: labels, then `index:count` for each word."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from pte.corpora.columns import labels_of, make_document
from pte.corpora.document import Document
from pte.corpora.parts import TRAIN
from pte.corpora.text_files import read_lines
from pte.errors import PteError

MOST = 1_000_000
"""How often a document may hold one word."""

MOST_WORDS = 10_000_000
"""How many words a document may have in all: a few bytes can stand for millions of words."""

_LONGEST_INDEX = 20
"""The most digits of an index."""


def read(path: Path, vocabulary: str | None = None) -> Iterator[Document]:
    """Read lines like `sport,news 3:2 17:1 # a comment`; the text of this line is `3 3 17`.

    `vocabulary` is a file with a word on each line; index 1 is then the first word. A line that
    begins with white space has no label. The order of words is lost. Raises `PteError`, naming the
    line, for a count that is not a whole number, for an index without a word, and for more words
    than `MOST` or `MOST_WORDS` allows.
    """
    words = None if vocabulary is None else _words(Path(vocabulary))
    number = 0
    for number, line in enumerate(read_lines(path), start=1):
        content = line.partition("#")[0]
        if not content.strip():
            continue
        where = f"{path}: line {number}"
        field, *pairs = "", content
        if not content[0].isspace():  # a label may hold other spaces
            field, *pairs = re.split("[ \t]", content, maxsplit=1)
        labels = labels_of(where, field, ",")
        found: list[str] = []
        for pair in " ".join(pairs).split():
            found += _repeated(where, pair, words)
            if len(found) > MOST_WORDS:
                raise PteError(f"{where}: it has more than {MOST_WORDS:,} words; cut the document")
        yield make_document(" ".join(found), labels, TRAIN, str(number))
    if not number:
        raise PteError(f"{path}: it is empty; put a document on each line")


def _words(path: Path) -> list[str]:
    words = [line.strip() for line in read_lines(path)]
    for number, word in enumerate(words, start=1):
        if len(word.split()) != 1:
            raise PteError(f"{path}: line {number} must hold one word, and holds {word!r}")
    return words


def _repeated(where: str, pair: str, words: Sequence[str] | None) -> list[str]:
    """Return the word of a pair `index:count`, repeated `count` times; nothing for `qid`."""
    index, _, given = pair.partition(":")
    if index == "qid":
        return []
    try:
        count = float(given)
        is_index = index.isascii() and index.isdigit() and len(index) <= _LONGEST_INDEX
        if not is_index or count % 1 or not 0 <= count <= MOST:
            raise ValueError
    except ValueError:
        raise PteError(
            f"{where}: {pair!r} is not index:count; a count is a whole number from 0 to {MOST:,}"
        ) from None
    if words is None:
        return [index] * int(count)
    if not 1 <= int(index) <= len(words):
        raise PteError(f"{where}: index {index} has no word; indices are 1 to {len(words)}")
    return [words[int(index) - 1]] * int(count)
