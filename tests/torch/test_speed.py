"""A step by hand and the same in PyTorch in turn, on the same batches, with one thread."""

import time

import numpy as np
import pytest
import reference
import torch
from threadpoolctl import threadpool_limits

from pte.corpora.encoded import EncodedCorpus
from pte.models import cnn, convolution
from pte.models.labelled import labelled_documents

DIM, MAPS, STEPS = 100, 100, 300
KINDS = {"numpy": convolution.ConvolutionalNetwork, "torch": reference.ConvolutionalNetwork}


@pytest.fixture
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    with threadpool_limits(1, user_api="blas"):
        yield
    torch.set_num_threads(before)


def milliseconds(corpus, networks):
    """What each network's steps take, the first tenth left out."""
    rng, labelled = np.random.default_rng(1), labelled_documents(corpus, "cnn")
    taken = {name: [] for name in networks}
    for _ in range(STEPS):
        documents = rng.choice(labelled, cnn.BATCH, replace=False)
        for name, network in networks.items():
            began = time.perf_counter()
            network.train(corpus, documents)
            taken[name].append(1000 * (time.perf_counter() - began))
    return {name: each[STEPS // 10 :] for name, each in taken.items()}


@pytest.mark.parametrize("name", ["dblp", "r8", "mr"])
def test_the_step_by_hand_is_faster(folders, one_thread, capsys, name):
    corpus = EncodedCorpus.load(folders[name])
    rng = np.random.default_rng(2)
    start = rng.uniform(-0.25, 0.25, (corpus.n_words, DIM)).astype(np.float32)
    networks = {
        kind: network(start, corpus.n_classes, MAPS, np.random.default_rng(3))
        for kind, network in KINDS.items()
    }
    medians = {kind: np.median(each) for kind, each in milliseconds(corpus, networks).items()}
    ratio = medians["torch"] / medians["numpy"]
    with capsys.disabled():
        said = ", ".join(f"{kind} {each:.2f} ms" for kind, each in medians.items())
        print(f"\n{name}: {said} a step, ratio {ratio:.2f}")
    assert ratio > 1
