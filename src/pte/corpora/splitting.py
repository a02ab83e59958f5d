"""Splits documents anew into training and test, as an entry of the registry says."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from pte.corpora.document import TEST, TRAIN, Document
from pte.corpora.entry import HeldOut, Rotated, Shuffle
from pte.errors import PteError


def split_anew(documents: Sequence[Document], split: Shuffle | HeldOut | Rotated) -> list[Document]:
    """Split the documents as the `split` of a recipe says."""
    if isinstance(split, Rotated):
        return rotated(documents, split.part, split.seed)
    if isinstance(split, HeldOut):
        return held_out(documents, split.test, split.seed)
    return shuffled_split(documents, split.train, split.seed)


def shuffled_split(documents: Sequence[Document], train: int, seed: int) -> list[Document]:
    """Shuffle the labelled documents, and train with the first `train` and all unlabelled ones."""
    labelled = [document for document in documents if document.label is not None]
    if not 0 < train < len(labelled):
        raise PteError(f"split: train is {train}, but there are {len(labelled)} labelled documents")
    order = np.random.default_rng(seed).permutation(len(labelled))
    shuffled = [
        replace(labelled[i], part=TRAIN if rank < train else TEST) for rank, i in enumerate(order)
    ]
    return shuffled + [replace(d, part=TRAIN) for d in documents if d.label is None]


def rotated(documents: Sequence[Document], part: int, seed: int) -> list[Document]:
    """Let test documents change places with part number `part`, from 1 on, of shuffled training."""
    tests = sum(document.part == TEST for document in documents)
    others = [i for i, d in enumerate(documents) if d.part == TRAIN and d.label is not None]
    shuffled = np.random.default_rng(seed).permutation(others)
    chosen = {int(i) for i in shuffled[(part - 1) * tests : part * tests]}
    if not 0 < len(chosen) == tests:
        raise PteError(
            f"split: part is {part}, but {len(others)} labelled training documents have "
            f"{len(others) // max(tests, 1)} parts of {tests} documents"
        )
    return [replace(each, part=TEST if i in chosen else TRAIN) for i, each in enumerate(documents)]


def held_out(documents: Sequence[Document], share: float, seed: int) -> list[Document]:
    """Hold out about a `share` of the labelled documents, of each class and by whole groups.

    Groups and lone documents, in a random order, are held out if that brings the classes nearer to
    their shares. Each class keeps a document for training.
    """
    units = _units(documents)
    sizes = Counter(name for unit in units for name in _labels(documents, unit))
    quotas = _quotas(sizes, share)
    taken: Counter[str] = Counter()
    tests: set[int] = set()
    for i in np.random.default_rng(seed).permutation(len(units)):
        added = Counter(_labels(documents, units[i]))
        nearer = sum(
            abs(taken[name] + many - quotas[name]) - abs(taken[name] - quotas[name])
            for name, many in added.items()
        )
        if nearer < 0 and all(taken[name] + many < sizes[name] for name, many in added.items()):
            taken.update(added)
            tests.update(units[i])
    if not tests:
        grouped = any(document.group is not None for document in documents)
        labelled = sum(document.label is not None for document in documents)
        what = "group of documents" if grouped else "document"
        raise PteError(
            f"test is {share}: of {labelled} labelled documents, no {what} can be held out; label "
            "more, give a larger share, or say in a column `split` which are for the test"
        )
    return [
        replace(document, part=TEST if i in tests and document.label is not None else TRAIN)
        for i, document in enumerate(documents)
    ]


def _units(documents: Sequence[Document]) -> list[list[int]]:
    """Return groups, and documents without a group, that have a label, as arrays of indices."""
    groups: dict[str, list[int]] = defaultdict(list)
    units = []
    for i, document in enumerate(documents):
        if document.group is not None:
            groups[document.group].append(i)
        elif document.label is not None:
            units.append([i])
    return units + [g for g in groups.values() if any(documents[i].label is not None for i in g)]


def _labels(documents: Sequence[Document], unit: Sequence[int]) -> list[str]:
    return [name for i in unit for name in documents[i].labels]


def _quotas(sizes: Mapping[str, int], share: float) -> dict[str, int]:
    """Return how many documents of each class to hold out, by largest remainders, never all."""
    quotas = {name: min(int(share * size), size - 1) for name, size in sizes.items()}
    missing = round(share * sum(sizes.values())) - sum(quotas.values())
    by_remainder = sorted(sizes, key=lambda name: (quotas[name] - share * sizes[name], name))
    for name in by_remainder:
        if missing > 0 and quotas[name] < sizes[name] - 1:
            quotas[name] += 1
            missing -= 1
    return quotas
