"""95 % intervals of a share of documents."""

import numpy as np

ERRORS = 1.96
"""How many standard errors a 95 % interval reaches to each side."""

Interval = tuple[float, float]


def wilson(share: float, documents: int) -> Interval:
    """Return the interval of a share of some documents, in percent (Wilson 1927)."""
    extra = ERRORS**2 / documents
    middle = (share + extra / 2) / (1 + extra)
    reach = ERRORS * np.sqrt(share * (1 - share) / documents + extra / (4 * documents))
    low, high = middle - reach / (1 + extra), middle + reach / (1 + extra)
    return max(0.0, float(100 * low)), min(100.0, float(100 * high))
