from dataclasses import asdict
from pathlib import Path

from job import logged

from pte.corpora.encoded import EncodedCorpus
from pte.evaluation.maps import place
from pte.files import load_array, save_array, write_json

with logged(snakemake):
    seed, vectors = int(snakemake.wildcards.seed), load_array(Path(snakemake.input.vectors))
    corpus = EncodedCorpus.load(Path(snakemake.input.corpus))
    places, found = place(corpus, vectors, seed, snakemake.threads)
    save_array(Path(snakemake.output.places), places)
    write_json(Path(snakemake.output.separation), asdict(found))
    print(found)
