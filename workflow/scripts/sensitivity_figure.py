from pathlib import Path

from job import logged

from pte.files import read_json
from pte_study.render.style import restyled
from pte_study.report.sensitivity import (
    plot_sensitivity,
    sensitivity,
    with_values,
    write_sensitivity,
)
from pte_study.store.stored_runs import stored_runs

with logged(snakemake), restyled(snakemake.params.style):
    parameter, defaults = snakemake.wildcards.parameter, snakemake.params.defaults
    files, names = list(map(Path, snakemake.input)), snakemake.params.names
    if names is None:
        trainings = [read_json(file) for file in files]
    else:
        trainings = [run.kept for run in stored_runs(files, names)]
    frame = sensitivity(with_values(trainings, defaults))
    write_sensitivity(frame, parameter, Path(snakemake.output.csv).with_suffix(""))
    plot_sensitivity(frame, parameter, Path(snakemake.output.pdf).with_suffix(""), defaults)
