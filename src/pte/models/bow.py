"""Bag of words: the TF-IDF of a document's words (paper, section 5.1)."""

from pte.corpora.tfidf import tf_idf
from pte.training.contract import Fitted, Spec, Task

SPEC = Spec(yields="features", seeded=False, sees_labels=lambda options: False)


def fit(task: Task) -> Fitted:
    """TF-IDF of all documents, sparse, float32, shape (documents, words)."""
    return Fitted(tf_idf(task.corpus))
