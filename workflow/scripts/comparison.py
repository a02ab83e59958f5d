from pathlib import Path

import pandas as pd
from job import logged

from pte_study.report.comparison import comparison, write_comparison
from pte_study.report.summaries import reference_scores

with logged(snakemake):
    files, params = snakemake.input, snakemake.params
    reference = reference_scores(Path(files.paper), Path(files.third_party), params.stand_ins)
    frame = comparison(
        pd.read_csv(files.scores), reference, params.methods, params.corpora, params.protocols
    )
    write_comparison(frame, Path(snakemake.output.csv).with_suffix(""), params.caption)
