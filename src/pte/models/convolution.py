"""A convolutional network over words (Kim, EMNLP 2014) and its training step, in PyTorch.

A word in place j of a window adds the same to the feature maps wherever it occurs, so a batch
needs one product of matrices over its distinct words, and a window is a sum of rows of it. The
gradient of a maximum over time flows only to the window where it is reached, so windows are
searched without a gradient and only the highest are summed with one.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import cross_entropy

from pte.core.convolution import WINDOW, highest_windows
from pte.corpora.encoded import EncodedCorpus

KEEP = 0.5
"""The part of the features that dropout leaves in training."""

MAX_NORM = 3.0
"""The longest weight vector that a class may have."""

DECAY, EPSILON = 0.95, 1e-6
"""Of Adadelta, whose rate is 1 (Zeiler, arXiv 1212.5701; Kim's code has the same)."""


class Batch(NamedTuple):
    """Documents behind one another, `WINDOW` − 1 times the padding word around each.

    `words`, int64, are the distinct words in ascending order, the padding word last; `places`,
    int64, says which of them stands where; the windows of document d begin at `bounds[d]` to
    `bounds[d + 1]`, int64. A document of n words has n + `WINDOW` − 1 windows, never none.
    """

    words: Tensor
    places: Tensor
    bounds: NDArray[np.int64]


def batch_of(corpus: EncodedCorpus, documents: NDArray[np.int64]) -> Batch:
    """Lay out some documents of a corpus; the padding word is `corpus.n_words`."""
    tokens = np.asarray(corpus.tokens)  # slices of a memory map are slow to make
    begins, ends = corpus.offsets[documents], corpus.offsets[documents + 1]
    bounds = np.concatenate([[0], np.cumsum(ends - begins + WINDOW - 1)])
    stream = np.full(bounds[-1] + WINDOW - 1, corpus.n_words, np.int64)
    for first, begin, end in zip(bounds[:-1] + WINDOW - 1, begins, ends, strict=True):
        stream[first : first + end - begin] = tokens[begin:end]
    words, places = torch.unique(torch.from_numpy(stream), return_inverse=True)
    return Batch(words, places, bounds)


class Parameter:
    """Numbers that Adadelta moves, with its two running averages of squares."""

    def __init__(self, value: Tensor) -> None:
        """Start from `value`, with averages of zero."""
        self.value = value
        self._gradients, self._steps = torch.zeros_like(value), torch.zeros_like(value)

    def descend(self, gradient: Tensor) -> None:
        """Take a step of Adadelta down `gradient`."""
        self.value -= _adadelta(self._gradients, self._steps, gradient)

    def descend_rows(self, gradient: Tensor, rows: Tensor) -> None:
        """The same for some distinct rows; the averages of the others stay and do not decay."""
        gradients = self._gradients.index_select(0, rows)
        steps = self._steps.index_select(0, rows)
        self.value.index_add_(0, rows, _adadelta(gradients, steps, gradient), alpha=-1)
        self._gradients.index_copy_(0, rows, gradients)
        self._steps.index_copy_(0, rows, steps)


def _adadelta(gradients: Tensor, steps: Tensor, gradient: Tensor) -> Tensor:
    """The next step; brings the averages of squared gradients and squared steps up to date."""
    gradients.mul_(DECAY).addcmul_(gradient, gradient, value=1 - DECAY)
    step = (steps + EPSILON).div_(gradients + EPSILON).sqrt_().mul_(gradient)
    steps.mul_(DECAY).addcmul_(step, step, value=1 - DECAY)
    return step


class Network:
    """Word vectors, filters, and the weights of the classes; all arithmetic is float32."""

    def __init__(self, vectors: NDArray[np.float32], classes: int, maps: int, seed: int) -> None:
        """Start from word vectors, shape (words, dim), and from `seed` as Kim's code does."""
        self._generator = torch.Generator().manual_seed(seed)
        filters = torch.empty(vectors.shape[1], WINDOW * maps)
        filters.uniform_(-0.01, 0.01, generator=self._generator)
        padding = np.zeros((1, vectors.shape[1]), np.float32)
        self.words = Parameter(torch.from_numpy(np.concatenate([vectors, padding])))
        self.filters, self.biases = Parameter(filters), Parameter(torch.zeros(maps))
        self.output = Parameter(torch.zeros(maps, classes))
        self.intercepts = Parameter(torch.zeros(classes))
        self._parameters = (self.words, self.filters, self.biases, self.output, self.intercepts)

    def weights(self) -> list[NDArray[np.float32]]:
        """Copies of all parameters as they are."""
        return [parameter.value.numpy().copy() for parameter in self._parameters]

    def restore(self, weights: list[NDArray[np.float32]]) -> None:
        """Put back what `weights` returned."""
        for parameter, value in zip(self._parameters, weights, strict=True):
            parameter.value.copy_(torch.from_numpy(value))

    def train(self, corpus: EncodedCorpus, documents: NDArray[np.int64]) -> float:
        """Take one step on labelled documents; returns their mean loss before it."""
        batch = batch_of(corpus, documents)
        labels = torch.from_numpy(corpus.labels[documents].astype(np.int64))
        rows, filters = self.words.value.index_select(0, batch.words), self.filters.value
        upper = (self.biases, self.output, self.intercepts)
        leaves = [rows @ filters, *(parameter.value.detach() for parameter in upper)]
        products, biases, output, intercepts = (leaf.requires_grad_() for leaf in leaves)
        features = _features(batch, products, biases)
        kept = torch.rand(features.shape, generator=self._generator) < KEEP
        loss = cross_entropy((features * kept) @ output + intercepts, labels)
        gradient, *gradients = torch.autograd.grad(loss, leaves)
        gradient[-1] = 0  # the padding word
        moving = gradient.any(1).nonzero().squeeze(1)  # the words in a highest window
        gradient = gradient.index_select(0, moving)
        filters_gradient = rows.index_select(0, moving).T @ gradient
        self.words.descend_rows(gradient @ filters.T, batch.words[moving])
        self.filters.descend(filters_gradient)
        for parameter, each in zip(upper, gradients, strict=True):
            parameter.descend(each)
        self.output.value.copy_(self.output.value.renorm(2, 1, MAX_NORM))
        return float(loss.detach())

    def scores(self, corpus: EncodedCorpus, documents: NDArray[np.int64]) -> NDArray[np.float32]:
        """What the classes score for each document, shape (documents, classes).

        Nothing is dropped; features count as much as they did on average in training.
        """
        batch = batch_of(corpus, documents)  # no tensor below has a gradient
        products = self.words.value.index_select(0, batch.words) @ self.filters.value
        features = _features(batch, products, self.biases.value)
        found = (KEEP * features) @ self.output.value + self.intercepts.value
        return np.asarray(found.numpy(), np.float32)


def _features(batch: Batch, products: Tensor, biases: Tensor) -> Tensor:
    """The highest value of each feature map over time, not below zero: (documents, maps).

    `products`, shape (words, `WINDOW` · maps), are those of the batch's words with the filters.
    """
    maps, documents = len(biases), len(batch.bounds) - 1
    highest = np.empty((documents, 1, maps), np.int64)
    found = products.detach().numpy().reshape(-1, WINDOW, maps)
    highest_windows(found, batch.places.numpy(), batch.bounds, highest[:, 0])
    words = batch.places[torch.from_numpy(highest + np.arange(WINDOW)[:, None])]
    summands = products.gather(0, words.flatten(1)).view(documents, WINDOW, maps)
    return (summands.sum(1) + biases).relu()


@contextmanager
def torch_threads(threads: int) -> Iterator[None]:
    """Let PyTorch use this many threads, and afterwards as many as before."""
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        yield
    finally:
        torch.set_num_threads(before)
