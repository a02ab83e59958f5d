import time
from dataclasses import asdict
from pathlib import Path

from job import logged

from pte.corpora.encoded import EncodedCorpus
from pte.evaluation.documents import mean_vectors
from pte.evaluation.epochs import choose_epochs
from pte.files import write_json
from pte.models import paragraph_vector, skip_gram
from pte.models.network_embedding import Hyperparameters

with logged(snakemake):
    params, threads = snakemake.params, snakemake.threads
    hyperparameters = Hyperparameters(**params.training)

    def train(corpus, epochs):
        settings = (epochs, params.seed, hyperparameters, params.window)
        if "variant" not in params.method:
            vectors = skip_gram.fit(corpus, *settings, threads=threads).vectors
            return mean_vectors(corpus.counts, vectors)
        trained = paragraph_vector.fit(corpus, params.method["variant"], *settings, threads)
        return paragraph_vector.document_vectors(trained, corpus, params.seed, threads)

    def tell(epochs, score):
        now = time.perf_counter() - began
        print(f"{epochs} epochs of up to {grid[-1]}: micro-F1 {score:.2f}, after {now:.0f} s")

    corpus, grid = EncodedCorpus.load(Path(snakemake.input.corpus)), params.method["epochs"]
    began = time.perf_counter()
    choice = choose_epochs(corpus, train, grid, params.seed, tell)
    write_json(Path(snakemake.output[0]), asdict(choice))
    print(f"{choice.epochs} epochs are best on held-out documents")
