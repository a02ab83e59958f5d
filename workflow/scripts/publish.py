import shutil
from pathlib import Path

import pandas as pd
from job import logged

from pte.report.overview import overview, write_into

with logged(snakemake):
    for source, published in zip(snakemake.input.files, snakemake.output, strict=True):
        shutil.copyfile(source, published)
    frames = [pd.read_csv(path) for path in snakemake.input.comparisons]
    write_into(Path(snakemake.params.readme), overview(frames))
