"""How sure the predictions of a contest's advised method are, and how often they are right then."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2_contingency

from pte.classify.registry import method_named
from pte.classify.trial import Tested
from pte.corpora.encoded import Targets
from pte.evaluation.calibration import Asked, log_loss, raised, surety

LEVELS = (0.5, 0.7, 0.8, 0.9)
BINS = 10  # parts of equal size, by probability, that the page draws


def how_sure(
    found: Sequence[Tested], truths: Sequence[Targets], n_unlabelled: int
) -> dict[str, Any]:
    """Return how many documents have at least each probability, and what share of them is right.

    `found` are trials of one method, and `truths` the classes of what they tested. Documents
    without a label are those of the trials that asked some of them, scaled to `n_unlabelled`.
    """
    asked = [
        Asked(t.likely.astype(np.float64), np.asarray(truth, np.int32))
        for t, truth in zip(found, truths, strict=True)
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


CLEAR, MUCH = 1e-4, 0.1  # the p-value and the distance from which shares of classes differ


def shifted(found: Sequence[Tested], classes: Sequence[str]) -> str | None:
    """Say that documents without a label have other classes than those with one, or None.

    Both are counted as one fit of the method predicts them, so its errors are alike. The distance
    is the part of the documents that would have to change their class.
    """
    first = next((each for each in found if each.free.size), None)
    if first is None:
        return None
    likely = (first.likely, first.free)
    counts = np.array([np.bincount(e.argmax(axis=1), minlength=len(classes)) for e in likely])
    shares = counts / counts.sum(axis=1, keepdims=True)
    apart = np.abs(shares[0] - shares[1])
    seen = counts[:, counts.any(axis=0)]
    if apart.sum() / 2 < MUCH or seen.shape[1] < 2 or chi2_contingency(seen).pvalue > CLEAR:
        return None
    most = int(apart.argmax())
    labelled, free = 100 * shares[:, most]
    return (
        f"Documents without a label differ: {free:.0f}\N{NO-BREAK SPACE}% of them are predicted "
        f"as {classes[most]}, and {labelled:.0f}\N{NO-BREAK SPACE}% of the tested ones. Scores are "
        "for documents like those with a label; pick some to label at random."
    )


def _percent(shares: NDArray[Any]) -> float | None:
    return 100 * float(shares.mean()) if shares.size else None
