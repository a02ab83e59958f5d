"""What a method that classifies documents by itself returns.

Such a method is a module of `pte.models` with `fit_predict(corpus, seed, threads, **options)`. It
learns from the training documents, predicts every test document, and is not told a test label.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Prediction:
    """`predicted` is the class id of each test document, int32, in corpus order.

    `training` is what goes into a JSON file: `samples` (None, or what the method counts), `seconds`
    (float), and what else is worth knowing, such as epochs or what was chosen from which curve.
    """

    predicted: NDArray[np.int32]
    training: dict[str, Any]
