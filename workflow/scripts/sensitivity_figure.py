from pathlib import Path

from job import logged

from pte.report.sensitivity import plot_sensitivity, read_runs, sensitivity, write_sensitivity

with logged(snakemake):
    parameter, defaults = snakemake.wildcards.parameter, snakemake.params.defaults
    frame = sensitivity(read_runs(map(Path, snakemake.input), defaults))
    write_sensitivity(frame, parameter, Path(snakemake.output.csv).with_suffix(""))
    plot_sensitivity(frame, parameter, Path(snakemake.output.pdf).with_suffix(""), defaults)
