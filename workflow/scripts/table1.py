from pathlib import Path

import pandas as pd
from job import logged

from pte.files import read_json
from pte.report.datasets import check_table1, table1, write_table1

with logged(snakemake):
    corpora = []
    for folder in snakemake.input.corpora:
        meta = read_json(Path(folder) / "corpus.json")
        row, counts = meta["entry"]["table1"], meta["counts"]
        corpora.append(
            {key: counts[key] for key in ("train", "labelled_train", "test", "vocabulary")}
            | {"doc_length": counts["mean_document_length"], "classes": counts["classes"]}
            | {"name": Path(folder).name, "match": row["match"]}
            | {"paper_row": row["row"], "why": row["why"]}
        )
    frame = table1(corpora, pd.read_csv(snakemake.input.paper))
    write_table1(frame, Path(snakemake.output.csv).with_suffix(""))
    check_table1(frame)
