"""Controls and variants: what shows how much of a score another method's vectors alone bring."""

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pte.array_file import ArrayFile
from pte.corpora.encoded import EncodedCorpus
from pte.corpora.labelled import find_labelled
from pte.corpora.tfidf import tf_idf, unit_rows, word_rarity
from pte.errors import PteError
from pte.evaluation.evaluate import class_shares, document_means
from pte.files import load_array
from pte.models import network_embedding
from pte.models.network_embedding import NETWORKS
from pte.training.contract import Cost, Fitted, Learnt, Options, Spec, Task


class Majority:
    """Every test document gets the class that most training documents have."""

    SPEC = Spec(
        yields="predictions",
        seeded=False,
        sure=True,
        cost=lambda options: Cost(0.05, 0.5),
        memory=lambda size: 4 * 8 * size.documents,  # labels, their positions, and predictions
    )

    @staticmethod
    def learn(task: Task) -> Learnt:
        """Learn the `shares` of the classes; raises `PteError` when no document has a label."""
        labels = np.asarray(task.corpus.labels[find_labelled(task.corpus)])
        if not labels.size:
            raise PteError("majority: no training document has a label")
        shares = class_shares(labels, task.corpus.n_classes)
        return Learnt({"shares": shares}, {"choice": {}, "notes": {}})

    @staticmethod
    def apply(learnt: Learnt, options: Options, corpus: EncodedCorpus) -> NDArray[np.float64]:
        """Return the shares of the classes for every document."""
        return np.tile(learnt.arrays["shares"], (corpus.n_documents, 1))

    @staticmethod
    def check(kept: ArrayFile, options: Options) -> int:
        """Check the array that `learn` gives; return the number of classes."""
        return kept.array("shares", "float64", "classes").size


class RandomVectors:
    """Standard normal word vectors. Their score shows what the classifier does alone."""

    SPEC = Spec(
        yields="words",
        uses=frozenset({"hyperparameters"}),
        sees_labels=lambda options: False,
        memory=lambda size: 4 * size.dim * size.words,  # the vectors
    )

    @staticmethod
    def fit(task: Task) -> Fitted:
        """Draw the vectors of all words, float32, shape (words, dim)."""
        shape = task.corpus.n_words, task.hyperparameters.dim
        return Fitted(np.random.default_rng(task.seed).standard_normal(shape, dtype=np.float32))


def _phases(options: Options) -> Options:
    """Return the options of a `network_embedding` entry with the same networks, in one phase."""
    return {"phases": [options["networks"]]}


class EqualDraws:
    """PTE with some of the networks, and as many edges of each as a joint training draws.

    The other variants of PTE draw as many edges in all as PTE(joint) does. A variant with fewer
    networks then draws more edges of each: PTE(Gwl) draws three times as many word-label edges.
    Here T is smaller instead, so that variants differ in their networks alone.
    """

    SPEC = replace(
        network_embedding.SPEC,
        options={"networks": NETWORKS, "among": NETWORKS},
        required=("networks", "among"),
        uses=network_embedding.SPEC.uses - {"samples_limit", "samples_further"},
        choice={},
        cost=lambda options: network_embedding.SPEC.cost(_phases(options)),
        networks=lambda options: tuple(sorted(options["networks"])),
        sees_labels=lambda options: network_embedding.SPEC.sees_labels(_phases(options)),
        ordered=lambda options: network_embedding.SPEC.ordered(_phases(options)),
    )

    @staticmethod
    def fit(task: Task) -> Fitted:
        """Train on `networks` with their share of T, as if all of `among` were trained together.

        Raises `PteError` when T is not a number, because T would be chosen for `networks` alone.
        """
        if isinstance(task.samples, str):
            raise PteError(f"equal_draws: samples is {task.samples}; give a number")
        share = len(task.options["networks"]) / len(task.options["among"])
        samples = round(task.samples * share)
        return network_embedding.fit(replace(task, options=_phases(task.options), samples=samples))


class DocumentFeatures:
    """Features of documents from the word vectors of another method."""

    SPEC = Spec(
        yields="features",
        options={
            "vectors": {"type": "string"},
            "unit_length": {"type": "boolean"},
            "beside_bow": {"type": "boolean"},
        },
        required=("vectors",),
        needs=lambda options: {"vectors": options["vectors"]},
        cost=lambda options: Cost(0.3, 20) if options.get("beside_bow") else Cost(0.1, 1),
    )

    @staticmethod
    def learn(task: Task) -> Learnt:
        """Keep the word vectors of the file `vectors`, and the `rarity` of words for TF-IDF."""
        arrays = {"word_vectors": load_array(Path(task.inputs["vectors"]))}
        if task.options.get("beside_bow"):
            arrays["rarity"] = word_rarity(task.corpus)
        return Learnt(arrays, {"choice": {}, "notes": {}})

    @staticmethod
    def apply(
        learnt: Learnt, options: Options, corpus: EncodedCorpus
    ) -> NDArray[np.float32] | sparse.csr_array:
        """Return the mean word vector of each document, float32, shape (documents, dim).

        With `unit_length` the means are L2-normalised. With `beside_bow` columns of TF-IDF, which
        is always L2-normalised, follow the means; the result is then sparse, shape (documents, dim
        + words). Raises `PteError` when a vector holds NaN or infinity.
        """
        means = document_means(corpus, learnt.arrays["word_vectors"])
        if options.get("unit_length"):
            means = unit_rows(means)
        if not options.get("beside_bow"):
            return means
        words = tf_idf(corpus, learnt.arrays["rarity"])
        return sparse.csr_array(sparse.hstack([sparse.csr_array(means), words]))

    @staticmethod
    def check(kept: ArrayFile, options: Options) -> int:
        """Check the arrays that `learn` gives; return the number of columns."""
        dim = kept.array("word_vectors", "float32", "words", "dim").shape[1]
        if not options.get("beside_bow"):
            return int(dim)
        return int(dim) + kept.array("rarity", "float32", "words").size
