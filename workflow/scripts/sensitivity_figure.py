from pathlib import Path

from job import logged

from pte.report.sensitivity import (
    plot_sensitivity,
    sensitivity,
    trainings,
    with_values,
    write_sensitivity,
)
from pte.report.stored import trainings_of
from pte.study.stored_runs import stored_runs

with logged(snakemake):
    parameter, defaults = snakemake.wildcards.parameter, snakemake.params.defaults
    files, names = list(map(Path, snakemake.input)), snakemake.params.names
    trained = trainings_of(stored_runs(files, names)) if names else trainings(files)
    frame = sensitivity(with_values(trained, defaults))
    write_sensitivity(frame, parameter, Path(snakemake.output.csv).with_suffix(""))
    plot_sensitivity(frame, parameter, Path(snakemake.output.pdf).with_suffix(""), defaults)
