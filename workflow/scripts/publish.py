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
    params, output = snakemake.params, snakemake.output
    for source, published in zip(snakemake.input.files, output.files, strict=True):
        with atomic_file(Path(published)) as temporary:
            shutil.copyfile(source, temporary)

    pieces = Path(output.pieces)
    benchmarks = Path("results", "benchmarks")
    here = piece(Path(snakemake.scriptdir), map(Path, params.corpora), benchmarks, params.labels)
    together = with_piece(read_json(pieces) if pieces.exists() else [], here)
    write_json(pieces, together)
    said, tables = provenance(together, params.labels)
    write_markdown(tables, Path(output.provenance).with_suffix(""), said)

    judged, claims = read_verdicts(Path(snakemake.input.claims)), Path(output.claims)
    earlier = read_verdicts(claims) if claims.exists() else {}
    judged = {
        setting: beside_earlier(params.claims, pairs, earlier[setting])
        if setting in earlier
        else pairs
        for setting, pairs in judged.items()
    }
    write_verdicts(judged, params.claims, params.labels, claims.with_suffix(""))

    readme = Path(params.readme)
    comparisons = [Path(path) for path in params.comparisons]
    frames = [pd.read_csv(path) for path in comparisons if path.exists()]
    if frames:
        write_into(readme, "results", overview(frames))
    write_into(readme, "verdicts", markdown_table(verdict_counts(judged)))
