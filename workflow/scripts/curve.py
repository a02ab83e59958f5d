from pathlib import Path

import pandas as pd
from job import logged

from pte_study.configuration.entries import Curve
from pte_study.render.style import restyled
from pte_study.report.curves import learning_curves, plot_curves, write_curves
from pte_study.report.summaries import reference_scores

with logged(snakemake), restyled(snakemake.params.style):
    files, curve = snakemake.input, Curve(**snakemake.params.curve)
    reference = reference_scores(Path(files.paper), Path(files.third_party))
    frame = learning_curves(pd.read_csv(files.scores), snakemake.params.methods)
    write_curves(frame, curve, Path(snakemake.output.csv).with_suffix(""))
    plot_curves(frame, curve, Path(snakemake.output.pdf).with_suffix(""), reference)
