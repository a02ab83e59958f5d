from pathlib import Path

import pandas as pd
from job import logged

from pte.files import read_json
from pte.report.table1 import check_table1, corpus_row, table1, write_table1

with logged(snakemake):
    corpora = []
    for folder, expected in zip(snakemake.input.corpora, snakemake.params.expected, strict=True):
        counts = read_json(Path(folder) / "corpus.json")["counts"]
        corpora.append(corpus_row(Path(folder).name, counts, expected))
    frame = table1(corpora, pd.read_csv(snakemake.input.paper))
    check_table1(frame)
    write_table1(frame, Path(snakemake.output.csv).with_suffix(""))
