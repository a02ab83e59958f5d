"""Evaluate features and write the two files every score has."""

from pathlib import Path
from typing import Any

import numpy as np

from pte.corpora.encoded import EncodedCorpus
from pte.evaluation.evaluate import evaluate
from pte.evaluation.liblinear import Features
from pte.files import atomic_file, write_json


def write_score(
    snakemake: Any, corpus: EncodedCorpus, features: Features, training: dict[str, Any]
) -> None:
    seed = int(snakemake.wildcards.seed)
    predicted, scores = evaluate(corpus, features, snakemake.params.setting, seed)
    with atomic_file(Path(snakemake.output.predictions)) as path:
        np.save(path, predicted)
    row = {
        "corpus": snakemake.wildcards.corpus,
        "method": snakemake.wildcards.method,
        "setting": snakemake.wildcards.setting,
        "seed": seed,
        "samples": training["samples"],
        "train_seconds": training["seconds"],
    }
    write_json(Path(snakemake.output.scores), row | scores)
    print(row, scores["micro_f1"], scores["macro_f1"], scores["choice"])
