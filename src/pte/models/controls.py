"""Controls, and features of documents that another training made."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pte.array_file import ArrayFile
from pte.corpora.encoded import EncodedCorpus
from pte.corpora.features import tf_idf, unit_rows, word_rarity
from pte.corpora.subsets import find_labelled
from pte.errors import PteError
from pte.evaluation.evaluate import class_shares, document_means
from pte.files import load_array
from pte.limits import MOST
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
        """Learn the `shares` of the classes."""
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
        """Return each document's mean word vector; with `beside_bow` TF-IDF follows, sparse."""
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


class Encoder:
    """An encoder's vectors of texts (`pte.encoders`) as features; only the classifier learns."""

    SPEC = Spec(
        yields="features",
        encoded=lambda options: True,
        seeded=False,
        sees_labels=lambda options: False,
        cost=lambda options: Cost(2, 10),
    )

    @staticmethod
    def learn(task: Task) -> Learnt:
        """Learn the length `dim` of the vectors."""
        dim = task.corpus.encoded_rows().shape[1]
        return Learnt({}, {"choice": {}, "notes": {}, "dim": dim})

    @staticmethod
    def apply(learnt: Learnt, options: Options, corpus: EncodedCorpus) -> NDArray[np.float32]:
        """Return the encoder's vectors, float32, shape (documents, numbers)."""
        return corpus.encoded_rows()

    @staticmethod
    def check(kept: ArrayFile, options: Options) -> int:
        """Check the fact that `learn` gives; return the length of a vector."""
        return int(kept.fact("dim", range(1, MOST)))
