from pathlib import Path

from job import logged

from pte_study.report.summaries import frame_of, write_frame
from pte_study.store.reading import read_records

with logged(snakemake):
    records = read_records(map(Path, snakemake.input), snakemake.params.names)
    write_frame(frame_of(records), Path(snakemake.output[0]))
