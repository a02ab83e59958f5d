"""The encoded corpus: flat arrays that memory-map, a vocabulary, and its origin."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pte.corpora.ids import from_lines, to_lines
from pte.corpora.parts import TEST as TEST
from pte.corpora.parts import TRAIN as TRAIN
from pte.corpora.parts import UNLABELLED as UNLABELLED
from pte.corpora.targets import Targets
from pte.errors import PteError
from pte.files import atomic_directory, load_arrays, read_json, write_json

if TYPE_CHECKING:
    from scipy import sparse

_ARRAYS = {"tokens": np.int32, "offsets": np.int64, "labels": np.int32, "split": np.uint8}
MEMBERSHIPS = "memberships.npy"


@dataclass(frozen=True)
class EncodedCorpus:
    """Documents as word ids.

    `tokens` (int32) holds one document after the other: document d has `offsets[d]` to
    `offsets[d + 1]` (int64, one entry more than there are documents). `labels` (int32) has a class
    or `UNLABELLED` for each document, and `split` (uint8) has `TRAIN` or `TEST`. A word is a byte
    string; `words` starts with the most frequent. `meta` is `corpus.json`: source, hashes,
    tokeniser, counts. `id_lines` (uint8) is the content of `ids.txt`, which text of the user's own
    has.

    Where documents have several labels, `labels` has the first, and `memberships` (int32, shape
    (pairs, 2)) has a row (document, class) for every label, in ascending order; else it is None.
    The rows of a document count only while `labels` has one for it, so that whoever hides the first
    label hides all.
    """

    tokens: NDArray[np.int32]
    offsets: NDArray[np.int64]
    labels: NDArray[np.int32]
    split: NDArray[np.uint8]
    words: tuple[bytes, ...]
    classes: tuple[str, ...]
    meta: dict[str, Any] = field(default_factory=dict)
    groups: NDArray[np.int32] | None = None
    """The group of each document, such as its author, or -1; None where no document has one."""
    id_lines: NDArray[np.uint8] | None = None
    memberships: NDArray[np.int32] | None = None

    @property
    def n_words(self) -> int:
        """How many words the vocabulary has; the paper's |V| is one more."""
        return len(self.words)

    @property
    def n_classes(self) -> int:
        """How many classes there are."""
        return len(self.classes)

    @property
    def n_documents(self) -> int:
        """How many documents there are, in both parts, empty ones included."""
        return int(self.labels.size)

    @property
    def is_multilabel(self) -> bool:
        """Whether documents may have several labels."""
        return self.memberships is not None

    @cached_property
    def class_pairs(self) -> NDArray[np.int32]:
        """A row (document, class) for every label of every document, ascending, int32."""
        if self.memberships is None:
            labelled = np.flatnonzero(self.labels != UNLABELLED)
            return np.stack([labelled, self.labels[labelled]], axis=1).astype(np.int32)
        return np.asarray(self.memberships[self.labels[self.memberships[:, 0]] != UNLABELLED])

    @property
    def indicator(self) -> "sparse.csr_array":
        """Which classes each document has, bool, shape (documents, classes)."""
        from scipy import sparse

        documents, classes = self.class_pairs.T
        ones = np.ones(documents.size, np.bool_)
        shape = (self.n_documents, self.n_classes)
        return sparse.csr_array((ones, (documents, classes)), shape=shape)

    def targets(self, documents: NDArray[np.int64]) -> Targets:
        """What a classifier learns of these documents, or should say of them.

        The class of each, int32; in a multi-label corpus the rows of `indicator`, dense.
        """
        if self.is_multilabel:
            return np.asarray(self.indicator[documents].toarray(), np.bool_)
        return np.asarray(self.labels[documents])

    @property
    def text_share(self) -> float:
        """The part of the training tokens of the whole corpus that this subset has, in (0, 1]."""
        return float(self.meta.get("text_share", 1))

    @cached_property
    def ids(self) -> tuple[str, ...] | None:
        """The ids of the documents in corpus order, if the corpus has some."""
        return None if self.id_lines is None else from_lines(self.id_lines)

    def documents(self, part: int) -> NDArray[np.int64]:
        """List the documents of a part (`TRAIN` or `TEST`), in corpus order."""
        return np.flatnonzero(self.split == part)

    def training_tokens(
        self,
    ) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32]]:
        """Copy the tokens, offsets and labels of the training documents alone."""
        keep = self.split == TRAIN
        lengths = np.diff(self.offsets)
        tokens = self.tokens[np.repeat(keep, lengths)]
        offsets = np.concatenate([[0], np.cumsum(lengths[keep])]).astype(np.int64)
        return tokens, offsets, np.asarray(self.labels[keep])

    @cached_property
    def counts(self) -> "sparse.csr_array":
        """How often each word occurs in each document, float32, shape (documents, words)."""
        return self.counts_between(0, self.n_documents)

    def counts_between(self, first: int, last: int) -> "sparse.csr_array":
        """The rows `first` to `last`, without the last, of `counts`."""
        from scipy import sparse  # slow to import, and few need it

        begin, end = int(self.offsets[first]), int(self.offsets[last])
        ones = np.ones(end - begin, np.float32)
        words = np.array(self.tokens[begin:end])  # sorted in place below
        offsets = np.array(self.offsets[first : last + 1]) - begin
        shape = (last - first, self.n_words)
        matrix = sparse.csr_array((ones, words, offsets), shape=shape)
        matrix.sum_duplicates()
        return matrix

    def beginnings(self, n_words: int = 16) -> list[str]:
        """Join the first words of each document that are in the vocabulary, as text."""
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
        """Permute the labels of the labelled training documents. This makes a control.

        A document gets all labels of another one.

        A method that learns from them learns nothing about the test labels, which do not change.
        """
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
        """Keep the documents of a mask, and all words."""
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
            id_lines=None if self.ids is None else to_lines(compress(self.ids, keep)),
        )

    def save(self, path: Path) -> None:
        """Write the folder `path`: an .npy for each array, `vocabulary.txt`, `corpus.json`.

        A corpus whose documents have one label has no `memberships.npy`.
        Each line of `vocabulary.txt` has the exact bytes of a word, whatever their encoding.
        """
        with atomic_directory(path) as folder:
            for name, dtype in _ARRAYS.items():
                np.save(folder / f"{name}.npy", getattr(self, name).astype(dtype, copy=False))
            if self.groups is not None:
                np.save(folder / "groups.npy", self.groups.astype(np.int32, copy=False))
            if self.is_multilabel:
                np.save(folder / MEMBERSHIPS, self.class_pairs)
            (folder / "vocabulary.txt").write_bytes(b"".join(w + b"\n" for w in self.words))
            if self.id_lines is not None:
                (folder / "ids.txt").write_bytes(self.id_lines.tobytes())
            write_json(folder / "corpus.json", {**self.meta, "classes": list(self.classes)})

    @classmethod
    def load(cls, path: Path) -> "EncodedCorpus":
        """Open a folder that `save` wrote, memory-mapped. Raises `PteError` if it is broken."""
        path = Path(path)
        meta = read_json(path / "corpus.json")
        arrays = load_arrays(path, _ARRAYS)
        if not (path / "vocabulary.txt").is_file():
            raise PteError(f"{path}: vocabulary.txt is missing; delete the folder and run again")
        has_ids = (path / "ids.txt").is_file()
        ids = np.memmap(path / "ids.txt", np.uint8, "r") if has_ids else None
        tokens, offsets = arrays["tokens"], arrays["offsets"]
        words = tuple((path / "vocabulary.txt").read_bytes().split(b"\n")[:-1])
        groups = None
        if (path / "groups.npy").is_file():
            groups = load_arrays(path, ["groups"])["groups"]
        agree = (
            arrays["labels"].size == arrays["split"].size == offsets.size - 1
            and offsets[-1] == tokens.size
            and (groups is None or groups.size == offsets.size - 1)
            and tokens.max(initial=-1) < len(words)
            and (ids is None or np.count_nonzero(ids == ord("\n")) == offsets.size - 1)
        )
        if not (agree and "classes" in meta):
            raise PteError(f"{path}: the files in it do not agree; delete it and run again")
        corpus = cls(
            **arrays,
            words=words,
            classes=tuple(meta["classes"]),
            meta=meta,
            groups=groups,
            id_lines=ids,
        )
        if not (path / MEMBERSHIPS).is_file():
            return corpus
        memberships = load_arrays(path, ["memberships"])["memberships"]
        if not _agrees(memberships, corpus):
            raise PteError(
                f"{path}: memberships.npy and labels.npy do not agree; delete the folder and run "
                "again"
            )
        return replace(corpus, memberships=memberships)


def _renumbered(pairs: NDArray[np.int32], numbers: NDArray[np.int32]) -> NDArray[np.int32]:
    """Pairs whose document d became `numbers[d]`, ascending."""
    documents, classes = numbers[pairs[:, 0]], pairs[:, 1]
    order = np.lexsort((classes, documents))
    return np.stack([documents, classes], axis=1)[order]


def _agrees(memberships: NDArray[np.int32], corpus: EncodedCorpus) -> bool:
    """Whether pairs rise, and name the first label of every labelled document, and no other."""
    if memberships.ndim != 2 or memberships.shape[1] != 2:
        return False
    documents, classes = memberships.T.astype(np.int64)
    bounds = ((documents, corpus.n_documents), (classes, corpus.n_classes))
    if not all(ids.min(initial=0) >= 0 and ids.max(initial=-1) < n for ids, n in bounds):
        return False
    keys = documents * corpus.n_classes + classes
    labelled = np.flatnonzero(corpus.labels != UNLABELLED)
    firsts = labelled * corpus.n_classes + corpus.labels[labelled]
    return bool(
        (np.diff(keys) > 0).all()
        and np.array_equal(np.unique(documents), labelled)
        and np.isin(firsts, keys).all()
    )
