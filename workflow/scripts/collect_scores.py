from pathlib import Path

from job import logged

from pte.report.stored import scores_of
from pte.report.summaries import collect, write_frame
from pte.study.stored_runs import stored_runs

with logged(snakemake):
    files, names = list(map(Path, snakemake.input)), snakemake.params.names
    frame = scores_of(stored_runs(files, names)) if names else collect(files)
    write_frame(frame, Path(snakemake.output[0]))
