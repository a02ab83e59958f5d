from pathlib import Path

import pandas as pd
from job import logged

from pte.report.times import plot_times, write_times

with logged(snakemake):
    frame = pd.read_csv(snakemake.input.comparison)
    write_times(frame, Path(snakemake.output.csv).with_suffix(""), snakemake.params.caption)
    plot_times(frame, Path(snakemake.output.pdf).with_suffix(""))
