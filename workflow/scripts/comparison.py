from pathlib import Path

import pandas as pd
from job import logged

from pte.report.comparison import comparison
from pte.report.summaries import reference_scores
from pte.report.tables import write_comparison

with logged(snakemake):
    reference = reference_scores(Path(snakemake.input.paper), Path(snakemake.input.third_party))
    frame = comparison(
        pd.read_csv(snakemake.input.scores),
        reference,
        snakemake.params.methods,
        snakemake.params.corpora,
        snakemake.params.settings,
    )
    write_comparison(frame, Path(snakemake.output.csv).with_suffix(""), snakemake.params.caption)
