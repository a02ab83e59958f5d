from dataclasses import replace
from pathlib import Path

from job import logged

from pte.corpora.encode import encode_entry
from pte.corpora.readers import read
from pte.corpora.tokenise import TOKENISERS
from pte.files import sha256_of

with logged(snakemake):
    path = Path(snakemake.input.archive)
    entry, archive = snakemake.params.entry, snakemake.params.archive
    documents = list(read(path, entry["reader"], entry["options"]))
    corpus = encode_entry(documents, entry, TOKENISERS)
    provenance = {"archive": archive, "archive_sha256": sha256_of(path)}
    replace(corpus, meta=corpus.meta | provenance).save(Path(snakemake.output[0]))
    print(corpus.meta["counts"])
