from pathlib import Path

import pandas as pd
from job import logged

from pte_study.report.table1 import check_table1, corpus_row, table1, write_table1
from pte_study.store.reading import corpus_record

with logged(snakemake):
    corpora = []
    for folder, expected in zip(snakemake.input.corpora, snakemake.params.expected, strict=True):
        counts = corpus_record(Path(folder))["counts"]
        corpora.append(corpus_row(Path(folder).stem, counts, expected))
    frame = table1(corpora, pd.read_csv(snakemake.input.paper))
    check_table1(frame)
    write_table1(frame, Path(snakemake.output.csv).with_suffix(""))
