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
from pte.models import cnn


def main(folder, step, seed):
    torch.set_num_threads(1)
    if step == "torch":
        cnn.ConvolutionalNetwork = reference.ConvolutionalNetwork
    corpus = EncodedCorpus.load(Path(folder))
    prediction = cnn.fit_predict(corpus, int(seed), 1)
    right = prediction.predicted == corpus.labels[corpus.documents(TEST)]
    found = {"micro_f1": 100 * float(np.mean(right))}
    print(json.dumps(found | {key: prediction.training[key] for key in ("epochs", "seconds")}))


if __name__ == "__main__":
    main(*sys.argv[1:])
