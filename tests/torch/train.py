"""Train one CNN on an encoded corpus, and print what it scores as JSON: FOLDER STEP SEED.

STEP is `numpy` for the package's, `torch` for the reference; both have one thread.
"""

import json
import sys
from pathlib import Path

import numpy as np
import reference
import torch

from pte.corpora.encoded import TEST, EncodedCorpus
from pte.models.cnn import training
from pte.training.setup import Setup


def main(folder, step, seed):
    torch.set_num_threads(1)
    if step == "torch":
        training.ConvolutionalNetwork = reference.ConvolutionalNetwork
    corpus = EncodedCorpus.load(Path(folder))
    found = training.train(corpus, Setup(int(seed)))
    right = found.array == corpus.labels[corpus.documents(TEST)]
    micro_f1 = 100 * float(np.mean(right))
    epochs = found.notes["epochs"]
    print(json.dumps({"micro_f1": micro_f1, "epochs": epochs, "seconds": found.seconds}))


if __name__ == "__main__":
    main(*sys.argv[1:])
