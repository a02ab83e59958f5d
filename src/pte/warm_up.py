"""Compile all kernels once, on two words, ahead of jobs that would all compile them."""

import numpy as np

from pte.corpora.document import Document
from pte.corpora.encode import encode
from pte.corpora.encoded import TRAIN, EncodedCorpus
from pte.corpora.tokenise import words
from pte.models import paragraph_vector, skip_gram
from pte.models.cnn.network import ConvolutionalNetwork
from pte.networks import named
from pte.training.edges import train_edges
from pte.training.setup import KINDS, Hyperparameters, Setup, Step


def compile_kernels() -> None:
    """Call all kernels, those of training for the usual dimensions and each kind of step."""
    tokens, offsets, one = np.arange(2, dtype=np.int32), np.array([0, 2]), np.zeros(1, np.int32)
    split = np.full(1, TRAIN, np.uint8)
    corpus = EncodedCorpus(tokens, offsets, one, split, (b"a", b"b"), ("x",))
    encode([Document("wörd".encode(), "class", TRAIN)], words)
    network = ConvolutionalNetwork(np.zeros((2, 2), np.float32), 1, 2, np.random.default_rng(0))
    network.train(corpus, np.array([0]))
    for kind in KINDS:
        shape = Hyperparameters(step=Step.of(kind))
        setup = Setup(0, shape, threads=2)
        stored = {name: named.build(name, corpus, shape.window) for name in ("ww", "wd")}
        streamed = named.streams(corpus, ["ww", "wd", "wl"], shape.window)
        train_edges(stored, [list(stored)], 10, setup)
        train_edges(streamed, [list(streamed)], 10, setup)
        skip_gram.train(corpus, 1, setup)
        for variant in paragraph_vector.VARIANTS:
            trained = paragraph_vector.train(corpus, variant, 1, setup)
            trained.infer(corpus.tokens, corpus.offsets, 0)
