"""Turns documents into word numbers, one shard at a time.

A shard is a run of consecutive documents. A thread, or a job of the workflow, numbers a shard with
a vocabulary of its own. The number of shards changes no result.
"""

import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pte.core.types import BoolArray, Int32Array, IntArray
from pte.corpora.document import Document
from pte.corpora.parts import TRAIN
from pte.corpora.tokenise import Tokeniser
from pte.corpora.vocabulary import Vocabulary
from pte.files import atomic_directory, load_array, map_file, save_array
from pte.shard import shares

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
class NumberedShard:
    """Consecutive documents, numbered by a vocabulary of their own."""

    vocabulary: Vocabulary
    numbers: Int32Array  # word numbers of one document after the other, mapped from a file
    lengths: IntArray  # how many tokens each document has

    def save(self, path: Path) -> None:
        """Write the folder `path`: sealed arrays of words, counts, word numbers and lengths."""
        with atomic_directory(path) as folder:
            lines = b"".join(word + b"\n" for word in self.vocabulary.words())
            save_array(folder / "words.npy", np.frombuffer(lines, np.uint8))
            save_array(folder / "counts.npy", self.vocabulary.counts)
            save_array(folder / "numbers.npy", self.numbers)
            save_array(folder / "lengths.npy", self.lengths)

    @classmethod
    def load(cls, path: Path) -> "NumberedShard":
        """Return the shard in a folder that `save` wrote. Raises `PteError` if it is broken."""
        words = load_array(path / "words.npy").tobytes().split(b"\n")[:-1]
        vocabulary = Vocabulary.of(words, load_array(path / "counts.npy"))
        numbers = load_array(path / "numbers.npy", mapped=True)
        return cls(vocabulary, numbers, load_array(path / "lengths.npy"))


def number(
    documents: Sequence[Document],
    tokeniser: Tokeniser,
    threads: int = 1,
    only: frozenset[bytes] | None = None,
) -> Numbered:
    """Number the words of the training part, the most frequent first, ties in byte order.

    If `only` is given, tokens that are not in it do not count as tokens. Each thread numbers a
    shard; a tokeniser that is called alone has one thread. Numbers lie in temporary files, so that
    memory holds the words, a block of text, and three numbers for each document.
    """
    threads = 1 if tokeniser.alone else threads
    shards = shares_of(documents, threads)
    with ThreadPoolExecutor(threads) as pool:
        numbered = list(pool.map(lambda shard: number_shard(shard, tokeniser), shards))
    return join_numbered(numbered, only)


def shares_of(documents: Sequence[Document], shards: int) -> list[Sequence[Document]]:
    """Cut the documents into `shards` runs of about the same size in bytes."""
    sizes = np.array([len(document.content) for document in documents], np.int64)
    return [documents[first:last] for first, last in shares(sizes, shards)]


def number_shard(documents: Sequence[Document], tokeniser: Tokeniser) -> NumberedShard:
    """Number the words of a shard in the order in which they first occur."""
    vocabulary = Vocabulary()
    lengths: list[IntArray] = []
    blocks = sum(len(document.content) for document in documents) // _TEXT_BLOCK + 1
    with tempfile.TemporaryFile() as file:
        for block in filter(None, shares_of(documents, blocks)):
            texts = [tokeniser.prepare(document.text) for document in block]
            counted = np.array([document.part == TRAIN for document in block])
            numbers, offsets = vocabulary.number(texts, counted, tokeniser.table)
            file.write(np.ascontiguousarray(numbers).data)
            lengths.append(np.diff(offsets))
        return NumberedShard(vocabulary, map_file(file, np.int32), _joined(lengths))


def join_numbered(
    shards: Sequence[NumberedShard], only: frozenset[bytes] | None = None
) -> Numbered:
    """Number the words of all shards together, as `number` says.

    This adds the words of all other shards to the vocabulary of the first shard.
    """
    merged, *others = (shard.vocabulary for shard in shards)
    own = np.arange(merged.counts.size, dtype=np.int32)
    places: list[Int32Array] = [own, *(merged.merge(vocabulary) for vocabulary in others)]
    allowed = np.array([only is None or word in only for word in merged.words()], np.bool_)
    words, ranks = _ranked(merged, allowed)

    lengths, known = [], []
    with tempfile.TemporaryFile() as file:
        for shard, place in zip(shards, places, strict=True):
            final, counted = ranks[place], allowed[place]
            for numbers, offsets in _token_blocks(shard):
                ranked = final[numbers]
                kept = ranked >= 0
                known.append(_of_each(kept, offsets))
                lengths.append(_of_each(counted[numbers], offsets))
                file.write(ranked[kept].data)
        tokens = map_file(file, np.int32)
    return Numbered(words, tokens, _joined(known), _joined(lengths))


def _token_blocks(shard: NumberedShard) -> Iterator[tuple[Int32Array, IntArray]]:
    """Yield the word numbers of a few documents at a time, and the offsets of these documents."""
    offsets = np.concatenate([[0], np.cumsum(shard.lengths)])
    for first, last in shares(shard.lengths, int(offsets[-1]) // _TOKEN_BLOCK + 1):
        begin, end = offsets[first], offsets[last]
        yield np.asarray(shard.numbers[begin:end]), offsets[first : last + 1] - begin


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
