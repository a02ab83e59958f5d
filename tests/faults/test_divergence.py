"""Vectors that are no numbers any more end the training soon, with the step and the rate."""

import re

import pytest

from pte.errors import PteError
from pte.models import cnn, paragraph_vector, skip_gram
from pte.models.cnn.network import ConvolutionalNetwork
from pte.training.edges import BLOCK, train_edges
from pte.training.setup import Hyperparameters, Setup

RATE = 1e12


def setup(**given):
    return Setup(1, Hyperparameters(dim=16, learning_rate=RATE), **given)


def steps_of(error):
    found = re.search(
        r"diverged at learning rate 1000000000000\.0 within ([\d,]+) steps", str(error.value)
    )
    assert found, error.value
    return int(found[1].replace(",", ""))


@pytest.mark.parametrize("how", [{}, {"threads": 2}], ids=str)
def test_edges_stop_after_a_block(networks, how):
    with pytest.raises(PteError) as error:
        train_edges(networks, [("ww", "wd", "wl")], 40 * BLOCK, setup(**how))
    assert steps_of(error) <= 4 * BLOCK


@pytest.mark.parametrize("train", ["skip_gram", "dbow", "dm"])
def test_passes_stop_long_before_the_last(corpus, train):
    epochs = 200
    with pytest.raises(PteError) as error:
        if train == "skip_gram":
            skip_gram.train(corpus, epochs, setup())
        else:
            paragraph_vector.train(corpus, train, epochs, setup())
    assert steps_of(error) < epochs * corpus.n_training_tokens / 2


def test_a_loss_that_is_no_number_stops_the_cnn(corpus, monkeypatch):
    monkeypatch.setattr(ConvolutionalNetwork, "train", lambda *_: float("nan"))
    with pytest.raises(PteError, match="cnn: training diverged; the loss of an epoch is nan"):
        cnn.train(corpus, Setup(1))
