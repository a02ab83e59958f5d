from pathlib import Path

import numpy as np
from job import logged

from pte.corpora.encoded import EncodedCorpus
from pte.evaluation.evaluate import evaluate
from pte.evaluation.features import document_features
from pte.evaluation.record import write_score
from pte.files import read_json

with logged(snakemake):
    seed = int(snakemake.wildcards.seed)
    corpus = EncodedCorpus.load(Path(snakemake.input.corpus))
    if snakemake.params.labels == "shuffled":
        corpus = corpus.with_shuffled_labels(seed)
    vectors = np.load(snakemake.input.vectors)
    features = document_features(corpus, vectors, **snakemake.params.features)
    predicted, scores = evaluate(corpus, features, snakemake.params.setting, seed)
    run = dict(snakemake.wildcards) | {"seed": seed}
    training = read_json(Path(snakemake.input.training))
    write_score(Path(snakemake.output.scores).with_suffix(""), run, training, predicted, scores)
    print(run, scores["micro_f1"], scores["macro_f1"], scores["choice"])
