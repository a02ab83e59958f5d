"""The pool that predicts, and the arrays and facts that keep it in a file."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pte.corpora.encoded import EncodedCorpus
from pte.corpora.word_pairs import Pairs, counts_with
from pte.models.pte_auto.experts import LINE_VECTORS, PTE_VECTORS, Expert, Taught
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
