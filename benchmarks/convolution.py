"""A step of the CNN beside the same in PyTorch: `python -m benchmarks.convolution CORPUS …`.

Both take the batches of one random order, in turn, with one thread. PyTorch is the extra `torch`.
"""

import argparse
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from statistics import median

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.common import ROOT, journal
from pte.corpora.encoded import EncodedCorpus
from pte.corpora.subsets import labelled_documents
from pte.models.cnn import BATCH
from pte.models.cnn.network import ConvolutionalNetwork

DIM, MAPS, STEPS = 100, 100, 300


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    folders = parser.parse_args().corpora
    sys.path.insert(0, str(ROOT / "tests" / "pytorch"))  # the step in PyTorch
    import torch
    from reference import ConvolutionalNetwork as TorchNetwork

    torch.set_num_threads(1)
    write = journal("convolution")
    for folder in folders:
        corpus = EncodedCorpus.load(folder)
        start = np.random.default_rng(2).uniform(-0.25, 0.25, (corpus.n_words, DIM))
        networks = {
            name: kind(start.astype(np.float32), corpus.n_classes, MAPS, np.random.default_rng(3))
            for name, kind in {"numpy": ConvolutionalNetwork, "torch": TorchNetwork}.items()
        }
        with threadpool_limits(1, user_api="blas"):
            taken = milliseconds(corpus, networks)
        write(corpus=folder.name, **taken, ratio=taken["torch"] / taken["numpy"])


def milliseconds(
    corpus: EncodedCorpus, networks: Mapping[str, ConvolutionalNetwork]
) -> dict[str, float]:
    """The median of each network's steps, without the first tenth, which compiles."""
    rng, labelled = np.random.default_rng(1), labelled_documents(corpus, "cnn")
    taken: dict[str, list[float]] = {name: [] for name in networks}
    for _ in range(STEPS):
        documents = rng.choice(labelled, BATCH, replace=False)
        for name, network in networks.items():
            began = time.perf_counter()
            network.train(corpus, documents)
            taken[name].append(1000 * (time.perf_counter() - began))
    return {name: median(each[STEPS // 10 :]) for name, each in taken.items()}


if __name__ == "__main__":
    main()
