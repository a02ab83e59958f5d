"""Runs of letters inside words, as features of documents."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pte.corpora.encoded import EncodedCorpus

LENGTHS = 3, 5
"""The lengths of runs, in characters; the space before and after a word counts as a character."""

BITS = 20
"""Runs are counted by a hash of so many bits. Two runs with one hash count as one."""


def letters_of(corpus: EncodedCorpus, runs: NDArray[np.int64] | None = None) -> sparse.csr_array:
    """Count the runs of letters, those of hashes `runs` or all, also in the words of `unknown`."""
    found = count_letters(corpus.words, corpus.counts)
    if runs is not None:
        found = sparse.csr_array(found[:, runs])
    if corpus.unknown is None:
        return found
    found = sparse.csr_array(found + letters_of(corpus.unknown, runs))
    found.sort_indices()
    return found


def count_letters(words: Sequence[bytes], counts: sparse.csr_array) -> sparse.csr_array:
    """Count letter runs inside words, float32, shape (documents, 2 ** `BITS`), from word counts."""
    from sklearn.feature_extraction.text import HashingVectorizer  # its import takes half a second

    cut = HashingVectorizer(
        analyzer="char_wb",
        ngram_range=LENGTHS,
        lowercase=False,
        n_features=2**BITS,
        alternate_sign=False,
        norm=None,
        dtype=np.float32,
    )
    some = np.flatnonzero(np.bincount(counts.indices, minlength=counts.shape[1])[: len(words)])
    if not some.size:
        return sparse.csr_array((counts.shape[0], 2**BITS), dtype=np.float32)
    runs = cut.transform([words[i].decode("utf-8", "replace") for i in some.tolist()])
    found = sparse.csr_array(counts[:, some].astype(np.float32) @ sparse.csr_array(runs))
    found.sort_indices()
    return found
