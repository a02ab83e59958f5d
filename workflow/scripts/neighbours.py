from pathlib import Path

from job import logged

from pte.corpora.encoded import EncodedCorpus
from pte.errors import PteError
from pte.models.label_propagation import Neighbours, write_refusal

with logged(snakemake):
    path = Path(snakemake.output.neighbours)
    corpus = EncodedCorpus.load(Path(snakemake.input.corpus))
    try:
        neighbours = Neighbours.of(corpus)
    except PteError as error:  # label propagation reports it, and other methods go on
        write_refusal(path, str(error))
        print(f"no neighbours: {error}")
    else:
        neighbours.save(path)
        print(f"{neighbours.train.positions.shape} neighbours in {neighbours.seconds:.1f} s")
