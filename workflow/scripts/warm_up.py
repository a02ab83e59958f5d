from pathlib import Path

import numpy as np
from job import logged

from pte.corpora.encoded import TRAIN, EncodedCorpus
from pte.files import write_json
from pte.models import paragraph_vector, skip_gram
from pte.models.convolution import Network
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
    vectors = np.zeros((corpus.n_words, 2), np.float32)
    Network(vectors, corpus.n_classes, 2, np.random.default_rng(0)).train(corpus, np.array([0]))
    write_json(Path(snakemake.output[0]), {"core": snakemake.params.code})
