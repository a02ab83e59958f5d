"""A convolutional network over words (Kim, EMNLP 2014) and its training step.

A word in place j of a window adds the same to the feature maps wherever the word occurs. So a batch
needs one product of matrices over its distinct words, and a window is a sum of rows of this
product. BLAS computes the product; windows, their gradients and Adadelta are kernels of `pte.core`.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pte.core.arrays import BoolArray, Float32Array, Int32Array, IntArray
from pte.core.convolution import (
    WINDOW,
    Peaks,
    descend_rows,
    filter_gradients,
    highest_windows,
    lay_out,
    list_peaks,
    word_gradients,
)
from pte.corpora.encoded import EncodedCorpus

KEEP = 0.5  # the share of the features that dropout keeps in training
MAX_NORM = 3.0  # the longest weight vector that a class may have


class Batch(NamedTuple):
    """Documents one after another, with the padding word `WINDOW` − 1 times around each.

    `places` are positions in `words`, the distinct words, padding first; the windows of document d
    begin at `bounds[d]` … `bounds[d + 1]` − 1.
    """

    words: IntArray
    places: IntArray
    bounds: IntArray


class Found(NamedTuple):
    """Vectors of distinct words; each map's `highest` window, and its value, (documents, maps)."""

    vectors: Float32Array
    highest: Int32Array
    features: Float32Array


class Gradients(NamedTuple):
    """The gradients of the mean loss of a batch; `rows` are those of the words that move."""

    rows: IntArray
    words: Float32Array
    filters: Float32Array
    biases: Float32Array
    output: Float32Array
    intercepts: Float32Array


def batch_of(corpus: EncodedCorpus, documents: IntArray, numbers: Int32Array) -> Batch:
    """Lay out documents; the padding word is `n_words`; scratch `numbers` holds −1 around calls."""
    tokens = np.asarray(corpus.tokens).view()
    tokens.flags.writeable = False  # as the tokens of a corpus on disk: one kernel serves both
    offsets = np.asarray(corpus.offsets)
    begins, ends = offsets[documents], offsets[documents + 1]
    bounds = np.zeros(documents.size + 1, np.int64)
    np.cumsum(ends - begins + (WINDOW - 1), out=bounds[1:])
    places = np.empty(bounds[-1] + WINDOW - 1, np.int64)
    words = np.empty(places.size, np.int64)
    n = lay_out(tokens, begins, ends, numbers, words, places)
    return Batch(words[:n], places, bounds)


class Parameter:
    """Numbers that Adadelta moves, with its two running averages of squares."""

    def __init__(self, value: Float32Array) -> None:
        """Start from `value`, of one or two dimensions, with averages of zero."""
        self.value = value
        table = value.reshape(-1, value.shape[-1])
        self._tables = table, np.zeros_like(table), np.zeros_like(table)
        self._all_rows = np.arange(len(table))

    def descend(self, gradient: Float32Array) -> None:
        """Take a step of Adadelta down `gradient`."""
        self.descend_rows(gradient.reshape(self._tables[0].shape), self._all_rows)

    def descend_rows(self, gradient: Float32Array, rows: IntArray) -> None:
        """Take a step in some distinct rows; the averages of the other rows do not decay."""
        descend_rows(*self._tables, gradient, rows)


class ConvolutionalNetwork:
    """Word vectors, filters, and the weights of the classes; all arithmetic is float32."""

    def __init__(
        self, vectors: Float32Array, classes: int, maps: int, rng: np.random.Generator
    ) -> None:
        """Start from word vectors, and as Kim's code; `rng` draws filters and dropout."""
        n, dim = vectors.shape
        table = np.zeros((n + 1, dim), np.float32)
        table[:n] = vectors
        filters = rng.uniform(-0.01, 0.01, (WINDOW * maps, dim)).astype(np.float32)
        self.words, self.filters = Parameter(table), Parameter(filters)
        self.biases = Parameter(np.zeros(maps, np.float32))
        self.output = Parameter(np.zeros((maps, classes), np.float32))
        self.intercepts = Parameter(np.zeros(classes, np.float32))
        self._parameters = (self.words, self.filters, self.biases, self.output, self.intercepts)
        self._rng, self._numbers = rng, np.full(n + 1, -1, np.int32)

    @classmethod
    def of(cls, weights: Sequence[Float32Array]) -> "ConvolutionalNetwork":
        """Return a network with parameters as `weights` returns them; they are copied."""
        words, _, biases, output, _ = weights
        network = cls(words[:-1], output.shape[1], biases.size, np.random.default_rng(0))
        network.restore(weights)
        return network

    def weights(self) -> list[Float32Array]:
        """Return copies of all parameters as they are."""
        return [parameter.value.copy() for parameter in self._parameters]

    def restore(self, weights: Sequence[Float32Array]) -> None:
        """Put back what `weights` returned."""
        for parameter, value in zip(self._parameters, weights, strict=True):
            parameter.value[:] = value

    def train(
        self, corpus: EncodedCorpus, documents: IntArray, kept: BoolArray | None = None
    ) -> float:
        """Take a step; return the mean loss before; dropout's `kept` is drawn if not given."""
        if kept is None:
            kept = self._rng.random((documents.size, len(self.biases.value)), np.float32) < KEEP
        loss, gradients = self.gradients(corpus, documents, kept)
        self.words.descend_rows(gradients.words, gradients.rows)
        for parameter, gradient in zip(self._parameters[1:], gradients[2:], strict=True):
            parameter.descend(gradient)
        shorten(self.output.value)
        return loss

    def gradients(
        self, corpus: EncodedCorpus, documents: IntArray, kept: BoolArray
    ) -> tuple[float, Gradients]:
        """Return the mean loss of labelled documents, and its gradients; dropout keeps `kept`."""
        batch = batch_of(corpus, documents, self._numbers)
        found = self._found(batch)
        features = found.features * kept
        scores = features @ self.output.value + self.intercepts.value
        loss, above = cross_entropy(scores, corpus.labels[documents])
        below = (above @ self.output.value.T) * kept * (found.features > 0)
        peaks = _peaks(below, found.highest)
        moving = np.empty(batch.words.size, np.int64)
        words = np.empty_like(found.vectors)
        n = word_gradients(peaks, batch.places, self.filters.value, moving, words)
        filters = np.empty_like(self.filters.value)
        filter_gradients(peaks, batch.places, found.vectors, filters)
        return loss, Gradients(
            rows=batch.words[moving[1:n]],
            words=words[1:n],
            filters=filters,
            biases=below.sum(axis=0),
            output=features.T @ above,
            intercepts=above.sum(axis=0),
        )

    def scores(self, corpus: EncodedCorpus, documents: IntArray) -> Float32Array:
        """Score classes, (documents, classes); features have their average size in training."""
        features = self._found(batch_of(corpus, documents, self._numbers)).features
        features *= np.float32(KEEP)
        return np.asarray(features @ self.output.value + self.intercepts.value)

    def _found(self, batch: Batch) -> Found:
        """Look up the words of a batch, and find the highest window of each feature map."""
        vectors = self.words.value[batch.words]
        products = vectors @ self.filters.value.T
        maps = len(self.biases.value)
        shape = (batch.bounds.size - 1, maps)
        highest, features = np.empty(shape, np.int32), np.empty(shape, np.float32)
        products = products.reshape(-1, WINDOW, maps)
        highest_windows(products, batch.places, batch.bounds, highest, features)
        features += self.biases.value
        return Found(vectors, highest, np.maximum(features, 0, out=features))


def _peaks(gradient: Float32Array, highest: Int32Array) -> Peaks:
    """List the features with a gradient; both arrays have the shape (documents, maps)."""
    size = gradient.size
    peaks = Peaks(np.empty(size, np.int64), np.empty(size, np.int64), np.empty(size, np.float32))
    n = list_peaks(gradient, highest, peaks)
    return Peaks(peaks.maps[:n], peaks.positions[:n], peaks.gradients[:n])


def cross_entropy(scores: Float32Array, labels: Int32Array) -> tuple[float, Float32Array]:
    """Return a softmax's mean loss and its gradient, from `scores`, shape (documents, classes)."""
    documents = np.arange(labels.size)
    shifted = scores - scores.max(axis=1, keepdims=True)
    gradient = np.exp(shifted)
    totals = gradient.sum(axis=1, keepdims=True)
    losses = np.log(totals[:, 0]) - shifted[documents, labels]
    gradient /= totals
    gradient[documents, labels] -= 1
    gradient /= np.float32(labels.size)
    return float(losses.mean()), gradient


def shorten(output: Float32Array) -> None:
    """Shorten the weight vectors, the columns of `output`, that are longer than `MAX_NORM`."""
    norms = np.sqrt((output * output).sum(axis=0))
    output *= np.float32(MAX_NORM) / np.maximum(norms, np.float32(MAX_NORM))
