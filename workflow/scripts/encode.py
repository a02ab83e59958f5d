from dataclasses import replace
from pathlib import Path

from job import logged

from pte.corpora.encode import encode_entry, read_entry
from pte.corpora.tokenise import TOKENISERS
from pte.files import sha256_of

with logged(snakemake):
    entry, sources = snakemake.params.entry, {}
    paths = {role: Path(snakemake.input[role]) for role in snakemake.params.official}
    corpus = encode_entry(read_entry(paths, entry), entry, TOKENISERS, snakemake.threads)
    for role, official in snakemake.params.official.items():
        digest = sha256_of(paths[role])
        sources[role] = {
            "file": paths[role].name,
            "sha256": digest,
            "official": digest == official,
        }
    replace(corpus, meta=corpus.meta | sources).save(Path(snakemake.output[0]))
    print(corpus.meta["counts"])
