"""Splits documents anew into training and test, as an entry of the registry says."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pte.corpora.document import Document
from pte.corpora.encoded import TEST, TRAIN
from pte.corpora.entry import HeldOut, Shuffle
from pte.corpora.held_out import held_out
from pte.errors import PteError


def shuffled_split(documents: Sequence[Document], train: int, seed: int) -> list[Document]:
    """Split the documents anew: shuffle the labelled documents, and train with the first `train`.

    The unlabelled documents follow in their order, and are for training, too. Raises `PteError`
    when the training part or the test part would have no labelled document.
    """
    labelled = [document for document in documents if document.label is not None]
    if not 0 < train < len(labelled):
        raise PteError(f"split: train is {train}, but there are {len(labelled)} labelled documents")
    order = np.random.default_rng(seed).permutation(len(labelled))
    shuffled = [
        replace(labelled[i], part=TRAIN if rank < train else TEST) for rank, i in enumerate(order)
    ]
    return shuffled + [replace(d, part=TRAIN) for d in documents if d.label is None]


def split_anew(documents: Sequence[Document], split: Shuffle | HeldOut) -> list[Document]:
    """Split the documents as the `split` of a recipe says."""
    if isinstance(split, HeldOut):
        return held_out(documents, split.test, split.seed)
    return shuffled_split(documents, split.train, split.seed)
