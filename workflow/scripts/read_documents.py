from collections import Counter
from pathlib import Path

from job import logged

from pte.corpora.encode_entry import origin_of, read_entry, split_entry
from pte.corpora.entry import Recipe
from pte.corpora.kept import keep_documents

with logged(snakemake):
    params, recipe = snakemake.params, Recipe(**snakemake.params.recipe)
    archives = {role: Path(snakemake.input[role]) for role in params.official}
    left_out: Counter[str] = Counter()
    documents = read_entry(archives, recipe, left_out)
    split = split_entry(documents, recipe, archives["archive"])
    origin = origin_of(archives, params.official, left_out)
    facts = {"sha256": split.sha256, "origin": origin}
    keep_documents(split.documents, facts, Path(snakemake.output.documents))
    print(f"{len(split.documents)} documents", *(f"{what}: {n}" for what, n in left_out.items()))
