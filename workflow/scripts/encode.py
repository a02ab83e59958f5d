from dataclasses import replace
from pathlib import Path

from job import logged

from pte.corpora.encode import encode_entry
from pte.corpora.readers import read
from pte.corpora.tokenise import TOKENISERS
from pte.files import sha256_of

with logged(snakemake):
    path, entry = Path(snakemake.input.archive), snakemake.params.entry
    documents = list(read(path, entry["reader"], entry["options"]))
    corpus = encode_entry(documents, entry, TOKENISERS, snakemake.threads)
    digest = sha256_of(path)
    archive = {"file": path.name, "sha256": digest, "official": digest == snakemake.params.official}
    replace(corpus, meta=corpus.meta | {"archive": archive}).save(Path(snakemake.output[0]))
    print(corpus.meta["counts"])
