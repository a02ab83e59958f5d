"""Turns documents into word numbers with several threads. Their number changes no result."""

import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import IO

import numpy as np

from pte.core.types import BoolArray, Int32Array, IntArray
from pte.corpora.document import Document
from pte.corpora.parts import TRAIN
from pte.corpora.tokenise import Tokeniser
from pte.corpora.vocabulary import Vocabulary
from pte.errors import PteError

# Bytes of text that are numbered at a time, so that their numbers stay in a core's cache.
_BLOCK = 1 << 18


@dataclass(frozen=True)
class Numbered:
    """Documents as word numbers, and the words."""

    words: tuple[bytes, ...]  # of the training part, the most frequent first, then by bytes
    tokens: (
        Int32Array  # of one document after the other; tokens that are not in `words` are left out
    )
    known: IntArray  # how many tokens each document has left
    lengths: IntArray  # how many tokens each document had


@dataclass(frozen=True)
class _Shard:
    """Consecutive documents, numbered by a vocabulary of their own."""

    vocabulary: Vocabulary
    numbers: IO[bytes]  # int32, one block after the other, in a temporary file
    offsets: list[IntArray]  # of each block, as `Vocabulary.number` gives them


def number(
    documents: Sequence[Document],
    tokeniser: Tokeniser,
    threads: int = 1,
    only: frozenset[bytes] | None = None,
) -> Numbered:
    """Number the words of the training part, the most frequent first, ties in byte order.

    Tokens that are not in `only` do not count as tokens.

    Each thread numbers a share of the documents with a vocabulary of its own. The order of the
    words does not depend on the shares. Numbers lie in temporary files, and `tokens` is mapped from
    one, so that memory holds the words, a block of text, and three numbers for each document.
    Raises `PteError` if `threads` is less than 1.
    """
    if threads < 1:
        raise PteError(f"threads is {threads}; it must be positive")
    with ThreadPoolExecutor(threads) as pool:
        shards = list(pool.map(lambda part: _shard(part, tokeniser), _shares(documents, threads)))
    merged, *others = (shard.vocabulary for shard in shards)
    own = np.arange(merged.counts.size, dtype=np.int32)
    places: list[Int32Array] = [own, *(merged.merge(vocabulary) for vocabulary in others)]
    allowed = _allowed(merged, only)
    words, ranks = _ranked(merged, allowed)

    lengths, known = [], []
    with tempfile.TemporaryFile() as file:
        for shard, place in zip(shards, places, strict=True):
            final, counted = ranks[place], allowed[place]
            for numbers, offsets in _numbers(shard):
                ranked = final[numbers]
                kept = ranked >= 0
                known.append(_of_each(kept, offsets))
                lengths.append(_of_each(counted[numbers], offsets))
                file.write(ranked[kept].data)
        tokens = _mapped(file)
    return Numbered(words, tokens, _joined(known), _joined(lengths))


def _numbers(shard: _Shard) -> Iterator[tuple[Int32Array, IntArray]]:
    """The numbers and the offsets of each block. The file of the shard goes at the end."""
    with shard.numbers as file:
        file.seek(0)
        for offsets in shard.offsets:
            content = file.read(4 * int(offsets[-1]))
            yield np.frombuffer(content, np.int32), offsets


def _mapped(file: IO[bytes]) -> Int32Array:
    """What a file of int32 holds, mapped; it stays when the file is closed."""
    file.flush()
    if not file.tell():  # nothing cannot be mapped
        return np.zeros(0, np.int32)
    return np.memmap(file, np.int32, "r")


def _shares(documents: Sequence[Document], threads: int) -> list[Sequence[Document]]:
    """Cut the documents into parts of about the same size in bytes."""
    ends = np.cumsum([0, *(len(document.content) for document in documents)])
    cuts = np.searchsorted(ends[1:], np.arange(1, threads) / threads * ends[-1])
    edges = [0, *cuts.tolist(), len(documents)]
    return [documents[a:b] for a, b in pairwise(edges)]


def _shard(documents: Sequence[Document], tokeniser: Tokeniser) -> _Shard:
    vocabulary = Vocabulary()
    file = tempfile.TemporaryFile()  # noqa: SIM115, `_numbers` closes it
    blocks = []
    for block in _blocks(documents):
        texts = [tokeniser.prepare(document.text) for document in block]
        counted = np.array([document.part == TRAIN for document in block])
        numbers, offsets = vocabulary.number(texts, counted, tokeniser.table)
        file.write(np.ascontiguousarray(numbers).data)
        blocks.append(offsets)
    return _Shard(vocabulary, file, blocks)


def _blocks(documents: Sequence[Document]) -> Iterator[list[Document]]:
    block: list[Document] = []
    size = 0
    for document in documents:
        block.append(document)
        size += len(document.content)
        if size >= _BLOCK:
            yield block
            block, size = [], 0
    if block:
        yield block


def _of_each(which: BoolArray, offsets: IntArray) -> IntArray:
    """How many tokens of each document are among `which`."""
    return np.diff(np.concatenate([[0], np.cumsum(which)])[offsets])


def _allowed(vocabulary: Vocabulary, only: frozenset[bytes] | None) -> BoolArray:
    """Which words are in `only`: all of them without it."""
    if only is None:
        return np.ones(vocabulary.counts.size, np.bool_)
    return np.array([word in only for word in vocabulary.words()], np.bool_)


def _ranked(vocabulary: Vocabulary, allowed: BoolArray) -> tuple[tuple[bytes, ...], Int32Array]:
    """Order the counted words. Returns them, and the place of every word among them, or -1."""
    words, counts = vocabulary.words(), vocabulary.counts
    in_byte_order = sorted(np.flatnonzero(counts * allowed).tolist(), key=words.__getitem__)
    order = np.array(in_byte_order, np.int64)
    order = order[np.argsort(-counts[order], kind="stable")]
    ranks = np.full(len(words), -1, np.int32)
    ranks[order] = np.arange(order.size)
    return tuple(words[i] for i in order), ranks


def _joined(parts: list[IntArray]) -> IntArray:
    return np.concatenate(parts) if parts else np.zeros(0, np.int64)
