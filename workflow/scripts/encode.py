from collections import Counter
from dataclasses import replace
from pathlib import Path

from job import logged

from pte.corpora.encode_entry import encode_entry, origin_of, read_entry
from pte.corpora.entry import Recipe

with logged(snakemake):
    params, recipe = snakemake.params, Recipe(**snakemake.params.recipe)
    archives = {role: Path(snakemake.input[role]) for role in params.official}
    left_out: Counter[str] = Counter()
    documents = read_entry(archives, recipe, left_out)
    vocabulary = archives.get("vocabulary")
    file = archives["archive"]
    corpus = encode_entry(documents, recipe, vocabulary, file)
    origin = origin_of(archives, params.official, left_out)
    corpus = replace(corpus, meta=corpus.meta | origin)
    corpus.save(Path(snakemake.output.corpus))
    print(corpus.meta["counts"], origin.get("reading", ""), sep="\n")
