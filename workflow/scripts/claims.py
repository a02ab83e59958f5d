from pathlib import Path

import numpy as np
from job import logged

from pte.corpora.encoded import TEST, EncodedCorpus
from pte.report.claims import (
    collect_checkpoints,
    collect_runs,
    collect_unavailable,
    judge,
    without_checkpoints,
)
from pte.report.tables import write_text
from pte.report.verdicts import verdicts_page, write_verdicts

with logged(snakemake):
    params = snakemake.params
    files = [Path(path) for path in snakemake.input.scores]
    truth = {}
    for folder in map(Path, snakemake.input.corpora):
        corpus = EncodedCorpus.load(folder)
        truth[folder.name] = np.asarray(corpus.labels[corpus.documents(TEST)])
    checkpoints = collect_checkpoints(map(Path, snakemake.input.checkpoints), truth)
    unavailable = params.unavailable | collect_unavailable(files)
    pairs = {
        setting: judge(
            params.claims if setting == "paper" else without_checkpoints(params.claims),
            collect_runs(files, truth, setting, params.unseeded) | checkpoints,
            unavailable,
        )
        for setting in params.settings
    }
    stem = Path(snakemake.output.csv).with_suffix("")
    said = pairs, params.claims, params.labels
    write_verdicts(*said, stem)
    write_text(stem, "html", verdicts_page(*said))
