from pathlib import Path

from job import logged

from pte.corpora.encode import encode
from pte.corpora.encoded import TRAIN
from pte.corpora.readers import Document
from pte.corpora.tokenise import letters
from pte.files import write_json

with logged(snakemake):
    encode([Document(b"word", "class", TRAIN)], letters)
    write_json(Path(snakemake.output[0]), {"core": snakemake.params.code})
