from dataclasses import replace
from pathlib import Path

from job import logged

from pte.corpora.encode import encode_entry, read_entry, sources_of
from pte.corpora.entry import Recipe
from pte.corpora.tokenise import TOKENISERS

with logged(snakemake):
    params, recipe = snakemake.params, Recipe(**snakemake.params.recipe)
    archives = {role: Path(snakemake.input[role]) for role in params.official}
    documents = read_entry(archives, recipe)
    corpus = encode_entry(documents, recipe, TOKENISERS, snakemake.threads)
    corpus = replace(corpus, meta=corpus.meta | sources_of(archives, params.official))
    corpus.save(Path(snakemake.output.corpus))
    print(corpus.meta["counts"])
