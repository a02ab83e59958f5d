"""The pool that predicts, and the arrays and facts that keep it in a file."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pte.array_file import ArrayFile
from pte.corpora.encoded import EncodedCorpus
from pte.corpora.word_pairs import Pairs, counts_with
from pte.models.pte_auto.experts import EM, LINE_VECTORS, NAMES, PTE_VECTORS, WORDS, Expert, Taught
from pte.models.pte_auto.material import Reading
from pte.models.pte_auto.pool import Opinion, pooled

Arrays = Mapping[str, NDArray[Any]]

VECTORS = {PTE_VECTORS: "word_vectors", LINE_VECTORS: "line_vectors"}
"""The names of the arrays of word vectors, by the experts that see them."""


class Pool(NamedTuple):
    """What predicts: the taught experts that count, their weights, and how documents are read.

    `pairs` are the pairs of words that are counted, or None.
    """

    taught: tuple[Taught, ...]
    weights: NDArray[np.float64]
    reading: Reading
    pairs: Pairs | None

    def opinion(self, corpus: EncodedCorpus) -> Opinion:
        """Return the pool's opinion of all documents of a corpus, whose words are those learnt."""
        material = self.reading.material(corpus, counts_with(corpus, self.pairs))
        every = np.arange(corpus.n_documents)
        opinions = np.stack([each.opinion(material, every) for each in self.taught])
        return pooled(opinions, self.weights)

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays that `of` reads."""
        arrays: dict[str, NDArray[Any]] = {"weights": self.weights}
        arrays |= {name: self.reading.vectors[expert] for expert, name in VECTORS.items()}
        arrays |= {f"rarity{i}": each for i, each in enumerate(self.reading.rarities)}
        if self.pairs is not None:
            arrays["pairs"] = self.pairs
        for i, taught in enumerate(self.taught):
            arrays |= {f"expert{i}_{name}": each for name, each in taught.arrays.items()}
        return arrays

    @property
    def facts(self) -> dict[str, Any]:
        """The facts that `of` reads; JSON can hold them."""
        taught = [each.expert._asdict() for each in self.taught]
        return {"length": self.reading.length, "taught": taught}

    @classmethod
    def of(cls, arrays: Arrays, facts: Mapping[str, Any]) -> "Pool":
        """Return the pool that gave these arrays and facts."""
        vectors = {expert: arrays[name] for expert, name in VECTORS.items()}
        rarities = tuple(arrays[f"rarity{i}"] for i in range(1 + ("pairs" in arrays)))
        taught = []
        for i, expert in enumerate(facts["taught"]):
            known = f"expert{i}_"
            own = {k.removeprefix(known): v for k, v in arrays.items() if k.startswith(known)}
            taught.append(Taught.of(Expert(expert["name"], tuple(expert["values"])), own))
        reading = Reading(vectors, rarities, facts["length"])
        return cls(tuple(taught), arrays["weights"], reading, arrays.get("pairs"))


def check_pool(kept: ArrayFile) -> int:
    """Check the arrays and facts of a `Pool`; return the number of classes. Raises `PteError`."""
    n_words = kept.array("word_vectors", "float32", "words", "dim").shape[0]
    kept.array("line_vectors", "float32", "words", "dim")
    kept.array("rarity0", "float32", "words")
    columns = [n_words]
    if "pairs" in kept:
        columns.append(n_words + kept.array("pairs", "int64", "pairs").size)
        kept.array("rarity1", "float32", columns[1])
    kept.fact("length", float)
    taught = kept.fact("taught", [{"name": str, "values": [float]}])
    kept.array("weights", "float64", len(taught))
    for i, expert in enumerate(taught):
        name, values = expert["name"], expert["values"]
        seeing = values[1:] in [[number] for number in range(len(columns))]
        if name not in NAMES or (name == WORDS and not seeing):
            raise kept.fault(f"its expert {name!r} is not known")
        words = columns[int(values[1])] if name == WORDS else columns[-1]
        seen = kept.lengths["dim"] if name in VECTORS else words
        _check_expert(kept.part(f"expert{i}_"), name, seen)
    if not taught:
        raise kept.fault("it has no expert")
    return kept.lengths["classes"]


def _check_expert(kept: ArrayFile, name: str, seen: int) -> None:
    """Check the arrays of an expert that sees so many features; raises `PteError`."""
    n = kept.lengths["classes"]
    classes = kept.distinct("classes", n, f"classes of {kept.beginning}")
    if kept.array("n_classes", "int64") != n or classes.size < 1 + (name != EM):
        raise kept.fault(f"{kept.beginning}n_classes is not {n}")
    if (classes[1:] < classes[:-1]).any():
        raise kept.fault(f"{kept.beginning}classes do not rise")
    if name == EM:
        kept.array("priors", "float64", classes.size)
        kept.array("words", "float64", classes.size, seen)
        return
    kept.array("weights", "float64", seen, 1 if classes.size == 2 else classes.size)
    if not np.array_equal(np.sort(kept.numbers("order", n, classes.size)), classes):
        raise kept.fault(f"{kept.beginning}order is not one of its classes")
