from pathlib import Path

from job import logged

from pte_study.render.style import restyled
from pte_study.render.text import read_csv
from pte_study.report.times import plot_times, write_times

with logged(snakemake), restyled(snakemake.params.style):
    frame = read_csv(Path(snakemake.input.comparison))
    write_times(frame, Path(snakemake.output.csv).with_suffix(""), snakemake.params.caption)
    plot_times(frame, Path(snakemake.output.pdf).with_suffix(""))
