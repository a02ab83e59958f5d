"""Turns documents into word numbers.

Each thread numbers a run of consecutive documents, with a vocabulary of its own. The number of
threads changes no result.
"""

import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from pte.core.arrays import BoolArray, Int32Array, IntArray, shares
from pte.corpora.document import Document
from pte.corpora.parts import TRAIN
from pte.corpora.tokenise import Tokeniser
from pte.corpora.vocabulary import Vocabulary
from pte.files import map_file

_TEXT_BLOCK = 1 << 18
"""Bytes of text that are numbered at a time, so that their numbers stay in a core's cache."""

_TOKEN_BLOCK = 1 << 16
"""Tokens that get their final numbers at a time."""


@dataclass(frozen=True)
class Numbered:
    """Documents as word numbers, and the words."""

    words: tuple[bytes, ...]  # words of the training part, the most frequent first, ties by bytes
    tokens: (
        Int32Array  # of one document after the other; tokens that are not in `words` are left out
    )
    known: IntArray  # how many tokens of each document are in `words`
    lengths: IntArray  # how many tokens each document has in all


@dataclass(frozen=True)
class _Run:
    """Consecutive documents, numbered by a vocabulary of their own."""

    vocabulary: Vocabulary
    numbers: Int32Array  # word numbers of one document after the other, mapped from a file
    lengths: IntArray  # how many tokens each document has


def number(
    documents: Sequence[Document],
    tokeniser: Tokeniser,
    threads: int = 1,
    only: frozenset[bytes] | None = None,
) -> Numbered:
    """Number the words of the training part, the most frequent first, ties in byte order.

    If `only` is given, tokens that are not in it do not count as tokens. Each thread numbers a
    run; a tokeniser that is called alone has one thread. Numbers lie in temporary files, so that
    memory holds the words, a block of text, and three numbers for each document.
    """
    threads = 1 if tokeniser.alone else threads
    runs = _runs(documents, threads)
    with ThreadPoolExecutor(threads) as pool:
        numbered = list(pool.map(lambda run: _number_run(run, tokeniser), runs))
    return _joined_runs(numbered, only)


def _runs(documents: Sequence[Document], parts: int) -> list[Sequence[Document]]:
    """Cut the documents into `parts` runs of about the same size in bytes."""
    sizes = np.array([len(document.content) for document in documents], np.int64)
    return [documents[first:last] for first, last in shares(sizes, parts)]


def _number_run(documents: Sequence[Document], tokeniser: Tokeniser) -> _Run:
    """Number the words of a run in the order in which they first occur."""
    vocabulary = Vocabulary()
    lengths: list[IntArray] = []
    blocks = sum(len(document.content) for document in documents) // _TEXT_BLOCK + 1
    with tempfile.TemporaryFile() as file:
        for block in filter(None, _runs(documents, blocks)):
            texts = [tokeniser.prepare(document.text) for document in block]
            counted = np.array([document.part == TRAIN for document in block])
            numbers, offsets = vocabulary.number(texts, counted, tokeniser.table)
            file.write(np.ascontiguousarray(numbers).data)
            lengths.append(np.diff(offsets))
        return _Run(vocabulary, map_file(file, np.int32), _joined(lengths))


def _joined_runs(runs: Sequence[_Run], only: frozenset[bytes] | None) -> Numbered:
    """Add the words of all other runs to the vocabulary of the first, and number all by it."""
    merged, *others = (run.vocabulary for run in runs)
    own = np.arange(merged.counts.size, dtype=np.int32)
    places: list[Int32Array] = [own, *(merged.merge(vocabulary) for vocabulary in others)]
    allowed = np.array([only is None or word in only for word in merged.words()], np.bool_)
    words, ranks = _ranked(merged, allowed)

    lengths, known = [], []
    with tempfile.TemporaryFile() as file:
        for run, place in zip(runs, places, strict=True):
            final, counted = ranks[place], allowed[place]
            for numbers, offsets in _token_blocks(run):
                ranked = final[numbers]
                kept = ranked >= 0
                known.append(_of_each(kept, offsets))
                lengths.append(_of_each(counted[numbers], offsets))
                file.write(ranked[kept].data)
        tokens = map_file(file, np.int32)
    return Numbered(words, tokens, _joined(known), _joined(lengths))


def _token_blocks(run: _Run) -> Iterator[tuple[Int32Array, IntArray]]:
    """Yield the word numbers of a few documents at a time, and the offsets of these documents."""
    offsets = np.concatenate([[0], np.cumsum(run.lengths)])
    for first, last in shares(run.lengths, int(offsets[-1]) // _TOKEN_BLOCK + 1):
        begin, end = offsets[first], offsets[last]
        yield np.asarray(run.numbers[begin:end]), offsets[first : last + 1] - begin


def _of_each(which: BoolArray, offsets: IntArray) -> IntArray:
    """Return how many tokens of each document the mask `which` marks."""
    return np.diff(np.concatenate([[0], np.cumsum(which)])[offsets])


def _ranked(vocabulary: Vocabulary, allowed: BoolArray) -> tuple[tuple[bytes, ...], Int32Array]:
    """Return the counted and allowed words in order, and the place of every word, or -1.

    The place of a word is -1 if the word is not counted or not allowed.
    """
    words, counts = vocabulary.words(), vocabulary.counts
    in_byte_order = sorted(np.flatnonzero(counts * allowed).tolist(), key=words.__getitem__)
    order = np.array(in_byte_order, np.int64)
    order = order[np.argsort(-counts[order], kind="stable")]
    ranks = np.full(len(words), -1, np.int32)
    ranks[order] = np.arange(order.size)
    return tuple(words[i] for i in order), ranks


def _joined(parts: list[IntArray]) -> IntArray:
    return np.concatenate(parts) if parts else np.zeros(0, np.int64)
