"""The network of `pte.models.cnn.network` with a step in PyTorch, which autograd differentiates.

Weights have the same shapes and start from the same random numbers; batches and the search for the
highest windows are those of the package, so that of equally high windows the same one counts.
"""

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from pte.core.convolution import WINDOW, highest_windows
from pte.models.cnn.network import KEEP, MAX_NORM, Gradients, batch_of

DECAY, EPSILON = 0.95, 1e-6


class Parameter:
    """Numbers that Adadelta moves, with its two running averages of squares."""

    def __init__(self, value):
        self.value = value
        self._gradients, self._steps = torch.zeros_like(value), torch.zeros_like(value)

    def descend(self, gradient):
        self.value -= _adadelta(self._gradients, self._steps, gradient)

    def descend_rows(self, gradient, rows):
        """The same for some distinct rows; the averages of the others stay and do not decay."""
        gradients = self._gradients.index_select(0, rows)
        steps = self._steps.index_select(0, rows)
        self.value.index_add_(0, rows, _adadelta(gradients, steps, gradient), alpha=-1)
        self._gradients.index_copy_(0, rows, gradients)
        self._steps.index_copy_(0, rows, steps)


def _adadelta(gradients, steps, gradient):
    """The next step; brings the averages of squared gradients and squared steps up to date."""
    gradients.mul_(DECAY).addcmul_(gradient, gradient, value=1 - DECAY)
    step = (steps + EPSILON).div_(gradients + EPSILON).sqrt_().mul_(gradient)
    steps.mul_(DECAY).addcmul_(step, step, value=1 - DECAY)
    return step


class ConvolutionalNetwork:
    """As that of `pte.models.cnn.network`, but that its filters are transposed inside."""

    def __init__(self, vectors, classes, maps, rng):
        n, dim = vectors.shape
        filters = rng.uniform(-0.01, 0.01, (WINDOW * maps, dim)).astype(np.float32)
        padding = np.zeros((1, dim), np.float32)
        self.words = Parameter(torch.from_numpy(np.concatenate([vectors, padding])))
        self.filters = Parameter(torch.from_numpy(filters.T.copy()))
        self.biases = Parameter(torch.zeros(maps))
        self.output = Parameter(torch.zeros(maps, classes))
        self.intercepts = Parameter(torch.zeros(classes))
        self._parameters = (self.words, self.filters, self.biases, self.output, self.intercepts)
        self._rng, self._numbers = rng, np.full(n + 1, -1, np.int32)

    def weights(self):
        words, filters, *upper = [each.value.numpy().copy() for each in self._parameters]
        return [words, filters.T.copy(), *upper]

    def restore(self, weights):
        words, filters, *upper = weights
        for parameter, value in zip(self._parameters, [words, filters.T, *upper], strict=True):
            parameter.value.copy_(torch.from_numpy(value))

    def take_over(self, other):
        """The weights of a network by hand, and the averages of its Adadelta."""
        self.restore(other.weights())
        for mine, its in zip(self._parameters, other._parameters, strict=True):
            for average, table in zip((mine._gradients, mine._steps), its._tables[1:], strict=True):
                shaped = table.reshape(its.value.shape)
                average.copy_(torch.from_numpy(shaped.T if its is other.filters else shaped))

    def train(self, corpus, documents, kept=None):
        if kept is None:
            shape = (documents.size, len(self.biases.value))
            kept = self._rng.random(shape, np.float32) < KEEP
        loss, (moving, words, filters, *upper) = self._differentiate(corpus, documents, kept)
        self.words.descend_rows(words, moving)
        for parameter, each in zip(self._parameters[1:], [filters, *upper], strict=True):
            parameter.descend(each)
        self.output.value.copy_(self.output.value.renorm(2, 1, MAX_NORM))
        return loss

    def gradients(self, corpus, documents, kept):
        loss, (moving, words, filters, *upper) = self._differentiate(corpus, documents, kept)
        found = [each.numpy() for each in (moving, words, filters.T, *upper)]
        return loss, Gradients(*found)

    def scores(self, corpus, documents):
        batch = batch_of(corpus, documents, self._numbers)
        rows = self.words.value.index_select(0, torch.from_numpy(batch.words))
        features = _features(batch, rows @ self.filters.value, self.biases.value)
        found = (KEEP * features) @ self.output.value + self.intercepts.value
        return np.asarray(found.numpy(), np.float32)

    def _differentiate(self, corpus, documents, kept):
        """The loss; the words that move and the gradients of these and of the other parameters."""
        batch = batch_of(corpus, documents, self._numbers)
        labels = torch.from_numpy(corpus.labels[documents].astype(np.int64))
        ids = torch.from_numpy(batch.words)
        rows, filters = self.words.value.index_select(0, ids), self.filters.value
        upper = [parameter.value.detach() for parameter in self._parameters[2:]]
        leaves = [leaf.requires_grad_() for leaf in (rows @ filters, *upper)]
        products, biases, output, intercepts = leaves
        features = _features(batch, products, biases)
        loss = cross_entropy((features * torch.from_numpy(kept)) @ output + intercepts, labels)
        gradient, *gradients = torch.autograd.grad(loss, leaves)
        gradient[0] = 0  # the padding word
        moving = gradient.any(1).nonzero().squeeze(1)  # the words in a highest window
        gradient = gradient.index_select(0, moving)
        filters_gradient = rows.index_select(0, moving).T @ gradient
        words = gradient @ filters.T
        return float(loss.detach()), [ids[moving], words, filters_gradient, *gradients]


def _features(batch, products, biases):
    """The highest value of each feature map over time, not below zero: (documents, maps)."""
    maps, documents = len(biases), batch.bounds.size - 1
    highest = np.empty((documents, maps), np.int32)
    found = products.detach().numpy().reshape(-1, WINDOW, maps)
    highest_windows(found, batch.places, batch.bounds, highest, np.empty(highest.shape, np.float32))
    windows = highest[:, None, :] + np.arange(WINDOW)[:, None]
    words = torch.from_numpy(batch.places[windows])
    summands = products.gather(0, words.flatten(1)).view(documents, WINDOW, maps)
    return (summands.sum(1) + biases).relu()
