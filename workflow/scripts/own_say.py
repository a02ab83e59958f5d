from pathlib import Path

from job import logged

from pte.classify.summary import summary
from pte.files import read_json

with logged(snakemake):
    pages = {page: read_json(Path(page).with_name("contest.json")) for page in snakemake.input}
for page, result in pages.items():
    print("\n".join([*summary(result), f"Page: {page}"]), flush=True)
