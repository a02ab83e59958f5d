from importlib import import_module
from pathlib import Path

import numpy as np
from job import logged

from pte.corpora.encoded import EncodedCorpus
from pte.errors import NotInstalled
from pte.files import atomic_file, write_json
from pte.models.neighbours import Neighbours
from pte.models.prediction import Prediction

with logged(snakemake):
    params, seed = snakemake.params, int(snakemake.wildcards.seed)
    corpus = EncodedCorpus.load(Path(snakemake.input.corpus))
    if params.labels == "shuffled":
        corpus = corpus.with_shuffled_labels(seed)
    start = snakemake.input.get("start")
    options = {"start": np.load(start)} if start else {}
    if params.choice:
        options["choice"] = params.choice
    if neighbours := snakemake.input.get("neighbours"):
        options["neighbours"] = Neighbours.load(Path(neighbours))
    try:
        model = import_module(f"pte.models.{params.model}")
        prediction = model.fit_predict(corpus, seed, snakemake.threads, **options)
    except NotInstalled as error:
        unavailable = {"samples": None, "seconds": None, "unavailable": str(error)}
        prediction = Prediction(np.empty(0, np.int32), unavailable)
    with atomic_file(Path(snakemake.output.predictions)) as path:
        np.save(path, prediction.predicted)
    training = prediction.training | {"threads": snakemake.threads}
    write_json(Path(snakemake.output.training), training)
    print(training)
