from pathlib import Path

from job import logged

from pte_study.render.style import restyled
from pte_study.render.text import read_csv
from pte_study.report.comparison_figure import plot_comparison

with logged(snakemake), restyled(snakemake.params.style):
    frame = read_csv(Path(snakemake.input.comparison))
    plot_comparison(frame, Path(snakemake.output.pdf).with_suffix(""))
