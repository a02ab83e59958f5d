"""PTE(auto) as an estimator: text and some labels go in, classes come out."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pte.corpora.tokenise import Tokeniser
from pte.corpora.word_pairs import counts_with
from pte.estimators.errors import BadInput, as_bad_input, check_whole
from pte.estimators.label_space import LabelSpace
from pte.estimators.labels import GivenLabels, read_labels
from pte.estimators.model_file import Fit
from pte.estimators.progress import shown
from pte.estimators.scoring import TextClassifier
from pte.estimators.texts import Texts, training_corpus
from pte.evaluation.linear import LinearClassifier
from pte.keyed_vectors import KeyedVectors
from pte.models import pte_auto
from pte.models.nb_em import NaiveBayes
from pte.models.pte_auto import Pool
from pte.models.pte_auto.experts import LINE_VECTORS, PTE_VECTORS, Expert, Taught
from pte.models.pte_auto.material import Reading
from pte.training.contract import Task
from pte.training.setup import Setup, Step

NETWORKS = {"labelled": ["ww", "wd", "wl"], "unlabelled": ["ww", "wd"]}
"""The networks of PTE(joint) and of LINE, as in the registry of the workflow."""


@dataclass(kw_only=True, eq=False, repr=False)
class PTEAuto(TextClassifier, LabelSpace):
    """PTE(auto): a classifier that learns from vectors of PTE and LINE and from the words.

    Five experts learn the classes. Four are logistic regressions: on vectors of PTE(joint), on
    vectors of LINE, on TF-IDF of words and pairs of words, and on log-count ratios of words and
    pairs. The other is naive Bayes with EM. Labelled documents that no expert has seen decide how
    much each expert counts. Documents without a label train as well. A document has at most one
    label; `PTEClassifier` learns several.

    Time is that of two trainings, PTE and LINE, for each of up to five folds, and once more at the
    end. If at least 1,000 documents have labels, a search for the T of each of the two comes first.
    Memory is that of two trainings, about 130 bytes for each token, and 24 bytes for each class and
    each word or pair. The estimator calls the functions of the workflow, so that the same seed,
    words, T and one thread give the same predictions.

    Parameters
    ----------
    pairs : whether pairs of neighbouring words count, too. Without pairs, a model is many times
        smaller.
    samples_limit : the most edges that a training draws.
    deterministic : whether any number of threads gives the same bits, at about two thirds of the
        speed.

    The other parameters are those of `pte.estimators.base.TextEmbedding`: `dim`, `negative`,
    `window`, `learning_rate`, `tokenizer`, `min_count`, `threads`, `random_state` and `verbose`.

    Attributes
    ----------
    classes_ : the labels in ascending order.
    experts_ : how much each expert counts, by its name; 0 means that it does not count.
    word_vectors_ : `KeyedVectors` of the words, from PTE(joint).
    label_vectors_ : `KeyedVectors` of the classes, as in `PTE`.
    samples_ : T of PTE(joint), and T of LINE.
    """

    pairs: bool = True
    samples_limit: int = 150_000_000
    deterministic: bool = False

    def fit(self, raw_documents: Iterable[str | bytes], y: Any = None) -> Self:
        """Learn from all documents, and from the labels that there are.

        `y` has a label for each document; −1 or None means no label. Raises `BadInput` when no
        class has five documents, when all labels are the same, when a document has several labels,
        and as `TextEmbedding.fit` does.
        """
        if y is None:
            raise BadInput("y: the classifier requires y to be passed, but the target y is None")
        return super().fit(raw_documents, y)

    def predict(self, raw_documents: Texts) -> NDArray[Any]:
        """Return the class of each document."""
        best = self._opinion(raw_documents).argmax(axis=1)
        return np.asarray(self.classes_[best])

    def predict_proba(self, raw_documents: Texts) -> NDArray[np.float64]:
        """Return the probability of each of `classes_`, float64, shape (documents, classes)."""
        return np.asarray(np.exp(self._opinion(raw_documents)))

    def __sklearn_tags__(self) -> Any:
        """Return tags that say: a classifier needs labels."""
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags

    def _opinion(self, raw_documents: Texts) -> NDArray[np.float64]:
        corpus, pool = self.encode(raw_documents), self._pool
        with as_bad_input():
            material = pool.reading.material(corpus, counts_with(corpus, pool.pairs))
            return pool.opinion(material, np.arange(corpus.n_documents))

    def _learn(self, texts: list[bytes], y: Any, tokeniser: Tokeniser, setup: Setup) -> None:
        labels = _one_each(read_labels(y, len(texts)))
        limit = check_whole("samples_limit", self.samples_limit, 1)
        corpus = training_corpus(texts, labels, tokeniser, self.min_count, setup.threads)
        with shown("edge", self.verbose) as progress:
            task = Task(
                corpus,
                setup.seed,
                setup.threads,
                options={**NETWORKS, "pairs": bool(self.pairs)},
                hyperparameters=replace(setup.hyperparameters, step=Step.of("grouped")),
                samples_limit=limit,
                deterministic=self.deterministic,
                progress=progress,
            )
            choice = pte_auto.choose(task).choice
            learnt = pte_auto.learn(replace(task, choice=choice))
        self.samples_ = tuple(choice["samples"])
        self._pool = learnt.pool
        judged = zip(learnt.judged.experts, learnt.judged.weights.tolist(), strict=True)
        self.experts_ = {expert.name: weight for expert, weight in judged}
        self.word_vectors_ = KeyedVectors.of_bytes(
            corpus.words, learnt.pool.reading.vectors[PTE_VECTORS]
        )
        self._learn_classes(corpus, labels)

    def _fit(self) -> Fit:
        fit, pool, reading = super()._fit(), self._pool, self._pool.reading
        arrays: dict[str, NDArray[Any]] = {
            "line_vectors": reading.vectors[LINE_VECTORS],
            "weights": pool.weights,
        }
        arrays |= {f"rarity{i}": each for i, each in enumerate(reading.rarities)}
        if pool.pairs is not None:
            arrays["pairs"] = pool.pairs
        for i, taught in enumerate(pool.taught):
            arrays |= {f"expert{i}_{name}": each for name, each in _arrays(taught).items()}
        facts = {
            "samples": self.samples_,
            "length": reading.length,
            "experts": self.experts_,
            "taught": [taught.expert._asdict() for taught in pool.taught],
        }
        return Fit({**fit.arrays, **arrays}, {**fit.facts, **facts})

    def _restore(self, fit: Fit) -> None:
        super()._restore(fit)
        arrays, facts = fit.arrays, fit.facts
        self.samples_, self.experts_ = tuple(facts["samples"]), facts["experts"]
        vectors = {PTE_VECTORS: self.word_vectors_.vectors, LINE_VECTORS: arrays["line_vectors"]}
        rarities = tuple(arrays[f"rarity{i}"] for i in range(1 + ("pairs" in arrays)))
        taught = []
        for i, expert in enumerate(facts["taught"]):
            known = f"expert{i}_"
            own = {k.removeprefix(known): v for k, v in arrays.items() if k.startswith(known)}
            taught.append(_taught(Expert(expert["name"], tuple(expert["values"])), own))
        reading = Reading(vectors, rarities, facts["length"])
        self._pool = Pool(tuple(taught), arrays["weights"], reading, arrays.get("pairs"))


def _one_each(labels: GivenLabels | None) -> GivenLabels:
    if labels is None:
        raise BadInput("y: no document has a label; a classifier needs some of each class")
    if labels.several:
        raise BadInput("y: documents have several labels; PTEClassifier learns them")
    return labels


def _arrays(taught: Taught) -> dict[str, NDArray[Any]]:
    """Return the arrays that an expert has learnt, by the names that `_taught` reads."""
    model, n_classes = taught.model, np.array(taught.n_classes)
    shared: dict[str, NDArray[Any]] = {"classes": taught.classes, "n_classes": n_classes}
    if isinstance(model, NaiveBayes):
        return shared | {"priors": model.priors, "words": model.words}
    return shared | {"weights": model.weights, "order": model.classes}


def _taught(expert: Expert, arrays: dict[str, NDArray[Any]]) -> Taught:
    model = (
        NaiveBayes(arrays["priors"], arrays["words"])
        if "priors" in arrays
        else LinearClassifier(arrays["weights"], arrays["order"])
    )
    return Taught(expert, model, arrays["classes"], int(arrays["n_classes"]))
