from pathlib import Path

import pandas as pd
from job import logged

from pte.report.comparison_figure import plot_comparison

with logged(snakemake):
    frame = pd.read_csv(snakemake.input.comparison)
    plot_comparison(frame, Path(snakemake.output.pdf).with_suffix(""))
