"""How sure the predictions of a contest's advised method are, and how often they are right then."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pte.classify.registry import method_named
from pte.classify.trial import Tested
from pte.evaluation.calibration import Asked, log_loss, raised, surety

LEVELS = (0.5, 0.7, 0.8, 0.9)
BINS = 10  # parts of equal size, by probability, that the page draws


def how_sure(
    found: Sequence[Tested], truths: Sequence[NDArray[np.int32]], n_unlabelled: int
) -> dict[str, Any]:
    """Return how many documents have at least each probability, and what share of them is right.

    `found` are trials of one method, and `truths` the classes of what they tested. Documents
    without a label are those of the trials that asked some of them, scaled to `n_unlabelled`.
    """
    asked = [
        Asked(t.likely.astype(np.float64), truth) for t, truth in zip(found, truths, strict=True)
    ]
    is_sure = method_named(found[0].method).spec.sure
    power = 1.0 if is_sure else surety(asked)  # as `pte fit` finds it, on other documents
    likely = raised(np.concatenate([each.likely for each in asked]), power)
    truth = np.concatenate([each.truth for each in asked])
    sure, right = likely.max(axis=1), likely.argmax(axis=1) == truth
    free = [
        raised(each.free.astype(np.float64), power).max(axis=1) for each in found if each.free.size
    ]
    others = np.concatenate(free) if free else np.empty(0)
    order = np.argsort(sure, kind="stable")
    return {
        "log_loss": log_loss(np.log(likely), truth),
        "levels": [
            {
                "probability": level,
                "documents": int((sure >= level).sum()),
                "right": _percent(right[sure >= level]),
                "unlabelled": round(n_unlabelled * float((others >= level).mean()))
                if others.size
                else None,
            }
            for level in LEVELS
        ],
        "bins": [
            {
                "documents": part.size,
                "probability": _percent(sure[part]),
                "right": _percent(right[part]),
            }
            for part in np.array_split(order, min(BINS, order.size))
        ],
    }


def _percent(shares: NDArray[Any]) -> float | None:
    return 100 * float(shares.mean()) if shares.size else None
