"""The contract of a network of a corpus: a module with a `SPEC` and three functions.

    SPEC = NetworkSpec(labels=False, window=True)
    def counting(corpus, window) -> Counting: ...
    def stream(corpus, window) -> EdgeSampler: ...
    def tokens(corpus) -> int | None: ...

Each of `pte.networks.kinds` has these names, and so have the module of a plugin and an `EdgeList`
that config.yaml names. A network that is built whole has a function `build` instead of `counting`.
The workflow reads the `SPEC` in its main process, so these modules import compiled code inside
their functions.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from pte.corpora.encoded import EncodedCorpus
    from pte.networks.bipartite import Network
    from pte.networks.counting import Counting
    from pte.networks.sampling import EdgeSampler

MEMORY = 2**30  # the bytes that counting edges may take by default


@dataclass(frozen=True)
class NetworkSpec:
    """What the edges of a network depend on, besides the text of the training documents."""

    labels: bool  # if not, subsets that differ only in labels share the edges
    window: bool
    ordered: bool = False  # whether the order of words matters, as it does within a window
    streamed: bool = True  # whether edges can be drawn from the text, and not from a built network


class NetworkModule(Protocol):
    """The names that the module of every network has."""

    @property
    def SPEC(self) -> NetworkSpec:
        """What the edges depend on."""

    def stream(self, corpus: "EncodedCorpus", window: int) -> "EdgeSampler":
        """Return a sampler that draws edges without counting; a window is 0 if unused."""

    def tokens(self, corpus: "EncodedCorpus") -> int | None:
        """Return how many tokens bound `network_weights: auto`, or None if draws need no bound."""


@runtime_checkable
class CountedNetwork(NetworkModule, Protocol):
    """A network whose edges are counted row by row."""

    def counting(self, corpus: "EncodedCorpus", window: int) -> "Counting":
        """Return what there is to count in the training documents."""


@runtime_checkable
class BuiltNetwork(NetworkModule, Protocol):
    """A network that is built whole."""

    def build(
        self, corpus: "EncodedCorpus", window: int, memory: int = MEMORY, threads: int = 1
    ) -> "Network":
        """Build the network; `memory` in bytes and `threads` must not change it."""
