"""Networks by name: kinds, plugins' modules, and the edge lists of PTE_NETWORKS, as JSON."""

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from pte.corpora.encoded import EncodedCorpus
from pte.errors import PteError
from pte.networks.contract import MEMORY, BuiltNetwork, CountedNetwork, NetworkModule, NetworkSpec
from pte.networks.kinds import KINDS
from pte.plugins import load
from pte.plugins import module_name as _module_of

if TYPE_CHECKING:
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
    if name in edge_lists():
        return "pte.networks.edge_list"
    return "pte.networks.kinds" if name in KINDS else _module_of("pte.networks", name)


def spec(name: str) -> NetworkSpec:
    return _module(name).SPEC


def build(
    name: str, corpus: EncodedCorpus, window: int | None, memory: int = MEMORY, threads: int = 1
) -> "Network":
    """Build a network of the training documents; `window` may be None where it has none."""
    module = _module(name)
    if isinstance(module, CountedNetwork):
        from pte.networks import counting

        counted = module.counting(corpus, _window(name, module, window))
        if not counted.sizes.any():
            raise PteError(f"{name}: it has no edge; is the text, or its labelled part, empty?")
        return counting.build(counted, memory, threads)
    return module.build(corpus, _window(name, module, window), memory, threads)


def labelled_as(corpus: EncodedCorpus, labels: str) -> EncodedCorpus:
    """Return the corpus with the labels "given", or "shuffled-SEED" for the control."""
    _, shuffled, seed = labels.partition("shuffled-")
    return corpus.with_shuffled_labels(int(seed)) if shuffled else corpus


def streams(
    corpus: EncodedCorpus, names: Iterable[str], window: int | None
) -> dict[str, "EdgeSampler"]:
    """Return samplers that draw the edges of networks from the text."""
    modules = {name: _module(name) for name in names}
    return {
        name: module.stream(corpus, _window(name, module, window))
        for name, module in modules.items()
    }


def tokens(name: str, corpus: EncodedCorpus) -> int | None:
    """Return how many tokens a network's edges come from, or None if the draws need no bound."""
    return _module(name).tokens(corpus)


MOST_DRAWS = 10  # how often a token is drawn at most, for each network that has a bound


LEAST = 1.01e-4  # of the draws of a network with edges: turns repeat after 10,000


def auto_weights(
    corpus: EncodedCorpus, phases: Sequence[Sequence[str]], samples: Sequence[int]
) -> dict[str, float]:
    """Choose weights under which a training does not learn few labels by heart (section 5.4).

    A network takes equal turns until each of its tokens is drawn `MOST_DRAWS` times in a phase, and
    the others share the rest. The largest weight is 1; none with tokens is below `LEAST` of draws.
    """
    if min(samples) < 1:
        raise PteError(f"samples is {min(samples)}; it must be positive")
    weights: dict[str, float] = {}
    for phase, draws in zip(phases, samples, strict=True):
        counts = {name: tokens(name, corpus) for name in phase}
        bounds = {n: 1.0 if c is None else MOST_DRAWS * c / draws for n, c in counts.items()}
        level = _level(list(bounds.values()))
        if not level:
            raise PteError(f"network weights: {'+'.join(phase)} has no edges; is any labelled?")
        shares = {name: min(bound / level, 1.0) for name, bound in bounds.items()}
        least = LEAST * sum(shares.values())
        weights |= {name: share and max(share, least) for name, share in shares.items()}
    return weights


def _level(bounds: Sequence[float]) -> float:
    """Find the level where the shares min(bound, level) add up to 1, or the largest bound."""
    left = 1.0
    for i, bound in enumerate(sorted(bounds)):
        level = left / (len(bounds) - i)
        if bound >= level:
            return level
        left -= bound
    return max(bounds)


def _module(name: str) -> CountedNetwork | BuiltNetwork:
    if name in (files := edge_lists()):
        from pte.networks.edge_list import EdgeList

        return EdgeList(files[name])
    if name in KINDS:
        return KINDS[name]
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
    if not module.SPEC.window:
        return 0
    if window is None:
        raise PteError(f"{name}: this network needs a window")
    return window
