from pathlib import Path

import pandas as pd
from job import logged

from pte.report.times import plot_times

with logged(snakemake):
    frame = pd.read_csv(snakemake.input.comparison)
    plot_times(frame, Path(snakemake.output.pdf).with_suffix(""))
