"""Features of documents: TF-IDF of words, pairs of neighbouring words, and runs of letters."""

from collections.abc import Sequence
from itertools import chain
from typing import Any, cast, overload

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pte.corpora.encoded import TRAIN, EncodedCorpus
from pte.corpora.row import SparseRow, beside
from pte.machine import require

Sparse = sparse.csr_array | SparseRow  # a row for each document

BYTES_PER_TOKEN = 48  # most that `tf_idf` holds at a time; 38 were measured
_BLOCK = 2**15  # how many rows are scaled at a time; this bounds the memory


def tf_idf(corpus: EncodedCorpus, rare: NDArray[np.float32] | None = None) -> sparse.csr_array:
    """Return the TF-IDF of words, float32, (documents, words); `rare` is the training's rarity."""
    rare = word_rarity(corpus) if rare is None else rare
    return sparse.csr_array(weigh(_word_counts(corpus), rare))


def word_rarity(corpus: EncodedCorpus) -> NDArray[np.float32]:
    """Return the `rarity` of the words of a corpus. Raises `PteError` as `tf_idf` does."""
    return rarity(some_rows(_word_counts(corpus), corpus.documents(TRAIN)))


def _word_counts(corpus: EncodedCorpus) -> sparse.csr_array:
    whole = corpus.tokens.size
    require(BYTES_PER_TOKEN * whole, "TF-IDF", f"{whole} tokens")
    return corpus.counts_between(0, corpus.n_documents)  # not kept, as many are large


def rarity(counts: sparse.csr_array) -> NDArray[np.float32]:
    """Return log((1 + n) / (1 + df)) + 1 of n training documents, of which df hold the feature."""
    held = np.bincount(counts.indices, minlength=counts.shape[1])
    share = np.float32(1 + counts.shape[0]) / (1 + held).astype(np.float32)
    return np.asarray(np.log(share) + 1)


def holding(rows: Sparse, data: NDArray[Any]) -> Any:
    """Return sparse rows with other numbers in the same places."""
    if isinstance(rows, SparseRow):
        return rows.holding(data)
    return sparse.csr_array((data, rows.indices, rows.indptr), rows.shape)


def side_by_side(*blocks: Any) -> Any:
    """Return the columns of several blocks of the same rows."""
    if isinstance(blocks[0], SparseRow):
        return beside(blocks)
    return sparse.csr_array(sparse.hstack(blocks))


def weigh(counts: Sparse, rare: NDArray[np.float32]) -> Any:
    """Return counts times `rarity`, rows L2-normalised, float32, shape (documents, features)."""
    return unit_rows(holding(counts, counts.data * rare[counts.indices]))


def dampened(counts: Sparse) -> Any:
    """Return 1 + log n in place of each count n, float32: a word that comes often is one topic."""
    return holding(counts, 1 + np.log(counts.data))


def some_rows(features: Any, which: NDArray[np.int64] | None) -> Any:
    """Return the rows of ascending numbers, and no copy of all rows."""
    return features if which is None or which.size == features.shape[0] else features[which]


@overload
def unit_rows(features: NDArray[np.float32]) -> NDArray[np.float32]: ...
@overload
def unit_rows(features: Sparse) -> Any: ...
def unit_rows(features: NDArray[np.float32] | Sparse) -> Any:
    """Divide rows, dense or sparse, by their Euclidean length, in float32; a zero row stays."""
    if isinstance(features, np.ndarray):
        lengths = np.sqrt(np.einsum("ij,ij->i", features, features))
        return features / np.where(lengths == 0, np.float32(1), lengths)[:, None]
    data = np.empty_like(features.data)
    for first in range(0, features.shape[0], _BLOCK):
        ends = features.indptr[first : first + _BLOCK + 1]
        part, sizes = features.data[ends[0] : ends[-1]], np.diff(ends)
        row_of = np.repeat(np.arange(sizes.size), sizes)
        lengths = np.sqrt(np.bincount(row_of, part**2, minlength=sizes.size))
        data[ends[0] : ends[-1]] = part / np.where(lengths == 0, 1, lengths)[row_of]
    return holding(features, data)


FEWEST_DOCUMENTS = 2  # training documents that must hold a pair; most are in one
_BYTES_PER_PAIR = 80  # most that pairs hold at a time, for each token
Pairs = NDArray[np.int64]  # ascending: first word · number of words + second word


def frequent_pairs(corpus: EncodedCorpus) -> Pairs:
    """Return the ordered pairs that at least `FEWEST_DOCUMENTS` training documents hold."""
    keys, document = _pairs_in(corpus)
    found, pair = np.unique_inverse(keys)
    counts = _table(document, pair, (corpus.n_documents, found.size))
    in_documents = np.bincount(counts[corpus.split == TRAIN].indices, minlength=found.size)
    return found[in_documents >= FEWEST_DOCUMENTS]


def counts_with(corpus: EncodedCorpus, pairs: Pairs | None) -> Any:
    """Return the counts of words and, behind them, of `pairs`, float32, a row for each document."""
    return corpus.rows if pairs is None else side_by_side(corpus.rows, pair_counts(corpus, pairs))


def pair_counts(corpus: EncodedCorpus, pairs: Pairs) -> Sparse:
    """Return how often each pair is in each document, float32, shape (documents, pairs)."""
    if isinstance(corpus.rows, SparseRow):
        return SparseRow.counting(_keys(corpus, ...), 0).among(pairs)
    keys, document = _pairs_in(corpus)
    places = np.searchsorted(pairs, keys)
    known = places < pairs.size
    known[known] = pairs[places[known]] == keys[known]
    return _table(document[known], places[known], (corpus.n_documents, pairs.size))


def _pairs_in(corpus: EncodedCorpus) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the key of each pair of neighbouring tokens, and the document that holds the pair."""
    tokens = corpus.tokens
    require(_BYTES_PER_PAIR * tokens.size, "word pairs", f"{tokens.size} tokens")
    document = np.repeat(np.arange(corpus.n_documents, dtype=np.int32), np.diff(corpus.offsets))
    inside = document[:-1] == document[1:]
    return _keys(corpus, inside), document[:-1][inside]


def _keys(corpus: EncodedCorpus, some: Any) -> NDArray[np.int64]:
    firsts = corpus.tokens[:-1][some].astype(np.int64)
    return np.asarray(firsts * corpus.n_words + corpus.tokens[1:][some])


def _table(
    rows: NDArray[np.int32], columns: NDArray[np.int64], shape: tuple[int, int]
) -> sparse.csr_array:
    ones = np.ones(rows.size, np.float32)
    return sparse.csr_array(sparse.coo_array((ones, (rows, columns)), shape))


LENGTHS = 3, 5  # of runs, in characters; the space around a word counts as one
_RUNS = 1 << 16  # how many runs are hashed at a time
BITS = 20  # Runs are counted by a hash of so many bits. Two runs with one hash count as one


def letters_of(corpus: EncodedCorpus, runs: NDArray[np.int64] | None = None) -> Any:
    """Count the runs of letters, those of hashes `runs` or all, also in the words of `unknown`."""
    parts = [corpus] if corpus.unknown is None else [corpus, corpus.unknown]
    if isinstance(corpus.rows, SparseRow):
        return _letters_of_one([(each.words, cast("SparseRow", each.rows)) for each in parts], runs)
    counted = [count_letters(each.words, each.counts) for each in parts]
    some = [each if runs is None else sparse.csr_array(each[:, runs]) for each in counted]
    found = sparse.csr_array(sum(some[1:], some[0]))
    found.sort_indices()
    return found


def _letters_of_one(
    parts: Sequence[tuple[Sequence[bytes], SparseRow]], runs: NDArray[np.int64] | None
) -> SparseRow:
    known = [words[i] for words, row in parts for i in row.indices.tolist()]
    columns, lengths = hashed_runs(known)
    times = np.repeat(np.concatenate([row.data for _, row in parts]), lengths)
    found = SparseRow.counting(columns, 2**BITS, times)
    return found if runs is None else found.among(runs)


def count_letters(words: Sequence[bytes], counts: sparse.csr_array) -> sparse.csr_array:
    """Count letter runs inside words, float32, shape (documents, 2 ** `BITS`), from word counts."""
    some = np.flatnonzero(np.bincount(counts.indices, minlength=counts.shape[1])[: len(words)])
    columns, lengths = hashed_runs([words[i] for i in some.tolist()])
    ones, begins = np.ones(columns.size, np.float32), np.concatenate([[0], np.cumsum(lengths)])
    runs = sparse.csr_array((ones, columns, begins), (some.size, 2**BITS))
    found = sparse.csr_array(counts[:, some].astype(np.float32) @ runs)
    found.sort_indices()
    return found


def hashed_runs(words: Sequence[bytes]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the hashes of the runs of letters in words, and how many runs each word has."""
    runs = [_runs(word) for word in words]
    lengths = np.array([len(each) for each in runs], np.int64)
    flat = list(chain.from_iterable(runs))
    blocks = [_hashes(flat[i : i + _RUNS]) for i in range(0, len(flat), _RUNS)]
    return np.concatenate([np.empty(0, np.int64), *blocks]), lengths


def _runs(word: bytes) -> list[bytes]:
    found: list[str] = []
    for part in word.decode("utf-8", "replace").split():
        spaced = f" {part} "
        for n in range(LENGTHS[0], min(LENGTHS[1], len(spaced)) + 1):
            found += [spaced[i : i + n] for i in range(len(spaced) - n + 1)]
    return [run.encode() for run in found]


def _hashes(runs: list[bytes]) -> NDArray[np.int64]:
    """Return `BITS` bits of MurmurHash3 (A. Appleby), as scikit-learn's feature hashing has it."""
    sizes = np.array([len(run) for run in runs], np.uint32)
    rows = np.array(runs, f"S{4 * -(-int(sizes.max()) // 4)}").view("<u4").reshape(sizes.size, -1)
    state = np.zeros(sizes.size, np.uint32)
    for i, block in enumerate(rows.T):
        state ^= _turned(block * np.uint32(0xCC9E2D51), 15) * np.uint32(0x1B873593)
        whole = sizes >= 4 * (i + 1)
        state = np.where(whole, _turned(state, 13) * np.uint32(5) + np.uint32(0xE6546B64), state)
    state ^= sizes
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35), (16, 1)):
        state = (state ^ (state >> np.uint32(shift))) * np.uint32(factor)
    return np.asarray(np.abs(state.view(np.int32).astype(np.int64)) % 2**BITS)


def _turned(numbers: NDArray[np.uint32], bits: int) -> NDArray[np.uint32]:
    return (numbers << np.uint32(bits)) | (numbers >> np.uint32(32 - bits))
