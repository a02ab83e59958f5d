from pathlib import Path

import numpy as np
from job import logged

from pte.corpora.encoded import EncodedCorpus
from pte.files import atomic_file, write_json
from pte.models.random_vectors import fit

with logged(snakemake):
    corpus = EncodedCorpus.load(Path(snakemake.input.corpus))
    vectors = fit(corpus.n_words, snakemake.params.dim, int(snakemake.wildcards.seed))
    with atomic_file(Path(snakemake.output.vectors)) as path:
        np.save(path, vectors)
    write_json(Path(snakemake.output.training), {"samples": None, "seconds": None})
