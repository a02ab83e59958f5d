from pathlib import Path

from job import logged

from pte.corpora.encoded import EncodedCorpus
from pte_study.configuration.entries import Picture
from pte_study.render.style import restyled
from pte_study.report.network_picture import choose_documents, plot_network

with logged(snakemake), restyled(snakemake.params.style):
    corpus = EncodedCorpus.load(Path(snakemake.input.corpus))
    documents = choose_documents(corpus, Picture(**snakemake.params.picture))
    stem = Path(snakemake.output.pdf).with_suffix("")
    plot_network(corpus, documents, snakemake.params.window, stem)
