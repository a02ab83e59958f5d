from dataclasses import asdict
from pathlib import Path

import numpy as np
from job import logged

from pte.corpora.encoded import TEST, EncodedCorpus
from pte.corpora.labelled import labelled_documents
from pte.evaluation.documents import mean_vectors
from pte.evaluation.maps import layout, separation
from pte.files import atomic_file, write_json

with logged(snakemake):
    seed = int(snakemake.wildcards.seed)
    corpus = EncodedCorpus.load(Path(snakemake.input.corpus))
    features = mean_vectors(corpus.counts, np.load(snakemake.input.vectors))
    labels = np.asarray(corpus.labels)
    known, asked = labelled_documents(corpus, "map"), corpus.documents(TEST)
    found = separation(features[known], labels[known], features[asked], labels[asked], seed)
    print(found)
    places = layout(features, seed, snakemake.threads)
    with atomic_file(Path(snakemake.output.places)) as path:
        np.save(path, places)
    write_json(Path(snakemake.output.separation), asdict(found))
