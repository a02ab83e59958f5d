from pathlib import Path

from job import logged

from pte.corpora.encoded import EncodedCorpus
from pte.evaluation.sensitivity import scores_of_joint
from pte.files import write_json
from pte.models.network_embedding import Hyperparameters

with logged(snakemake):
    wildcards, settings = snakemake.wildcards, snakemake.params.settings
    seed = int(wildcards.seed)
    rows = scores_of_joint(
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
        run | {"value": row["samples"] if looks else float(wildcards.value)} | row for row in rows
    ]
    write_json(Path(snakemake.output[0]), {"runs": runs})
    print(*runs, sep="\n")
