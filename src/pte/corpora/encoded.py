"""The encoded corpus: flat arrays that can be memory-mapped, a vocabulary, and its origin."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from pte.corpora.document import TEST as TEST
from pte.corpora.document import TRAIN as TRAIN
from pte.corpora.document import UNLABELLED as UNLABELLED
from pte.corpora.row import SparseRow
from pte.errors import PteError
from pte.files import (
    REMEDY,
    atomic_directory,
    checksum,
    load_arrays,
    read_json,
    save_array,
    write_json,
)
from pte.limits import MOST, refuse_more_than_int32

Targets = NDArray[np.int32] | NDArray[np.bool_]  # a class of each document, or bools of classes

Groups = NDArray[np.int64] | NDArray[np.int32]  # of each document, such as its author

if TYPE_CHECKING:
    from scipy import sparse

_ARRAYS: Mapping[str, DTypeLike] = {
    "tokens": np.int32,
    "offsets": np.int64,
    "labels": np.int32,
    "split": np.uint8,
}
_SOMETIMES = ("groups", "memberships")
REMEDY_OF_ALL = "delete the folder; the next run makes it again"
VOCABULARY = "vocabulary.txt"


@dataclass(frozen=True)
class EncodedCorpus:
    """Documents as word numbers; document d has `tokens[offsets[d] : offsets[d + 1]]`.

    `tokens` and `labels` (or `UNLABELLED`) are int32, `offsets` int64, `split` (`TRAIN`, `TEST`)
    uint8. `words` are bytes, the most frequent first. `memberships`, int32, has an ascending row
    (document, class) for every label where documents have several; else it is None. Its rows count
    only where `labels` has a label, so that code that hides a document's first label hides all of
    them.
    """

    tokens: NDArray[np.int32]
    offsets: NDArray[np.int64]
    labels: NDArray[np.int32]
    split: NDArray[np.uint8]
    words: tuple[bytes, ...]
    classes: tuple[str, ...]
    meta: dict[str, Any] = field(default_factory=dict)
    groups: NDArray[np.int32] | None = None  # such as an author; -1: none
    memberships: NDArray[np.int32] | None = None
    vectors: NDArray[np.float32] | None = None  # an encoder's row for each document; not saved
    unknown: "EncodedCorpus | None" = None  # new words, numbered apart, for letters; not saved

    def __post_init__(self) -> None:
        """Refuse what int32 cannot number, before any kernel counts it."""
        advice = "give fewer or shorter documents"
        refuse_more_than_int32(self.n_documents, "corpus: documents", advice)
        refuse_more_than_int32(self.n_words, "corpus: words", advice)
        if self.tokens.size > MOST:
            longest = int(np.diff(self.offsets).max(initial=0))
            refuse_more_than_int32(longest, "corpus: tokens of one document", advice)

    @property
    def n_words(self) -> int:
        """The number of words in the vocabulary; the paper's |V| is one more."""
        return len(self.words)

    @property
    def n_classes(self) -> int:
        return len(self.classes)

    @property
    def n_documents(self) -> int:
        """The number of documents in both parts, including empty documents."""
        return int(self.labels.size)

    @property
    def is_multilabel(self) -> bool:
        return self.memberships is not None

    @cached_property
    def class_pairs(self) -> NDArray[np.int32]:
        """The rows (document, class) of all labels of all documents, ascending, int32."""
        if self.memberships is None:
            labelled = np.flatnonzero(self.labels != UNLABELLED)
            return np.stack([labelled, self.labels[labelled]], axis=1).astype(np.int32)
        return np.asarray(self.memberships[self.labels[self.memberships[:, 0]] != UNLABELLED])

    @property
    def indicator(self) -> "sparse.csr_array":
        """A mask of the classes that each document has, bool, shape (documents, classes)."""
        from scipy import sparse

        documents, classes = self.class_pairs.T
        ones = np.ones(documents.size, np.bool_)
        shape = (self.n_documents, self.n_classes)
        return sparse.csr_array((ones, (documents, classes)), shape=shape)

    def targets(self, documents: NDArray[np.int64]) -> Targets:
        """Return the class of each document, int32, or the dense rows of `indicator`."""
        if self.is_multilabel:
            return np.asarray(self.indicator[documents].toarray(), np.bool_)
        return np.asarray(self.labels[documents])

    def encoded_rows(self) -> NDArray[np.float32]:
        if self.vectors is None:
            raise PteError("vectors: no encoder has read the documents; give an encoder or vectors")
        return self.vectors

    @property
    def text_share(self) -> float:
        """The share of the training tokens of the whole corpus that this subset has, in (0, 1]."""
        return float(self.meta.get("text_share", 1))

    def documents(self, part: int) -> NDArray[np.int64]:
        """Return the indices of the documents of a part (`TRAIN` or `TEST`), in corpus order."""
        return np.flatnonzero(self.split == part)

    @property
    def n_training_tokens(self) -> int:
        """The number of tokens of the training documents."""
        return int(np.diff(self.offsets)[self.split == TRAIN].sum())

    @cached_property
    def counts(self) -> "sparse.csr_array":
        """The count of each word in each document, float32, shape (documents, words)."""
        return self.counts_between(0, self.n_documents)

    @cached_property
    def rows(self) -> "sparse.csr_array | SparseRow":
        """What `counts` has; one further document, as a service asks for it, is a `SparseRow`."""
        if self.n_documents == 1 and self.split[0] == TEST:
            return SparseRow.counting(np.asarray(self.tokens), self.n_words)
        return self.counts

    def counts_between(self, first: int, last: int) -> "sparse.csr_array":
        """Return the rows `first` to `last` of `counts`, without row `last`."""
        from scipy import sparse  # slow to import, and few callers need it

        begin, end = int(self.offsets[first]), int(self.offsets[last])
        ones = np.ones(end - begin, np.float32)
        words = np.array(self.tokens[begin:end])  # a copy, because it is sorted in place below
        offsets = np.array(self.offsets[first : last + 1]) - begin
        shape = (last - first, self.n_words)
        matrix = sparse.csr_array((ones, words, offsets), shape=shape)
        matrix.sum_duplicates()
        return matrix

    def beginnings(self, n_words: int = 16) -> list[str]:
        """Return a text for each document: its first `n_words` words that are in the vocabulary."""
        starts, ends = self.offsets[:-1], self.offsets[1:]
        heads = [
            self.tokens[start : min(start + n_words, end)]
            for start, end in zip(starts, ends, strict=True)
        ]
        return [
            b" ".join(self.words[token] for token in head).decode("utf-8", "replace")
            for head in heads
        ]

    def with_shuffled_labels(self, seed: int) -> "EncodedCorpus":
        """Return a control: the labels of the labelled training documents are permuted."""
        labels = np.array(self.labels)
        labelled = np.flatnonzero((self.split == TRAIN) & (labels != UNLABELLED))
        shuffled = np.random.default_rng(seed).permutation(labelled)
        labels[labelled] = labels[shuffled]
        if self.memberships is None:
            return replace(self, labels=labels)
        heir = np.arange(self.n_documents, dtype=np.int32)
        heir[shuffled] = labelled
        return replace(self, labels=labels, memberships=_renumbered(self.class_pairs, heir))

    def of_documents(self, keep: NDArray[np.bool_]) -> "EncodedCorpus":
        """Return the corpus of the documents that the mask `keep` marks, with all words."""
        lengths = np.diff(self.offsets)
        memberships = self.memberships
        if memberships is not None:
            pairs = self.class_pairs[keep[self.class_pairs[:, 0]]]
            memberships = _renumbered(pairs, np.cumsum(keep, dtype=np.int32) - 1)
        return replace(
            self,
            tokens=self.tokens[np.repeat(keep, lengths)],
            offsets=np.concatenate([[0], np.cumsum(lengths[keep])]).astype(np.int64),
            labels=np.asarray(self.labels[keep]),
            split=np.asarray(self.split[keep]),
            memberships=memberships,
            groups=None if self.groups is None else np.asarray(self.groups[keep]),
            vectors=None if self.vectors is None else np.asarray(self.vectors[keep]),
            unknown=None if self.unknown is None else self.unknown.of_documents(keep),
        )

    def save(self, path: Path) -> None:
        """Write a folder of .npy files, `vocabulary.txt`, and `corpus.json` with checksums."""
        with atomic_directory(path) as folder:
            for name, dtype in _ARRAYS.items():
                save_array(folder / f"{name}.npy", getattr(self, name).astype(dtype, copy=False))
            if self.groups is not None:
                save_array(folder / "groups.npy", self.groups.astype(np.int32, copy=False))
            if self.is_multilabel:
                save_array(folder / "memberships.npy", self.class_pairs)
            (folder / VOCABULARY).write_bytes(b"".join(w + b"\n" for w in self.words))
            sums = {"checksums": _checksums(folder)}
            write_json(folder / "corpus.json", {**self.meta, "classes": list(self.classes)} | sums)

    @classmethod
    def load(cls, path: Path) -> "EncodedCorpus":
        """Read a folder of `save`, memory-mapped, and check all that a kernel may read."""
        path = Path(path)
        meta = read_json(path / "corpus.json", "classes", "checksums")
        sums = meta.pop("checksums")
        found = _checksums(path)
        for name in sorted({*sums, *found, VOCABULARY}):
            if name not in found or found[name] != sums.get(name):
                harm = "missing, damaged or of another run"
                raise PteError(f"{path / name}: {harm}; {REMEDY_OF_ALL}")
        more = {name: np.int32 for name in _SOMETIMES if f"{name}.npy" in found}
        arrays: dict[str, Any] = load_arrays(path, {**_ARRAYS, **more})
        corpus = cls(
            **arrays,
            words=tuple((path / VOCABULARY).read_bytes().split(b"\n")[:-1]),
            classes=tuple(meta["classes"]),
            meta=meta,
        )
        if fault := _fault(corpus):
            raise PteError(f"{path}: {fault}; {REMEDY}")
        return corpus


def _checksums(folder: Path) -> dict[str, list[int]]:
    """Return the length and the CRC-32 of the vocabulary and of the optional arrays."""
    names = (VOCABULARY, *(f"{name}.npy" for name in _SOMETIMES))
    files = [folder / name for name in names if (folder / name).is_file()]
    sizes = {file: file.stat().st_size for file in files}
    return {file.name: [size, checksum(file, size)] for file, size in sizes.items()}


def _fault(corpus: EncodedCorpus) -> str | None:
    """Return what is wrong with the numbers of a corpus, or None."""
    documents, tokens, offsets = corpus.n_documents, corpus.tokens, corpus.offsets
    flat: list[NDArray[Any]] = [corpus.labels, corpus.split]
    flat += [] if corpus.groups is None else [corpus.groups]
    if any(each.shape != (documents,) for each in flat) or offsets.shape != (documents + 1,):
        return "the files in it do not agree about the number of documents"
    if tokens.ndim != 1 or offsets[0] != 0 or offsets[-1] != tokens.size:
        return "tokens.npy and offsets.npy do not agree"
    if (offsets[1:] < offsets[:-1]).any():
        return "offsets.npy does not rise"
    bounds: list[tuple[str, NDArray[Any], int, int]] = [
        ("tokens", tokens, 0, corpus.n_words),
        ("labels", corpus.labels, UNLABELLED, corpus.n_classes),
        ("split", corpus.split, min(TRAIN, TEST), max(TRAIN, TEST) + 1),
    ]
    if corpus.groups is not None:
        bounds.append(("groups", corpus.groups, -1, MOST + 1))  # a part keeps its numbers
    if corpus.memberships is not None:
        if corpus.memberships.shape[1:] != (2,):
            return "memberships.npy does not hold pairs"
        for numbers, high in zip(corpus.memberships.T, (documents, corpus.n_classes), strict=True):
            bounds.append(("memberships", numbers, 0, high))
    for name, numbers, low, high in bounds:
        if numbers.size and not (low <= numbers.min() and numbers.max() < high):
            return f"{name}.npy: a number is not in {low} … {high - 1}"
    return None


def _renumbered(pairs: NDArray[np.int32], numbers: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return pairs in which document d has become `numbers[d]`, in ascending order."""
    documents, classes = numbers[pairs[:, 0]], pairs[:, 1]
    order = np.lexsort((classes, documents))
    return np.stack([documents, classes], axis=1)[order]


# The true and the predicted classes of documents


def hits(truth: Targets, predicted: Targets) -> NDArray[np.bool_]:
    """Return which documents are predicted right; of several classes, the set must be exact."""
    check_kinds(truth, predicted)
    same = np.asarray(truth == predicted)
    return same if same.ndim == 1 else np.asarray(same.all(axis=1))


def micro_f1(truth: Targets, predicted: Targets) -> float:
    """Return micro-F1 as a share; with one class for each document, it is the accuracy."""
    check_kinds(truth, predicted)
    if truth.ndim == 1:
        return int((truth == predicted).sum()) / truth.size
    marked = int(truth.sum()) + int(predicted.sum())
    return 2 * int((truth & predicted).sum()) / marked if marked else 0.0


def check_kinds(truth: Targets, predicted: Targets) -> None:
    """Raise `PteError` unless both are of the same kind and have the same shape."""
    if truth.ndim != predicted.ndim:
        one, other = ("one class", "several classes")[:: 1 if truth.ndim == 1 else -1]
        raise PteError(f"scores: {other} predicted for documents that have {one}")
    if truth.shape != predicted.shape:
        raise PteError(f"scores: {len(predicted)} predictions for {len(truth)} documents")
