"""Bag of words: the TF-IDF of a document's words (paper, section 5.1), and of pairs beside them."""

import numpy as np
from scipy import sparse

from pte.corpora.encoded import TRAIN, EncodedCorpus
from pte.corpora.tfidf import rarity, tf_idf, weigh
from pte.corpora.word_pairs import frequent_pairs, pair_counts
from pte.training.contract import Fitted, Options, Spec, Task


def fit(task: Task) -> Fitted:
    """TF-IDF of all documents, sparse, float32, shape (documents, words).

    With the option `pairs`, columns of pairs of neighbouring words stand behind those of the words.
    """
    return Fitted(_of_words_and_pairs(task.corpus) if _pairs(task.options) else tf_idf(task.corpus))


def _of_words_and_pairs(corpus: EncodedCorpus) -> sparse.csr_array:
    words = corpus.counts.astype(np.float32)
    pairs = pair_counts(corpus, frequent_pairs(corpus))
    counts = sparse.csr_array(sparse.hstack([words, pairs]))
    return weigh(counts, rarity(counts[corpus.documents(TRAIN)]))


def _pairs(options: Options) -> bool:
    return bool(options.get("pairs", False))


SPEC = Spec(
    yields="features",
    options={"pairs": {"type": "boolean"}},
    seeded=False,
    sees_labels=lambda options: False,
    ordered=_pairs,
)
