import shutil
from pathlib import Path

import pandas as pd
from job import logged

from pte.files import atomic_file, read_json, write_json
from pte.report.claims import beside_earlier
from pte.report.overview import overview, write_into
from pte.report.provenance import piece, provenance, with_piece
from pte.report.tables import markdown_table, write_markdown
from pte.report.verdicts import read_verdicts, verdict_counts, write_verdicts

with logged(snakemake):
    files, params, output = snakemake.input, snakemake.params, snakemake.output

    pieces = Path(output.pieces)
    benchmarks = Path("results", "benchmarks")
    here = piece(Path(snakemake.scriptdir), map(Path, files.corpora), benchmarks, params.labels)
    together = with_piece(read_json(pieces) if pieces.exists() else [], here)
    said, tables = provenance(together, params.labels)

    verdicts = Path(output.verdicts)
    earlier = read_verdicts(verdicts) if verdicts.exists() else {}
    judged = {
        setting: beside_earlier(pairs, earlier.get(setting, pairs))
        for setting, pairs in read_verdicts(Path(files.verdicts)).items()
    }

    for source, published in zip(files.files, output.files, strict=True):
        with atomic_file(Path(published)) as temporary:
            shutil.copyfile(source, temporary)
    write_json(pieces, together)
    write_markdown(tables, Path(output.provenance).with_suffix(""), said)
    write_verdicts(judged, params.claims, params.labels, verdicts.with_suffix(""))
    readme = Path(params.readme)
    comparisons = [Path(path) for path in params.comparisons]
    frames = [pd.read_csv(path) for path in comparisons if path.exists()]
    if frames:
        write_into(readme, "results", overview(frames))
    write_into(readme, "verdicts", markdown_table(verdict_counts(judged)))
