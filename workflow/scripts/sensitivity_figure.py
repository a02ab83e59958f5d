from pathlib import Path

from job import logged

from pte_study.render.style import restyled
from pte_study.report.sensitivity import (
    plot_sensitivity,
    sensitivity,
    with_values,
    write_sensitivity,
)
from pte_study.store.reading import read_records

with logged(snakemake), restyled(snakemake.params.style):
    parameter, defaults = snakemake.wildcards.parameter, snakemake.params.defaults
    trainings = read_records(map(Path, snakemake.input), snakemake.params.names)
    frame = sensitivity(with_values(trainings, defaults))
    write_sensitivity(frame, parameter, Path(snakemake.output.csv).with_suffix(""))
    plot_sensitivity(frame, parameter, Path(snakemake.output.pdf).with_suffix(""), defaults)
