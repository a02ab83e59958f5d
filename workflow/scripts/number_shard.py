from pathlib import Path

from job import logged

from pte.corpora.kept import kept_documents
from pte.corpora.numbering import number_shard, shares_of
from pte.corpora.tokenise import TOKENISERS
from pte.shard import Shard

with logged(snakemake):
    shard = Shard.parse(snakemake.wildcards.scatteritem)
    documents, _ = kept_documents(Path(snakemake.input.documents))
    mine = shares_of(documents, shard.of)[shard.number]
    numbered = number_shard(mine, TOKENISERS[snakemake.params.tokeniser])
    numbered.save(Path(snakemake.output.shard))
    print(f"{len(mine)} documents, {numbered.numbers.size} tokens")
