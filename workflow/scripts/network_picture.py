from pathlib import Path

from job import logged

from pte.corpora.encoded import EncodedCorpus
from pte.render.style import restyled
from pte.report.network_picture import choose_documents, plot_network
from pte.study.entries import Picture

with logged(snakemake), restyled(snakemake.params.style):
    corpus = EncodedCorpus.load(Path(snakemake.input.corpus))
    documents = choose_documents(corpus, Picture(**snakemake.params.picture))
    stem = Path(snakemake.output.pdf).with_suffix("")
    plot_network(corpus, documents, snakemake.params.window, stem)
