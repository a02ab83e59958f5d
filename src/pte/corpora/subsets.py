"""Subsets of corpora with fewer labels or less text, for learning curves.

The subsets of one seed are nested, so a curve shows what more documents bring. Subsets of labels
are stratified. Test documents and the vocabulary do not change.
"""

import re
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from pte.corpora.encoded import TEST, TRAIN, UNLABELLED, EncodedCorpus
from pte.errors import PteError

SHARE = r"[0-9]+(?:\.[0-9]+)?"
SHARES = rf"(?:-labelled{SHARE})?(?:-unlabelled{SHARE})?"
PARTS = rf"{SHARES}(?:-hidden)?"
NAME = rf"[^-]+{PARTS}(?:-seed[0-9]+)?"
PATTERN = rf"{PARTS}-seed[0-9]+"  # the end of a subset's name, behind its corpus

KEPT = 0.8  # share of the labelled documents that `with_judges` trains on


@dataclass(frozen=True)
class Subset:
    """A corpus with `labelled` percent of its labels and `unlabelled` percent of its other text.

    In a `hidden` subset, `with_judges` has replaced the test documents. Without a seed, it stands
    for the subsets of all seeds.
    """

    base: str
    labelled: float = 100
    unlabelled: float = 100
    seed: int | None = None
    hidden: bool = False

    @property
    def name(self) -> str:
        """The name of the subset's folder; the name of the corpus if it is all of the corpus."""
        if self.labelled == self.unlabelled == 100 and not self.hidden:
            return self.base
        of_seed = "" if self.seed is None else f"-seed{self.seed}"
        parts = {"labelled": self.labelled, "unlabelled": self.unlabelled}
        left_out = "".join(
            f"-{key}{np.format_float_positional(part, trim='-')}"  # all digits, and no exponent
            for key, part in parts.items()
            if part != 100
        )
        return f"{self.base}{left_out}{'-hidden' if self.hidden else ''}{of_seed}"

    @property
    def whole(self) -> "Subset":
        """The same subset, but not hidden."""
        return replace(self, hidden=False)

    @staticmethod
    @cache  # planning thousands of jobs asks for the same few hundred names
    def parse(name: str) -> "Subset":
        """Find the subset that has this name. Raises `PteError` when no subset can have it."""
        if not re.fullmatch(NAME, name):
            raise PteError(
                f"{name!r} is not the name of a corpus, such as mr, or of a part of one, such as "
                "mr-labelled2.5, mr-labelled10-unlabelled0 or mr-labelled10-seed1"
            )
        base, *parts = name.split("-")
        hidden = "hidden" in parts
        given = [part for part in parts if part != "hidden"]
        numbers = {key: value for key, value in (re.findall(r"[a-z]+|[0-9.]+", p) for p in given)}
        seed = numbers.pop("seed", None)
        shares = {key: float(value) for key, value in numbers.items()}
        return Subset(base, **shares, seed=None if seed is None else int(seed), hidden=hidden)

    def of(self, corpus: EncodedCorpus) -> EncodedCorpus:
        """Take this subset of `corpus`. Raises `PteError` when a percentage is out of range."""
        seed = self.seed or 0
        some = with_labels(corpus, self.labelled / 100, seed)
        left = with_unlabelled(some, self.unlabelled / 100, seed)
        text = left.n_training_tokens / max(1, corpus.n_training_tokens)
        left = replace(left, meta={**corpus.meta, "text_share": text})
        return with_judges(left, seed) if self.hidden else left


def with_labels(corpus: EncodedCorpus, share: float, seed: int) -> EncodedCorpus:
    """Keep the labels of a random `share` of the labelled training documents of each class."""
    if not 0 < share <= 1:
        raise PteError(f"labels: the share is {share}; it must be above 0 and at most 1")
    labelled = _shuffled(find_labelled(corpus), seed)
    classes = np.asarray(corpus.labels[labelled])
    labels = np.array(corpus.labels)
    for each in np.unique(classes):
        members = labelled[classes == each]
        labels[members[max(1, round(share * members.size)) :]] = UNLABELLED
    if corpus.is_multilabel:
        _keep_each_class(corpus, labelled, labels)
    return replace(corpus, labels=labels)


def _keep_each_class(
    corpus: EncodedCorpus, labelled: NDArray[np.int64], labels: NDArray[np.int32]
) -> None:
    """Give back its label to the first document of a class that is nowhere the first of several."""
    order = np.full(corpus.n_documents, labelled.size)
    order[labelled] = np.arange(labelled.size)
    documents, classes = corpus.class_pairs[np.isin(corpus.class_pairs[:, 0], labelled)].T
    for each in np.unique(classes):
        members = documents[classes == each]
        if (labels[members] == UNLABELLED).all():
            first = members[order[members].argmin()]
            labels[first] = corpus.labels[first]


def with_judges(corpus: EncodedCorpus, seed: int) -> EncodedCorpus:
    """Replace the test documents by a share 1 - `KEPT` of each class's training documents."""
    kept = find_labelled(with_labels(corpus, KEPT, seed))
    return judged_by(corpus, np.setdiff1d(find_labelled(corpus), kept))


def judged_by(corpus: EncodedCorpus, judges: NDArray[np.int64]) -> EncodedCorpus:
    """Return the training documents with `judges` as the test, without text of their groups."""
    split = np.array(corpus.split)
    split[judges] = TEST
    kept = (corpus.split == TRAIN) & ~unlabelled_mates(corpus, judges)
    return replace(corpus, split=split).of_documents(kept)


def unlabelled_mates(corpus: EncodedCorpus, judges: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which documents of a corpus have no label, and the group of a judge, as a mask."""
    if corpus.groups is None:
        return np.zeros(corpus.n_documents, np.bool_)
    judged = corpus.groups[judges]
    alike = np.isin(corpus.groups, judged[judged >= 0])
    return np.asarray(alike & (corpus.labels == UNLABELLED))


def with_unlabelled(corpus: EncodedCorpus, share: float, seed: int) -> EncodedCorpus:
    """Keep a random `share` of the unlabelled training documents; the vocabulary stays."""
    if not 0 <= share <= 1:
        raise PteError(f"unlabelled: the share is {share}; it must be from 0 to 1")
    unlabelled = find_unlabelled(corpus)
    keep = np.ones(corpus.n_documents, bool)
    keep[_shuffled(unlabelled, seed)[round(share * unlabelled.size) :]] = False
    return corpus.of_documents(keep)


def _shuffled(documents: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
    return np.random.default_rng(seed).permutation(documents)


def find_labelled(corpus: EncodedCorpus) -> NDArray[np.int64]:
    """Return the indices of the labelled training documents, in corpus order; maybe none."""
    return np.flatnonzero((corpus.split == TRAIN) & (corpus.labels != UNLABELLED))


def find_unlabelled(corpus: EncodedCorpus) -> NDArray[np.int64]:
    """Return the indices of the unlabelled training documents, in corpus order."""
    return np.flatnonzero((corpus.split == TRAIN) & (corpus.labels == UNLABELLED))


def members(corpus: EncodedCorpus) -> list[NDArray[np.int64]]:
    """Return the labelled training documents of each class; a document may have several classes."""
    documents, classes = corpus.class_pairs[corpus.split[corpus.class_pairs[:, 0]] == TRAIN].T
    order = np.argsort(classes, kind="stable")
    ends = np.cumsum(np.bincount(classes, minlength=corpus.n_classes))
    return np.split(documents[order].astype(np.int64), ends[:-1])


def class_sizes(corpus: EncodedCorpus) -> NDArray[np.int64]:
    """Return how many labelled training documents each class has."""
    return np.array([each.size for each in members(corpus)], np.int64)


def labelled_documents(corpus: EncodedCorpus, method: str) -> NDArray[np.int64]:
    """Return what `find_labelled` returns, if `method` can learn from these documents."""
    documents = find_labelled(corpus)
    if not documents.size:
        raise PteError(f"{method}: no training document has a label")
    if not corpus.n_words:
        raise PteError(f"{method}: the vocabulary is empty; the training documents hold no word")
    sizes = class_sizes(corpus)
    if np.count_nonzero(sizes) == 1:
        raise PteError(f"{method}: the labelled documents are all of one class")
    for name, size in zip(corpus.classes, sizes, strict=True):
        if not size:
            raise PteError(f"{method}: no training document is labelled {name!r}; label one")
    return documents
