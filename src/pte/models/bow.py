"""Bag of words: TF-IDF of words (paper, section 5.1) and, as an option, of pairs of words."""

from scipy import sparse

from pte.corpora.encoded import TRAIN, EncodedCorpus
from pte.corpora.tfidf import rarity, tf_idf, weigh
from pte.corpora.word_pairs import counts_with, frequent_pairs
from pte.training.contract import Cost, Fitted, Spec, Task

SPEC = Spec(
    yields="features",
    options={"pairs": {"type": "boolean"}},
    seeded=False,
    sees_labels=lambda options: False,
    ordered=lambda options: bool(options.get("pairs")),
    # With pairs, the published scores of 20ng took 3 times as many processor seconds, and those of
    # imdb 4 times.
    cost=lambda options: Cost(5, 48 if options.get("pairs") else 16),
)


def fit(task: Task) -> Fitted:
    """Return the TF-IDF of all documents, sparse, float32, shape (documents, words).

    With the option `pairs`, columns of pairs of neighbouring words follow the columns of words.
    """
    if task.options.get("pairs"):
        return Fitted(_with_pairs(task.corpus))
    return Fitted(tf_idf(task.corpus))


def _with_pairs(corpus: EncodedCorpus) -> sparse.csr_array:
    counts = counts_with(corpus, frequent_pairs(corpus))
    return weigh(counts, rarity(counts[corpus.documents(TRAIN)]))
