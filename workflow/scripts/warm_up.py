from pathlib import Path

import numpy as np
from job import logged

from pte.corpora.encoded import TRAIN, EncodedCorpus
from pte.files import write_json
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
    write_json(Path(snakemake.output[0]), {"core": snakemake.params.code})
