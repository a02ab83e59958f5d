"""Functions that compile kernels once, on two words, ahead of jobs that would all compile them."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from pte.corpora.document import Document
from pte.corpora.encode import encode
from pte.corpora.encoded import TRAIN, EncodedCorpus
from pte.corpora.tokenise import words
from pte.models import paragraph_vector, skip_gram
from pte.models.cnn.network import ConvolutionalNetwork
from pte.networks import named
from pte.networks.bipartite import Network
from pte.networks.sampling import EdgeSampler
from pte.training.contract import KernelSet
from pte.training.edges import train_edges
from pte.training.setup import Hyperparameters, Setup


def compile_kernels(name: KernelSet, shapes: Sequence[Hyperparameters]) -> None:
    """Call all kernels of the set `name` of `KERNELS`, which are compiled anew for each shape."""
    tokens, offsets, one = np.arange(2, dtype=np.int32), np.array([0, 2]), np.zeros(1, np.int32)
    split = np.full(1, TRAIN, np.uint8)
    for shape in shapes:
        KERNELS[name](EncodedCorpus(tokens, offsets, one, split, (b"a", b"b"), ("x",)), shape)


def _encoding(corpus: EncodedCorpus, shape: Hyperparameters) -> None:
    encode([Document("wörd".encode(), "class", TRAIN)], words)


def _counting(corpus: EncodedCorpus, shape: Hyperparameters) -> None:
    for name in ("wd", "ww"):
        named.build(name, corpus, shape.window)


def _edges(*, stored: bool) -> Callable[..., None]:
    def train(corpus: EncodedCorpus, shape: Hyperparameters) -> None:
        networks: Mapping[str, Network | EdgeSampler] = (
            {"ww": named.build("ww", corpus, shape.window)}
            if stored
            else named.streams(corpus, ["ww", "wd", "wl"], shape.window)
        )
        train_edges(networks, [list(networks)], 10, Setup(0, shape, 2))

    return train


def _text(corpus: EncodedCorpus, shape: Hyperparameters) -> None:
    setup = Setup(0, shape, threads=2)
    skip_gram.train(corpus, 1, setup)
    for variant in paragraph_vector.VARIANTS:
        trained = paragraph_vector.train(corpus, variant, 1, setup)
        trained.infer(corpus.tokens, corpus.offsets, 0)


def _convolution(corpus: EncodedCorpus, shape: Hyperparameters) -> None:
    vectors = np.zeros((corpus.n_words, 2), np.float32)
    network = ConvolutionalNetwork(vectors, corpus.n_classes, 2, np.random.default_rng(0))
    network.train(corpus, np.array([0]))


KERNELS: dict[KernelSet, Callable[[EncodedCorpus, Hyperparameters], None]] = {
    "encoding": _encoding,
    "counting": _counting,
    "stored": _edges(stored=True),
    "streamed": _edges(stored=False),
    "sensitivity": _edges(stored=False),
    "text": _text,
    "convolution": _convolution,
}
"""The function that calls each set of kernels."""
