"""Predictions of any model, for texts in batches, and counts of what was predicted."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from pte.corpora.finding import counted, shown
from pte.errors import PteError

SEPARATOR = ";"
"""The text between several labels of a document, if the user gives none."""

BATCH = 1024
"""How many documents are predicted at a time, which bounds the memory."""

Item = TypeVar("Item")


class Prediction(NamedTuple):
    """What a model says of a document."""

    labels: tuple[str, ...]
    """The labels; none if none is probable enough."""
    probability: float | None
    """The probability of the label; of several labels, that of the least certain decision.

    None for a label that the file had, under another name.
    """
    probabilities: dict[str, float]
    """The probability of each class; empty if it is not asked for."""


@dataclass
class Predictor:
    """A model, what is asked of it, and counts of its predictions.

    The model has `classes_`, `predict_proba` and `count_known`. If it has `encode`, a text is cut
    into words only once. A document has one label, or, if the model has learnt several, any number.
    """

    model: Any
    threshold: float | None = None
    """Below this probability a document gets no label."""
    all_classes: bool = False
    """Whether the probabilities of all classes are asked for."""
    vectors: Any = None
    """What an encoder made of the documents of the file, a row for each; float32."""
    merges: Mapping[str, str] = field(default_factory=dict)
    """Labels that counted as others when the model was learnt, and these."""
    labelled: int = 0
    """Documents that had a label."""
    renamed: int = 0
    """Those of them whose label counted as another."""
    documents: int = 0
    empty: int = 0
    """Documents that got no label."""
    unknown: int = 0
    """Documents without a word that the model knows."""
    classes: list[str] = field(init=False)
    several: bool = field(init=False)

    def __post_init__(self) -> None:
        """Take what does not depend on texts from the model."""
        self.classes = [str(name) for name in self.model.classes_]
        self.several = bool(self.model.several_labels_)

    def known(self, labels: Sequence[str]) -> Prediction | None:
        """Count a document that has labels; return the labels as they were in training.

        None if these are the same.
        """
        names = tuple(dict.fromkeys(self.merges.get(name, name) for name in labels))
        is_other = names != tuple(labels)
        self.labelled += 1
        self.renamed += is_other
        return Prediction(names, None, {}) if is_other else None

    def answers(
        self, texts: Sequence[bytes], labels: Sequence[Sequence[str]]
    ) -> list[Prediction | None]:
        """Predict the next documents of the file that have no labels; of others, see `known`."""
        first = self.documents + self.labelled
        wanted = [i for i, names in enumerate(labels) if not names]
        found = iter(self.predict([texts[i] for i in wanted], [first + i for i in wanted]))
        return [self.known(names) if names else next(found) for names in labels]

    def predict(self, texts: Sequence[bytes], places: Sequence[int] = ()) -> list[Prediction]:
        """Predict the labels of some texts, and count them.

        `places` are those of the texts in the file, for the `vectors`. Raises `PteError` if a text
        has no vector.
        """
        import numpy as np

        from pte.classify.learning import LIKELY

        if not texts:
            return []
        given = self._encoded(texts, places)
        found = np.asarray(self.model.predict_proba(given))
        if self.several:
            likely = found > LIKELY if self.threshold is None else found >= self.threshold
            surest = np.maximum(found, 1 - found).min(axis=1)
        else:
            likely = np.eye(len(self.classes), dtype=np.bool_)[found.argmax(axis=1)]
            surest = found.max(axis=1)
            likely &= (surest >= (self.threshold or 0))[:, None]
        self.documents += len(texts)
        self.empty += int(np.count_nonzero(~likely.any(axis=1)))
        self.unknown += int(np.count_nonzero(np.asarray(self.model.count_known(given)) == 0))
        return [
            Prediction(
                tuple(self.classes[i] for i in np.flatnonzero(row)),
                float(sure),
                dict(zip(self.classes, map(float, each), strict=True)) if self.all_classes else {},
            )
            for row, sure, each in zip(likely, surest, found, strict=True)
        ]

    def _encoded(self, texts: Sequence[bytes], places: Sequence[int]) -> Any:
        if self.vectors is None:
            encode = getattr(self.model, "encode", None)
            return texts if encode is None else encode(texts)
        if max(places) >= len(self.vectors):
            raise PteError(f"--vectors: {len(self.vectors):,} rows, and there are more documents")
        return self.model.encode(texts, vectors=self.vectors[list(places)])

    def read_vectors(self, file: Path | None) -> None:
        """Read the vectors of all documents, if there is a file of them."""
        if file is not None:
            from pte.encoders import read_vectors

            self.vectors = read_vectors(file, None)

    def require_vectors(self) -> None:
        """Raise `PteError` if there are vectors, but not as many as documents."""
        n = self.documents + self.labelled
        if self.vectors is not None and len(self.vectors) != n:
            raise PteError(f"--vectors: {len(self.vectors):,} rows for {n:,} documents")

    def said(self) -> str:
        """Return a line that counts what was predicted."""
        filled = self.documents - self.empty
        said = [self._said_of_known()] if self.labelled else []
        said += [
            f"{filled:,} of {counted(self.documents, 'document gets', 'documents get')} a label"
        ]
        if self.empty:
            said.append(f"{counted(self.empty, 'gets', 'get')} no label")
        if self.unknown:
            have = counted(self.unknown, "holds", "hold")
            said.append(f"{have} no word that the model knows")
        return "; ".join(said)

    def _said_of_known(self) -> str:
        had = f"{counted(self.labelled, 'document', 'documents')} had a label"
        if not self.renamed:
            return had
        pairs = [f"{old!r} as {new!r}" for old, new in self.merges.items()]
        return f"{had}, {self.renamed:,} of them written as in training: {shown(pairs, 3, False)}"


def separator_of(*given: Mapping[str, Any]) -> str:
    """Return what stands between several labels: what the first mapping says, or the usual."""
    return str(next(filter(None, (each.get("separator") for each in given)), SEPARATOR))


def joined(labels: Sequence[str], separator: str, several: bool) -> str:
    """Return labels as a text, which can be read back if documents may have `several`.

    Raises `PteError` for one of several labels that holds the separator itself.
    """
    if several and (bad := next((name for name in labels if separator in name), None)):
        raise PteError(
            f"--separator: label {bad!r} holds {separator!r}, which stands between labels; give "
            "another text"
        )
    return separator.join(labels)


def check_vectors(model: Any, file: Path | None) -> None:
    """Raise `PteError` if a model has no use for the file of vectors, or lacks one."""
    learnt = bool(getattr(model, "_dim", 0))
    if file is None and learnt and model.encoder is None:
        raise PteError(
            "the model has learnt from vectors; give those of these documents: --vectors FILE.npy"
        )
    if file is not None and not learnt:
        raise PteError("--vectors: the model was learnt without vectors; leave it out")


def batches(items: Iterable[Item]) -> Iterator[list[Item]]:
    """Yield lists of at most `BATCH` items."""
    rest = iter(items)
    while batch := list(islice(rest, BATCH)):
        yield batch
