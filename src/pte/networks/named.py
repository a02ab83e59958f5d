"""Networks by their names: networks of this package and of plugins, and config.yaml's edge lists.

The workflow sets the environment variable PTE_NETWORKS from config.yaml. It holds the files of edge
lists by the names of their networks, as JSON.
"""

import json
import os
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from pte.errors import PteError
from pte.networks.contract import (
    MEMORY,
    BuiltNetwork,
    CountedNetwork,
    NetworkModule,
    NetworkSpec,
)
from pte.plugins import load
from pte.plugins import module_name as _module_of

if TYPE_CHECKING:
    from pte.corpora.encoded import EncodedCorpus
    from pte.networks.bipartite import Network
    from pte.networks.sampling import EdgeSampler

_NEEDED = ("SPEC", "stream", "tokens")
_EITHER = ("counting", "build")


def edge_lists() -> Mapping[str, Path]:
    """Return the files of the edge lists that config.yaml names, by the names of their networks."""
    return _edge_lists(os.environ.get("PTE_NETWORKS") or "{}")


@cache  # called for each network of each job
def _edge_lists(given: str) -> Mapping[str, Path]:
    return {name: Path(file) for name, file in json.loads(given).items()}


def module_name(name: str) -> str:
    """Return the full name of the module that makes a network.

    Raises `PteError` when there is no such module.
    """
    return "pte.networks.edge_list" if name in edge_lists() else _module_of("pte.networks", name)


def spec(name: str) -> NetworkSpec:
    """Return what the edges of a network depend on.

    Raises `PteError` when there is no such network.
    """
    return _module(name).SPEC


def build(
    name: str,
    corpus: "EncodedCorpus",
    window: int | None,
    memory: int = MEMORY,
    threads: int = 1,
) -> "Network":
    """Build a network of the training documents.

    `window` counts tokens to each side; it may be None for a network that does not depend on the
    window. `memory`, in bytes, and `threads` do not change the network. Raises `PteError` when
    there is no such network, when the network needs a window and `window` is None, and when the
    corpus has no edge of the network.
    """
    module = _module(name)
    if isinstance(module, CountedNetwork):
        from pte.networks.building import network_of
        from pte.networks.counting import count_rows

        counted = module.counting(corpus, _window(name, module, window))
        if not counted.sizes.any():
            raise PteError(f"{name}: it has no edge; is the text, or its labelled part, empty?")
        rows = count_rows(counted, memory, threads)
        return network_of(rows, counted.n_words, counted.undirected)
    return module.build(corpus, _window(name, module, window), memory, threads)


def labelled_as(corpus: "EncodedCorpus", labels: str) -> "EncodedCorpus":
    """Return the corpus with the labels "given", or "shuffled-SEED" for the control."""
    _, shuffled, seed = labels.partition("shuffled-")
    return corpus.with_shuffled_labels(int(seed)) if shuffled else corpus


def streams(
    corpus: "EncodedCorpus", names: Iterable[str], window: int | None
) -> dict[str, "EdgeSampler"]:
    """Return samplers that draw the edges of networks from the text.

    Raises `PteError` as `build` does.
    """
    modules = {name: _module(name) for name in names}
    return {
        name: module.stream(corpus, _window(name, module, window))
        for name, module in modules.items()
    }


def tokens(name: str, corpus: "EncodedCorpus") -> int | None:
    """Return how many tokens a network's edges come from, or None if the draws need no bound."""
    return _module(name).tokens(corpus)


def _module(name: str) -> CountedNetwork | BuiltNetwork:
    if name in (files := edge_lists()):
        from pte.networks.edge_list import EdgeList

        return EdgeList(files[name])
    module = load("pte.networks", name)
    if isinstance(module, CountedNetwork | BuiltNetwork):
        return module
    missing = [needed for needed in _NEEDED if not hasattr(module, needed)]
    if not any(hasattr(module, either) for either in _EITHER):
        missing.append(" or ".join(_EITHER))
    raise PteError(
        f"{name}: {module.__name__} is not a network, because it has no {', '.join(missing)}"
    )


def _window(name: str, module: NetworkModule, window: int | None) -> int:
    """Return the window that a module gets: 0 if its `SPEC` has no window, so that it uses none.

    Raises `PteError` when the network needs a window and `window` is None.
    """
    if not module.SPEC.window:
        return 0
    if window is None:
        raise PteError(f"{name}: this network needs a window")
    return window
