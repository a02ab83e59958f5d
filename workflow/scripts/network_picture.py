from pathlib import Path

from job import logged

from pte.corpora.encoded import EncodedCorpus
from pte.report.network_picture import choose_documents, plot_network

with logged(snakemake):
    picture = snakemake.params.picture
    corpus = EncodedCorpus.load(Path(snakemake.input.corpus))
    documents = choose_documents(corpus, picture["documents"], picture["seed"], picture["words"])
    stem = Path(snakemake.output.pdf).with_suffix("")
    plot_network(corpus, documents, snakemake.params.window, stem)
