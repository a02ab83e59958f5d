from pathlib import Path

import pandas as pd
from job import logged

from pte.report.curves import learning_curves, plot_curves, write_curves
from pte.report.summaries import reference_scores

with logged(snakemake):
    curve = snakemake.params.curve
    reference = reference_scores(Path(snakemake.input.paper), Path(snakemake.input.third_party))
    frame = learning_curves(pd.read_csv(snakemake.input.scores), snakemake.params.methods)
    write_curves(
        frame, curve["along"], Path(snakemake.output.csv).with_suffix(""), curve["caption"]
    )
    reference = reference if curve["along"] == "labelled" else None
    plot_curves(frame, curve["along"], Path(snakemake.output.pdf).with_suffix(""), reference)
