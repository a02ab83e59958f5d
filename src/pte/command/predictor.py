"""What a model says of documents of a file, and what was said of how many."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import click

from pte.errors import counted, shown
from pte.tables.columns import Labels


class ToPredict(NamedTuple):
    """A document to predict: its id, text, the labels that stay, and what an encoder made of it."""

    name: str
    text: bytes
    labels: Labels = ()
    vector: Any = None


class Prediction(NamedTuple):
    """What a model says of a document."""

    labels: tuple[str, ...]
    probability: float | None  # of the label or the least certain decision; None: the file's
    probabilities: dict[str, float]


@dataclass
class Predictor:
    """A model, what is asked of it, and counts of its predictions."""

    model: Any
    threshold: Any = None  # below this probability, perhaps of its class, it gets no label
    all_classes: bool = False  # whether the probabilities of all classes are asked for
    merges: Mapping[str, str] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    renames: dict[str, str] = field(default_factory=dict)  # labels of the file, written otherwise
    unknown: dict[str, str] = field(default_factory=dict)  # labels that are no class of the model

    @property
    def classes(self) -> list[str]:
        """The names of the classes."""
        return [str(name) for name in self.model.classes_]

    @property
    def several(self) -> bool:
        """Whether documents may have several labels."""
        return bool(self.model.several_labels_)

    def answers(self, rows: Sequence[ToPredict]) -> list[Prediction | None]:
        """Predict the next documents without labels; of others, return labels as in training."""
        found = iter(self.predict([row for row in rows if not row.labels]))
        known = Counter(row.labels for row in rows if row.labels)
        renamed = {labels: self._renamed(labels) for labels in known}
        self.counts["labelled"] += known.total()
        self.counts["renamed"] += sum(n for labels, n in known.items() if renamed[labels])
        return [renamed[row.labels] if row.labels else next(found) for row in rows]

    def _renamed(self, labels: Labels) -> Prediction | None:
        names = tuple(dict.fromkeys(map(self._spelt, labels)))
        return Prediction(names, None, {}) if names != labels else None

    def _spelt(self, name: str) -> str:
        """Return a label of the file as the model writes it, and note one that it does not know."""
        found = self.merges.get(name, name)
        if found not in self.spellings.values():
            found = self.spellings.get(_key(found), found)
            (self.renames if found != name else self.unknown)[name] = found
        return found

    @cached_property
    def spellings(self) -> dict[str, str]:
        """The classes by what is left where case and ways to write a number do not count."""
        return {_key(name): name for name in self.classes}

    def predict(self, rows: Sequence[ToPredict]) -> list[Prediction]:
        """Predict the labels of documents, and count them."""
        import numpy as np

        from pte.classify.learning import LIKELY

        if not rows:
            return []
        texts, classes, vectors = [row.text for row in rows], self.classes, {}
        if rows[0].vector is not None:
            vectors["vectors"] = np.stack([row.vector for row in rows])
        given = self.model.encode(texts, **vectors)
        found = np.asarray(self.model.predict_proba(given))
        if self.several:
            likely = found > LIKELY if self.threshold is None else found >= self.threshold
            surest = np.maximum(found, 1 - found).min(axis=1)
        else:
            likely = np.eye(len(classes), dtype=np.bool_)[found.argmax(axis=1)]
            surest = found.max(axis=1)
            least = np.broadcast_to(0 if self.threshold is None else self.threshold, len(classes))
            likely &= (surest >= least[found.argmax(axis=1)])[:, None]
        unknown = int(np.count_nonzero(np.asarray(self.model.count_known(given)) == 0))
        empty = int(np.count_nonzero(~likely.any(axis=1)))
        self.counts.update(predicted=len(rows), empty=empty, unknown=unknown)
        return [
            Prediction(
                tuple(classes[i] for i in np.flatnonzero(row)),
                float(sure),
                dict(zip(classes, map(float, each), strict=True)) if self.all_classes else {},
            )
            for row, sure, each in zip(likely, surest, found, strict=True)
        ]

    def say(self) -> None:
        """Print what was predicted."""
        n, said = self.counts, []
        if n["labelled"]:
            had = f"{counted(n['labelled'], 'document', 'documents')} had a label"
            written = {**self.merges, **self.renames}
            pairs = [f"{old!r} as {new!r}" for old, new in written.items()]
            again = f", {n['renamed']:,} of them written as in training: {shown(pairs, 3, False)}"
            said.append(had + (again if n["renamed"] else ""))
        if self.unknown:
            each = shown([*self.unknown], 3)
            what = counted(len(self.unknown), "label is no class", "labels are no classes")
            click.echo(f"Warning: {what} of the model: {each}; they stay as they are", err=True)
        filled = n["predicted"] - n["empty"]
        gets = counted(n["predicted"], "document gets", "documents get")
        said.append(f"{filled:,} of {gets} a label")
        if n["empty"]:
            said.append(f"{counted(n['empty'], 'gets', 'get')} no label")
        if n["unknown"]:
            have = counted(n["unknown"], "holds", "hold")
            said.append(f"{have} no word that the model knows")
        click.echo("; ".join(said), err=True)


def _key(name: str) -> str:
    with suppress(ValueError):
        return repr(float(name))
    return name.strip().casefold()
