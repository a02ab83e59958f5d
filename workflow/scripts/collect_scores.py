from pathlib import Path

from job import logged

from pte_study.report.summaries import collect, frame_of, write_frame
from pte_study.store.stored_runs import stored_runs

with logged(snakemake):
    files, names = list(map(Path, snakemake.input)), snakemake.params.names
    if names is None:
        frame = collect(files)
    else:
        frame = frame_of([run.kept for run in stored_runs(files, names)])
    write_frame(frame, Path(snakemake.output[0]))
