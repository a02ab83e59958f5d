"""Compile kernels ahead of the jobs that call them.

numba compiles a kernel at its first call. Jobs that begin together would all compile the same, so
each set of kernels is called here once before them, on a corpus of two words.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from pte.corpora.encode import encode
from pte.corpora.encoded import TRAIN, EncodedCorpus
from pte.corpora.readers import Document
from pte.corpora.tokenise import letters
from pte.models import paragraph_vector, skip_gram
from pte.models.convolution import ConvolutionalNetwork
from pte.models.network_embedding import Hyperparameters, fit
from pte.networks.bipartite import Network
from pte.networks.build import word_document, word_word
from pte.networks.sampling import EdgeSampler, streams


def compile_kernels(name: str, shapes: Sequence[Hyperparameters], window: int) -> None:
    """Call all kernels of the set `name` of `KERNELS`.

    Kernels are compiled for the number of dimensions and of negatives: once for each of `shapes`.
    Raises `KeyError` for a set that is not there.
    """
    for shape in shapes:
        KERNELS[name](_two_words(), shape, window)


def _two_words() -> EncodedCorpus:
    return EncodedCorpus(
        tokens=np.arange(2, dtype=np.int32),
        offsets=np.array([0, 2]),
        labels=np.zeros(1, np.int32),
        split=np.full(1, TRAIN, np.uint8),
        words=(b"a", b"b"),
        classes=("x",),
    )


def _encoding(corpus: EncodedCorpus, shape: Hyperparameters, window: int) -> None:
    encode([Document(b"word", "class", TRAIN)], letters)


def _counting(corpus: EncodedCorpus, shape: Hyperparameters, window: int) -> None:
    word_document(corpus)
    word_word(corpus, window)


def _edges(*, stored: bool, deterministic: bool) -> Callable[..., None]:
    def train(corpus: EncodedCorpus, shape: Hyperparameters, window: int) -> None:
        networks: Mapping[str, Network | EdgeSampler] = (
            {"ww": word_word(corpus, window)}
            if stored
            else streams(corpus, ["ww", "wd", "wl"], window)
        )
        fit(networks, [list(networks)], 10, 0, shape, threads=2, deterministic=deterministic)

    return train


def _text(corpus: EncodedCorpus, shape: Hyperparameters, window: int) -> None:
    skip_gram.fit(corpus, 1, 0, shape, window, sample=0.1, threads=2)
    for variant in ("dbow", "dm"):
        trained = paragraph_vector.fit(corpus, variant, 1, 0, shape, window, threads=2)
        trained.infer(corpus.tokens, corpus.offsets, 0)


def _convolution(corpus: EncodedCorpus, shape: Hyperparameters, window: int) -> None:
    vectors = np.zeros((corpus.n_words, 2), np.float32)
    network = ConvolutionalNetwork(vectors, corpus.n_classes, 2, np.random.default_rng(0))
    network.train(corpus, np.array([0]))


KERNELS: dict[str, Callable[[EncodedCorpus, Hyperparameters, int], None]] = {
    "encoding": _encoding,
    "counting": _counting,
    "stored": _edges(stored=True, deterministic=False),
    "streamed": _edges(stored=False, deterministic=False),
    "synchronous": _edges(stored=True, deterministic=True),
    "sensitivity": _edges(stored=False, deterministic=False),
    "text": _text,
    "convolution": _convolution,
}
"""What calls each set: readers, builders of networks, LINE and PTE on stored and streamed edges and
deterministically, Skip-gram and paragraph vectors, the CNN."""
