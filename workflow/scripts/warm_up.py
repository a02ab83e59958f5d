from pathlib import Path

import numpy as np
from job import logged

from pte.core.convolution import WINDOW, highest_windows
from pte.corpora.encoded import TRAIN, EncodedCorpus
from pte.files import write_json
from pte.models import paragraph_vector, skip_gram
from pte.models.network_embedding import fit
from pte.networks.build import word_document, word_word
from pte.networks.sampling import streams

with logged(snakemake):
    corpus = EncodedCorpus(
        tokens=np.arange(2, dtype=np.int32),
        offsets=np.array([0, 2]),
        labels=np.zeros(1, np.int32),
        split=np.full(1, TRAIN, np.uint8),
        words=(b"a", b"b"),
        classes=("x",),
    )
    word_document(corpus)
    stored = {"ww": word_word(corpus, 5)}
    streamed = streams(corpus, ["ww", "wd", "wl"], 5)
    for networks in (stored, streamed):
        for deterministic in (False, True):
            fit(networks, [list(networks)], 10, 0, threads=2, deterministic=deterministic)
    skip_gram.fit(corpus, 1, 0, sample=0.1, threads=2)
    for variant in ("dbow", "dm"):
        trained = paragraph_vector.fit(corpus, variant, 1, 0, threads=2)
        trained.infer(corpus.tokens, corpus.offsets, 0)
    products = np.zeros((1, WINDOW, 2), np.float32)
    words, bounds = np.zeros(WINDOW + 1, np.int64), np.array([0, 1, 2])
    highest_windows(products, words, bounds, np.empty((2, 1, 2), np.int64)[:, 0])
    write_json(Path(snakemake.output[0]), {"core": snakemake.params.code})
