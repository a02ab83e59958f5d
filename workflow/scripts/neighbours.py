from pathlib import Path

from job import logged

from pte.corpora.encoded import EncodedCorpus
from pte.models.label_propagation.neighbours import Neighbours

with logged(snakemake):
    neighbours = Neighbours.of(EncodedCorpus.load(Path(snakemake.input.corpus)))
    neighbours.save(Path(snakemake.output.neighbours))
    print(f"{neighbours.train.positions.shape} neighbours in {neighbours.seconds:.1f} s")
