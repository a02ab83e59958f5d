from dataclasses import asdict
from pathlib import Path

import numpy as np
from job import logged

from pte.corpora.encoded import EncodedCorpus
from pte.evaluation.maps import place
from pte.files import atomic_file, write_json

with logged(snakemake):
    seed, vectors = int(snakemake.wildcards.seed), np.load(snakemake.input.vectors)
    corpus = EncodedCorpus.load(Path(snakemake.input.corpus))
    places, found = place(corpus, vectors, seed, snakemake.threads)
    with atomic_file(Path(snakemake.output.places)) as path:
        np.save(path, places)
    write_json(Path(snakemake.output.separation), asdict(found))
    print(found)
