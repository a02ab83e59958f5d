"""Bag of words: TF-IDF of words (paper, section 5.1) and, as an option, of pairs of words."""

from typing import Any

from scipy import sparse

from pte.array_file import ArrayFile
from pte.corpora.encoded import TRAIN, EncodedCorpus
from pte.corpora.tfidf import rarity, tf_idf, weigh, word_rarity
from pte.corpora.word_pairs import counts_with, frequent_pairs
from pte.training.contract import Cost, Learnt, Options, Spec, Task

SPEC = Spec(
    yields="features",
    options={"pairs": {"type": "boolean"}},
    seeded=False,
    sees_labels=lambda options: False,
    ordered=lambda options: bool(options.get("pairs")),
    cost=lambda options: Cost(0.1, 30 if options.get("pairs") else 10),
)


def learn(task: Task) -> Learnt:
    """Learn the `rarity` of each column, float32, and with the option `pairs` which pairs count."""
    corpus = task.corpus
    facts: dict[str, Any] = {"choice": {}, "notes": {}}
    if not task.options.get("pairs"):
        return Learnt({"rarity": word_rarity(corpus)}, facts)
    pairs = frequent_pairs(corpus)
    counts = counts_with(corpus, pairs)
    return Learnt({"rarity": rarity(counts[corpus.documents(TRAIN)]), "pairs": pairs}, facts)


def apply(learnt: Learnt, options: Options, corpus: EncodedCorpus) -> sparse.csr_array:
    """Return the TF-IDF of all documents, sparse, float32, shape (documents, words).

    With the option `pairs`, columns of pairs of neighbouring words follow the columns of words.
    """
    rare, pairs = learnt.arrays["rarity"], learnt.arrays.get("pairs")
    if pairs is None:
        return tf_idf(corpus, rare)
    return weigh(counts_with(corpus, pairs), rare)


def check(kept: ArrayFile, options: Options) -> int:
    """Check the arrays that `learn` gives; return the number of columns. Raises `PteError`."""
    columns = kept.lengths["words"]
    if "pairs" in kept:
        columns += kept.array("pairs", "int64", "pairs").size
    return kept.array("rarity", "float32", columns).size
