"""PTE(auto): a pool of PTE and of classifiers that see words, with no hyperparameter to set.

Five experts learn the classes of documents. Four experts are logistic regressions: on vectors of
PTE(joint), whose networks are weighted by the share of labels; on vectors of LINE, which sees no
label; on TF-IDF; and on log-count ratios. The fifth expert is naive Bayes with EM. A logarithmic
pool weighs the experts by their opinions of labelled documents whose text and label no expert has
seen. Vectors fit documents that they have seen better than any other documents, so weights that
seen documents choose would trust vectors too much. The paper leaves weights of networks for few
labels to future work (section 5.4).
"""

import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import compress
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pte.array_file import ArrayFile
from pte.corpora.encoded import TEST, EncodedCorpus
from pte.corpora.labelled import find_labelled, find_unlabelled, labelled_documents
from pte.corpora.word_pairs import counts_with, frequent_pairs
from pte.models import network_embedding
from pte.models.pte_auto.experts import (
    LINE_VECTORS,
    PTE_VECTORS,
    Expert,
    Lesson,
    candidates,
    teach,
)
from pte.models.pte_auto.kept import Pool, check_pool
from pte.models.pte_auto.material import Reading
from pte.models.pte_auto.pool import calibrated, log_loss, pool_weights, pooled
from pte.networks import named
from pte.selection.parts import folds
from pte.training.contract import Chosen, Cost, Fitted, Learnt, Options, Spec, Task, most_likely
from pte.training.edges import of_phases
from pte.training.plan import Size

METHOD = "pte_auto"

ENOUGH = 2000
"""Folds judge the experts until so many documents have judged; each fold takes two trainings."""

EDGES_OF_A_WORD = 2000
"""T is so many edges for each word of the vocabulary, if few documents have labels.

Short documents need more edges for each token than long documents. With 1 % and 10 % of mr's
labels, and 1 % of R8's, vectors of about this T are within two points of the best of five T.
"""

FURTHER = 2
"""A search for T tries up to this many times `EDGES_OF_A_WORD` edges for each word."""

ENOUGH_TO_SEARCH = 1000
"""A search for T needs so many labelled documents. A fifth of these documents judges, and with
fewer judges T is chance: on mr, 14 judges once chose 0.8 M edges, where 30 M and more are better.
"""

TRAININGS = {PTE_VECTORS: "labelled", LINE_VECTORS: "unlabelled"}
"""The option that names the networks of each training, by the expert that sees its vectors."""


class Judged(NamedTuple):
    """The experts that the judging documents choose, one of each name, and their weights.

    `documents` is how many documents judged, and `loss` is the pool's mean log loss on them.
    """

    experts: tuple[Expert, ...]
    weights: NDArray[np.float64]
    documents: int
    loss: float

    @property
    def counting(self) -> NDArray[np.bool_]:
        """Which experts have a weight above 0; all experts, if no expert has such a weight."""
        some = self.weights > 0
        return some if some.any() else ~some


def choose(task: Task) -> Chosen:
    """Choose T for each of the two trainings, as `network_embedding.choose` does.

    If fewer documents than `ENOUGH_TO_SEARCH` have labels, T is `EDGES_OF_A_WORD` for each word, at
    most the `samples_limit` of the task.
    """
    samples = EDGES_OF_A_WORD * task.corpus.n_words
    if find_labelled(task.corpus).size < ENOUGH_TO_SEARCH:
        given = min(samples, task.samples_limit)
        return Chosen({"samples": [given] * len(TRAININGS)}, (), 0.0)
    searched = replace(task, samples_limit=min(FURTHER * samples, task.samples_limit))
    each = [network_embedding.choose(_training(searched, o)) for o in TRAININGS.values()]
    curve = tuple(
        {"training": number, **point}
        for number, chosen in enumerate(each)
        for point in chosen.curve
    )
    found = [chosen.choice["samples"] for chosen in each]
    return Chosen({"samples": found}, curve, sum(chosen.seconds for chosen in each))


def learn(task: Task) -> Learnt:
    """Let held-out documents weigh the experts, and teach the experts with all documents.

    If `task.choice` has T of the two trainings, nothing is searched. One thread learns the same
    from the same seed. The arrays and facts are those of `Pool`. The notes have the experts with
    their values and weights, how many documents judged them, and the log loss. Raises `PteError`
    when there are too few labels.
    """
    if task.choice is None:
        task = replace(task, choice=choose(task).choice)
    judged, pool = _learn_pool(task)
    notes = {
        "choice": task.choice,
        "experts": [
            {**expert._asdict(), "weight": float(weight)}
            for expert, weight in zip(judged.experts, judged.weights, strict=True)
        ],
        "judges": judged.documents,
        "log_loss": judged.loss,
    }
    return Learnt(pool.arrays, {**pool.facts, "choice": task.choice, "notes": notes})


def apply(learnt: Learnt, options: Options, corpus: EncodedCorpus) -> NDArray[np.float64]:
    """Return the pool's probabilities of the classes, shape (documents, classes)."""
    return np.asarray(np.exp(Pool.of(learnt.arrays, learnt.facts).opinion(corpus)))


def check(kept: ArrayFile, options: Options) -> int:
    """Check the arrays and facts that `learn` gives; raises `PteError`."""
    return check_pool(kept)


def fit(task: Task) -> Fitted:
    """Learn as `learn` does, and predict the test documents."""
    began = time.perf_counter()
    learnt = learn(task)
    predicted = most_likely(apply(learnt, task.options, task.asked))
    seconds = time.perf_counter() - began
    return Fitted(predicted, seconds=seconds, notes=learnt.facts["notes"])


def _learn_pool(task: Task) -> tuple[Judged, Pool]:
    """Weigh the experts, and teach those that count; `task.choice` has T of the two trainings."""
    corpus, known = task.corpus, labelled_documents(task.corpus, METHOD)
    pairs = frequent_pairs(corpus) if task.options["pairs"] else None
    counts = counts_with(corpus, pairs)
    labels = np.asarray(corpus.labels[known])
    judged = _judge(task, counts, known, labels)
    reading = _read(task, counts)
    material = reading.material(corpus, counts)
    lesson = _lesson(corpus, known, labels)
    counting = compress(judged.experts, judged.counting)
    taught = tuple(teach(expert, material, lesson) for expert in counting)
    return judged, Pool(taught, judged.weights[judged.counting], reading, pairs)


def _judge(
    task: Task,
    counts: sparse.csr_array,
    known: NDArray[np.int64],
    labels: NDArray[np.int32],
) -> Judged:
    """Choose and weigh one expert of each name, on documents that the experts have not seen."""
    found, truth = [], []
    tried = candidates(find_unlabelled(task.corpus).size > 0, task.options["pairs"])
    for teachers, judge in _parts(labels, task.seed):
        seen = replace(task, corpus=_without(task.corpus, known[judge]), progress=None)
        lesson = _lesson(seen.corpus, known[teachers], labels[teachers])
        material = _read(seen, counts).material(seen.corpus, counts)
        each = [teach(expert, material, lesson).opinion(material, known[judge]) for expert in tried]
        found.append(np.stack(each))
        truth.append(labels[judge])
    opinions, answers = np.concatenate(found, axis=1), np.concatenate(truth)
    factors, losses = np.array([calibrated(each, answers) for each in opinions]).T
    names = np.array([expert.name for expert in tried])
    of_name = [np.flatnonzero(names == name) for name in dict.fromkeys(names.tolist())]
    chosen = [int(each[losses[each].argmin()]) for each in of_name]
    sure = factors[chosen]
    weights = sure * pool_weights(sure[:, None, None] * opinions[chosen], answers)
    loss = log_loss(pooled(opinions[chosen], weights), answers)
    return Judged(tuple(tried[i] for i in chosen), weights, answers.size, loss)


def _parts(
    labels: NDArray[np.int32], seed: int
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Yield folds until they hold at least `ENOUGH` judging documents, or there are no more."""
    judges = 0
    for learn, judge in folds(labels, METHOD, seed):
        yield learn, judge
        judges += judge.size
        if judges >= ENOUGH:
            return


def _without(corpus: EncodedCorpus, documents: NDArray[np.int64]) -> EncodedCorpus:
    """Return the corpus with some documents as test documents, so that no training sees them."""
    split = np.array(corpus.split)
    split[documents] = TEST
    return replace(corpus, split=split)


def _lesson(corpus: EncodedCorpus, known: NDArray[np.int64], labels: NDArray[np.int32]) -> Lesson:
    return Lesson(known, labels, find_unlabelled(corpus), corpus.n_classes)


def _read(task: Task, counts: sparse.csr_array) -> Reading:
    """Do both trainings, and return how documents are read."""
    assert task.choice is not None
    vectors, each = {}, of_phases(task.choice["samples"], list(TRAININGS))
    for samples, (name, option) in zip(each, TRAININGS.items(), strict=True):
        training = replace(_training(task, option), choice={"samples": samples})
        vectors[name] = np.asarray(network_embedding.fit(training).array)
    return Reading.of(task.corpus, vectors, counts)


def _training(task: Task, option: str) -> Task:
    """Return the task of one of the two trainings, whose edges are streamed.

    The training with labels has automatic weights, so that it does not draw few labels too often.
    """
    return replace(
        task,
        options={"phases": [task.options[option]]},
        weights="auto" if option == TRAININGS[PTE_VECTORS] else "paper",
        streamed=True,
        choice=None,
    )


def _names(options: Options) -> tuple[str, ...]:
    return tuple(sorted({name for option in TRAININGS.values() for name in options[option]}))


def _memory(size: Size) -> float:
    """Return the bytes of one training at a time, of the features, and of the experts' weights.

    An entry of a matrix takes 12 bytes. A token has at most one entry for its word and one for its
    pair. There are the counts, three more matrices, and the part that learns, in LIBLINEAR's 16
    bytes for an entry. Three experts have a float64 for each class and feature; on mr and dblp,
    there are 7 frequent pairs for 100 tokens.
    """
    streamed = replace(size, streamed=True)
    features = 2 * (4 * 12 + 16) * size.tokens
    weights = 3 * 8 * size.classes * (size.words + size.tokens / 8)
    return network_embedding.SPEC.memory(streamed) + features + weights


_POSITIVE = {"type": "integer", "minimum": 1}
_BOTH = {"type": "array", "minItems": 2, "maxItems": 2, "items": _POSITIVE}
_NETWORKS = {"type": "array", "minItems": 1, "uniqueItems": True, "items": {"type": "string"}}

SPEC = Spec(
    yields="predictions",
    options={"labelled": _NETWORKS, "unlabelled": _NETWORKS, "pairs": {"type": "boolean"}},
    required=("labelled", "unlabelled", "pairs"),
    uses=frozenset({"hyperparameters", "samples_limit", "deterministic"}),
    choice={"samples": {"anyOf": [_POSITIVE, _BOTH]}},
    automatic=True,
    cost=lambda options: Cost(0.5, 60, 0.4),
    ordered=lambda options: (
        options["pairs"] or any(named.spec(name).ordered for name in _names(options))
    ),
    kernels=lambda options: ("streamed",),
    threads=16,
    memory=_memory,
)
