from pathlib import Path

from job import logged

from pte.corpora.encoded import EncodedCorpus
from pte.corpora.subsets import Subset

with logged(snakemake):
    subset = Subset.parse(snakemake.wildcards.corpus)
    corpus = subset.of(EncodedCorpus.load(Path(snakemake.input[0])))
    corpus.save(Path(snakemake.output[0]))
    print(subset, corpus.n_documents, "documents")
