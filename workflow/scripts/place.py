from dataclasses import asdict
from pathlib import Path

import numpy as np
from job import logged

from pte.corpora.encoded import TEST, EncodedCorpus
from pte.corpora.labelled import labelled_documents
from pte.evaluation.maps import layout, separation
from pte.files import atomic_file, write_json
from pte.models.document_features import document_features

with logged(snakemake):
    seed = int(snakemake.wildcards.seed)
    corpus = EncodedCorpus.load(Path(snakemake.input.corpus))
    features = document_features(corpus, np.load(snakemake.input.vectors))
    labels = np.asarray(corpus.labels)
    known, asked = labelled_documents(corpus, "map"), corpus.documents(TEST)
    found = separation(features[known], labels[known], features[asked], labels[asked], seed)
    print(found)
    places = layout(features, seed, snakemake.threads)
    with atomic_file(Path(snakemake.output.places)) as path:
        np.save(path, places)
    write_json(Path(snakemake.output.separation), asdict(found))
