"""What a network of a corpus is: a module with a `SPEC` and three functions.

    SPEC = NetworkSpec(labels=False, window=True)
    def build(corpus, window, memory, threads) -> Network: ...
    def stream(corpus, window) -> EdgeSampler: ...
    def tokens(corpus) -> int | None: ...

The module is one of `pte.networks`, or of a plugin. A phase of a method names it. A network that
config.yaml names is an object with the same four names: `pte.networks.edge_list.EdgeList`.

The workflow reads the `SPEC` in its main process, so the modules of this package import compiled
code inside their functions.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pte.corpora.encoded import EncodedCorpus
    from pte.networks.bipartite import Network
    from pte.networks.sampling import EdgeSampler

MEMORY = 2**30
"""Bytes that counting edges takes when nothing else is said: 1 GiB."""


@dataclass(frozen=True)
class NetworkSpec:
    """What the edges of a network depend on, beside the text of the training documents."""

    labels: bool
    """Whether they depend on labels. If not, subsets that differ in labels alone share them."""
    window: bool
    """Whether they depend on the window."""
    ordered: bool = False
    """Whether the order of words matters, as it does within a window."""
    of_documents: bool = False
    """Whether its sources are documents or pieces of them, so that parts of a text share none."""
    streamed: bool = True
    """Whether edges can be drawn from the text. If not, trainings read the built network even where
    the configuration streams edges, and `stream` may build it."""


class NetworkModule(Protocol):
    """The names that the module of a network must have."""

    @property
    def SPEC(self) -> NetworkSpec:
        """What the edges depend on."""

    def build(
        self, corpus: "EncodedCorpus", window: int, memory: int = MEMORY, threads: int = 1
    ) -> "Network":
        """Count the edges of the training documents.

        `window` is 0 for a network that does not depend on it. `memory`, in bytes, and `threads`
        must not change the network.
        """

    def stream(self, corpus: "EncodedCorpus", window: int) -> "EdgeSampler":
        """Draw edges of the same network, by their weights, without counting them."""

    def tokens(self, corpus: "EncodedCorpus") -> int | None:
        """How many tokens the edges come from; None where their draws need no bound.

        `network_weights: auto` draws each of these tokens a limited number of times.
        """
