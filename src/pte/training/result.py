"""What a training of word vectors returns."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pte.errors import PteError


@dataclass(frozen=True)
class WordVectors:
    """Vectors of all words, float32, with the edges or pairs trained on, and the seconds."""

    vectors: NDArray[np.float32]
    samples: int
    seconds: float


LOOKED_AT = 256
"""How many last steps of a block have their rows checked: NaN soon spreads to all rows."""


def refuse_divergence(rate: float, *tables: NDArray[np.float32], steps: int | None = None) -> None:
    """Refuse tables that hold NaN or infinity; `rate` is the rate at the start."""
    if not all(np.isfinite(table).all() for table in tables):
        within = "" if steps is None else f" within {steps:,} steps"
        raise PteError(f"training diverged at learning rate {rate}{within}; choose a smaller one")
