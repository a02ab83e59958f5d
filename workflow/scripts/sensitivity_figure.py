from pathlib import Path

from job import logged

from pte.files import read_json
from pte.report.sensitivity import plot_sensitivity, sensitivity, write_sensitivity

with logged(snakemake):
    parameter = snakemake.wildcards.parameter
    frame = sensitivity(run for path in snakemake.input for run in read_json(Path(path))["runs"])
    write_sensitivity(frame, parameter, Path(snakemake.output.csv).with_suffix(""))
    stem = Path(snakemake.output.pdf).with_suffix("")
    plot_sensitivity(frame, parameter, stem, snakemake.params.default)
