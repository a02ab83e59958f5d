from pathlib import Path

from job import logged

from pte.files import read_json
from pte.report.sensitivity import plot_sensitivity, sensitivity, write_sensitivity

with logged(snakemake):
    parameter, defaults = snakemake.wildcards.parameter, snakemake.params.defaults
    runs = [run for path in snakemake.input for run in read_json(Path(path))["runs"]]
    runs = [run | {"value": run["value"] or defaults[run["corpus"]]} for run in runs]
    frame = sensitivity(runs)
    write_sensitivity(frame, parameter, Path(snakemake.output.csv).with_suffix(""))
    stem = Path(snakemake.output.pdf).with_suffix("")
    plot_sensitivity(frame, parameter, stem, defaults)
