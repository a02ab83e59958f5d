"""The size of a network and the spread of its degrees, for the log of a built network."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pte.networks.bipartite import Network

_QUANTILES = (0.0, 0.25, 0.5, 0.75, 0.9, 0.99, 1.0)


def statistics(network: Network) -> dict[str, Any]:
    """Count nodes and directed edges, add up weights, find quantiles of the degrees above zero."""
    sources = network.source_degrees()
    return {
        "edges": network.n_edges,
        "weight": float(sources.sum()),
        "sources": _describe(sources),
        "targets": _describe(network.target_degrees()),
    }


def _describe(degrees: NDArray[np.float64]) -> dict[str, Any]:
    linked = degrees[degrees > 0]
    quantiles = np.quantile(linked, _QUANTILES)
    return {
        "nodes": int(degrees.size),
        "linked": int(linked.size),
        "degree_quantiles": {
            str(q): float(value) for q, value in zip(_QUANTILES, quantiles, strict=True)
        },
    }
