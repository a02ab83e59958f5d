"""Corpora with fewer labels or less text than they have, for learning curves.

The subsets of one seed are nested, and those of labels stratified: a curve shows what more of the
same brings. Test documents and the vocabulary stay as they are.
"""

import re
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pte.corpora.encoded import TRAIN, UNLABELLED, EncodedCorpus
from pte.errors import PteError

SHARE = r"[0-9]+(?:\.[0-9]+)?"
SHARES = rf"(?:-labelled{SHARE})?(?:-unlabelled{SHARE})?"
NAME = rf"[^-]+{SHARES}(?:-seed[0-9]+)?"
PATTERN = rf"{SHARES}-seed[0-9]+"
"""What stands behind a corpus's name in that of a subset of it."""


@dataclass(frozen=True)
class Subset:
    """A corpus with `labelled` percent of its labels, and `unlabelled` percent of other text.

    What has no label then counts as unlabelled, whether it had one before or not. Without a seed it
    stands for the subsets of all seeds.
    """

    base: str
    labelled: float = 100
    unlabelled: float = 100
    seed: int | None = None

    @property
    def name(self) -> str:
        """The name of its folder: that of the corpus itself where nothing is left out."""
        if self.labelled == self.unlabelled == 100:
            return self.base
        of_seed = "" if self.seed is None else f"-seed{self.seed}"
        parts = {"labelled": self.labelled, "unlabelled": self.unlabelled}
        left_out = "".join(f"-{key}{part:g}" for key, part in parts.items() if part != 100)
        return f"{self.base}{left_out}{of_seed}"

    @classmethod
    def parse(cls, name: str) -> "Subset":
        """The subset that has this name. Raises `PteError` when it is not such a name."""
        if not re.fullmatch(NAME, name):
            raise PteError(
                f"{name!r} is not the name of a corpus, such as mr, or of a part of one, such as "
                "mr-labelled2.5, mr-labelled10-unlabelled0 or mr-labelled10-seed1"
            )
        base, *parts = name.split("-")
        numbers = {key: value for key, value in (re.findall(r"[a-z]+|[0-9.]+", p) for p in parts)}
        seed = numbers.pop("seed", None)
        shares = {key: float(value) for key, value in numbers.items()}
        return cls(base, **shares, seed=None if seed is None else int(seed))

    def of(self, corpus: EncodedCorpus) -> EncodedCorpus:
        """This subset of `corpus`. Raises `PteError` when a percentage cannot be one."""
        seed = self.seed or 0
        some = with_labels(corpus, self.labelled / 100, seed)
        left = with_unlabelled(some, self.unlabelled / 100, seed)
        share = left.training_tokens()[0].size / max(1, corpus.training_tokens()[0].size)
        return replace(left, meta={**corpus.meta, "text_share": share})


def with_labels(corpus: EncodedCorpus, share: float, seed: int) -> EncodedCorpus:
    """Of each class the first `share` (0 to 1) of the labelled training documents, at random.

    The text of the others stays, as that of unlabelled ones. At least one document of each class
    keeps its label. Raises `PteError` when `share` is not in (0, 1].
    """
    if not 0 < share <= 1:
        raise PteError(f"labels: the share is {share}; it must be above 0 and at most 1")
    labelled = _shuffled(np.flatnonzero(_is_labelled(corpus)), seed)
    classes = np.asarray(corpus.labels[labelled])
    labels = np.array(corpus.labels)
    for each in np.unique(classes):
        members = labelled[classes == each]
        labels[members[max(1, round(share * members.size)) :]] = UNLABELLED
    return replace(corpus, labels=labels)


def with_unlabelled(corpus: EncodedCorpus, share: float, seed: int) -> EncodedCorpus:
    """The first `share` (0 to 1) of the unlabelled training documents, at random.

    The others are gone. Words that only these had stay in the vocabulary and are never drawn.
    Raises `PteError` when `share` is not in [0, 1].
    """
    if not 0 <= share <= 1:
        raise PteError(f"unlabelled: the share is {share}; it must be from 0 to 1")
    unlabelled = np.flatnonzero((corpus.split == TRAIN) & (corpus.labels == UNLABELLED))
    keep = np.ones(corpus.n_documents, bool)
    keep[_shuffled(unlabelled, seed)[round(share * unlabelled.size) :]] = False
    lengths = np.diff(corpus.offsets)
    return replace(
        corpus,
        tokens=corpus.tokens[np.repeat(keep, lengths)],
        offsets=np.concatenate([[0], np.cumsum(lengths[keep])]),
        labels=np.asarray(corpus.labels[keep]),
        split=np.asarray(corpus.split[keep]),
    )


def _is_labelled(corpus: EncodedCorpus) -> NDArray[np.bool_]:
    return np.asarray((corpus.split == TRAIN) & (corpus.labels != UNLABELLED))


def _shuffled(documents: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
    return np.random.default_rng(seed).permutation(documents)
