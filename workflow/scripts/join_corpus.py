from dataclasses import replace
from pathlib import Path

from job import logged

from pte.corpora.encode_entry import SplitDocuments, assembled_entry, read_words
from pte.corpora.entry import Recipe
from pte.corpora.kept import kept_documents
from pte.corpora.numbering import NumberedShard, join_numbered

with logged(snakemake):
    recipe = Recipe(**snakemake.params.recipe)
    documents, facts = kept_documents(Path(snakemake.input.documents))
    vocabulary = snakemake.input.get("vocabulary")
    only = read_words(Path(vocabulary)) if vocabulary else None
    shards = [NumberedShard.load(Path(each)) for each in snakemake.input.shards]
    numbered = join_numbered(shards, only)
    split = SplitDocuments(documents, facts["sha256"])
    corpus = assembled_entry(split, numbered, recipe)
    corpus = replace(corpus, meta=corpus.meta | facts["origin"])
    corpus.save(Path(snakemake.output.corpus))
    print(corpus.meta["counts"])
