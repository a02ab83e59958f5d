from pathlib import Path

import numpy as np
from job import logged

from pte.corpora.encoded import EncodedCorpus
from pte.evaluation.sensitivity import scores_of_joint
from pte.files import atomic_file, write_json
from pte.models.network_embedding import Hyperparameters

with logged(snakemake):
    wildcards, settings = snakemake.wildcards, snakemake.params.settings
    seed = int(wildcards.seed)
    found = scores_of_joint(
        EncodedCorpus.load(Path(snakemake.input.corpus)),
        settings["samples"],
        seed,
        snakemake.params.setting,
        Hyperparameters(**settings["training"]),
        settings["window"],
        settings["looks"],
        snakemake.threads,
    )
    run = {"corpus": wildcards.corpus, "parameter": wildcards.parameter, "seed": seed}
    looks = wildcards.parameter == "samples"
    runs = [
        run
        | {"value": look.samples if looks else float(wildcards.value)}
        | {"part": look.part, "samples": look.samples}
        | {"micro_f1": look.micro_f1, "macro_f1": look.macro_f1}
        for look in found
    ]
    print(*runs, sep="\n")
    with atomic_file(Path(snakemake.output.predictions)) as path:
        np.save(path, np.stack([look.predicted for look in found]))
    write_json(Path(snakemake.output.scores), {"runs": runs})
