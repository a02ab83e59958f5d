"""The pool that predicts, and the arrays and facts that keep it in a file."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pte.array_file import ArrayFile
from pte.corpora.encoded import EncodedCorpus
from pte.corpora.letters import BITS
from pte.evaluation.calibration import Opinion
from pte.models.pte_auto.experts import (
    EM,
    LETTERS,
    LINE_VECTORS,
    NAMES,
    PTE_VECTORS,
    RARE,
    WORDS,
    Expert,
    Taught,
    seen,
)
from pte.models.pte_auto.material import ENCODER, Material, Reading, Vectors, WordFeatures
from pte.models.pte_auto.pool import pooled

Arrays = Mapping[str, NDArray[Any]]

VECTORS = {PTE_VECTORS: "word_vectors", LINE_VECTORS: "line_vectors"}
"""The names of the arrays of word vectors, by the experts that see them."""


class Pool(NamedTuple):
    """What predicts: the taught experts that count, their weights, and how documents are read.

    `vectors` are those of words.
    """

    taught: tuple[Taught, ...]
    weights: NDArray[np.float64]
    reading: Reading
    vectors: Vectors

    def opinion(self, corpus: EncodedCorpus) -> Opinion:
        """Return the pool's opinion of all documents of a corpus, whose words are those learnt."""
        material = Material.of(WordFeatures(corpus, self.reading), self.vectors)
        opinions = [each.opinion(seen(each.expert, material)) for each in self.taught]
        return pooled(np.stack(opinions), self.weights)

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays that `of` reads."""
        reading = self.reading
        arrays: dict[str, NDArray[Any]] = {"weights": self.weights, "rarity": reading.rarity}
        arrays |= {VECTORS[expert]: vectors for expert, vectors in self.vectors.items()}
        arrays |= {"letters": reading.letters, "letters_rarity": reading.letters_rarity}
        if reading.pairs is not None:
            arrays["pairs"] = reading.pairs
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
        vectors = {expert: arrays[name] for expert, name in VECTORS.items() if name in arrays}
        taught = []
        for i, expert in enumerate(facts["taught"]):
            known = f"expert{i}_"
            own = {k.removeprefix(known): v for k, v in arrays.items() if k.startswith(known)}
            taught.append(Taught.of(Expert(expert["name"], tuple(expert["values"])), own))
        rare = arrays["rarity"], arrays["letters"], arrays["letters_rarity"]
        reading = Reading(arrays.get("pairs"), *rare, facts["length"])
        return cls(tuple(taught), arrays["weights"], reading, vectors)


def check_pool(kept: ArrayFile) -> int:
    """Check the arrays and facts of a `Pool`; return the number of classes. Raises `PteError`."""
    n_pairs = kept.array("pairs", "int64", "pairs").size if "pairs" in kept else 0
    n_words = kept.lengths["words"]
    kept.array("rarity", "float32", n_words + n_pairs)
    if any(name in kept for name in VECTORS.values()):
        for name in VECTORS.values():
            kept.array(name, "float32", n_words, "dim")
    n_letters = kept.distinct("letters", 2**BITS, "runs of letters").size
    kept.array("letters_rarity", "float32", n_letters)
    kept.fact("length", float)
    taught = kept.fact("taught", [{"name": str, "values": [float]}])
    kept.array("weights", "float64", len(taught))
    for i, expert in enumerate(taught):
        name, values = expert["name"], expert["values"]
        if len(values) != NAMES.get(name):
            raise kept.fault(f"its expert {name!r} is not known")
        sees_pairs = name != WORDS or values[1]
        columns: int | str = n_words + (n_pairs if sees_pairs else 0) + (name != EM)  # the bias
        if name in VECTORS:
            columns = kept.lengths.get("dim", 0) + 1
        elif name == LETTERS:
            columns = n_letters + 1
        elif name == ENCODER:
            columns = "numbers of the encoder"
        elif name == RARE:
            columns = 0
        _check_expert(kept.part(f"expert{i}_"), name, columns)
    if not taught:
        raise kept.fault("it has no expert")
    return kept.lengths["classes"]


def _check_expert(kept: ArrayFile, name: str, seen: int | str) -> None:
    """Check the arrays of an expert that sees so many features; raises `PteError`."""
    n = kept.lengths["classes"]
    classes = kept.distinct("classes", n, f"classes of {kept.beginning}")
    if kept.array("n_classes", "int64") != n or classes.size < 1 + (name not in (EM, RARE)):
        raise kept.fault(f"{kept.beginning}n_classes is not {n}")
    if (classes[1:] < classes[:-1]).any():
        raise kept.fault(f"{kept.beginning}classes do not rise")
    if name in (EM, RARE):
        kept.array("priors", "float64", classes.size)
        kept.array("words", "float64", classes.size, seen)
        return
    kept.array("weights", "float64", seen, 1 if classes.size == 2 else classes.size)
    if not np.array_equal(np.sort(kept.numbers("order", n, classes.size)), classes):
        raise kept.fault(f"{kept.beginning}order is not one of its classes")
