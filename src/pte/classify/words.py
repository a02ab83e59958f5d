"""Which words tell the classes of a text apart."""

import numpy as np

from pte.corpora.encoded import EncodedCorpus
from pte.corpora.labelled import find_labelled, members
from pte.corpora.tfidf import tf_idf

TELLING = 8
"""How many words are returned for a class at most."""

FEWEST = 3
"""A telling word is in at least so many labelled documents of its class.

If no word is in so many, a telling word is in as many as the most frequent word.
"""


def telling_words(corpus: EncodedCorpus) -> list[list[int]]:
    """Return, for each class, the words whose mean TF-IDF there is farthest above the total mean.

    The total mean is over all labelled documents. The difference is divided by the standard
    deviation of the word's TF-IDF, so that words that are in all texts come last.
    """
    weights, present, known = tf_idf(corpus), corpus.counts > 0, find_labelled(corpus)
    of_all = np.asarray(weights[known].mean(axis=0)).ravel()
    variance = np.asarray((weights[known] ** 2).mean(axis=0)).ravel() - of_all**2
    words = []
    for each in members(corpus):
        mean = np.asarray(weights[each].mean(axis=0)).ravel()
        documents = np.asarray(present[each].sum(axis=0)).ravel()
        enough = documents >= min(FEWEST, documents.max(initial=0))
        above = (mean - of_all) / np.sqrt(np.maximum(variance, 1e-12))
        order = np.argsort(-np.where(enough, above, -np.inf), kind="stable")
        words.append([int(word) for word in order[:TELLING] if enough[word]])
    return words
