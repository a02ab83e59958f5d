"""PTE(auto): a pool of PTE and of classifiers that see words, with no hyperparameter to set.

Six experts learn the classes of documents. Five experts are logistic regressions: on vectors of
PTE(joint), whose networks are weighted by the share of labels; on vectors of LINE, which sees no
label; on TF-IDF of words; on TF-IDF of runs of letters, unless labels are many; and on log-count
ratios. The sixth expert is naive Bayes with EM. A logarithmic pool weighs the experts by their
opinions of labelled documents whose text and label no expert has learnt from; only which pairs and
runs of letters are features is counted on their text, too. Vectors fit documents that they have
seen better than any other documents, so weights that seen documents choose would trust vectors too
much. With an encoder of texts, a seventh expert sees its vectors. The shares of the
classes, turned round, have a weight too, since regressions lean towards large classes. The paper
leaves weights of networks for few labels to future work (section 5.4).
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from pte.array_file import ArrayFile
from pte.corpora.encoded import EncodedCorpus
from pte.corpora.labelled import find_unlabelled, labelled_documents
from pte.corpora.word_pairs import frequent_pairs
from pte.models import network_embedding
from pte.models.pte_auto.experts import LETTERS, Lesson, Taught, seen, teach
from pte.models.pte_auto.judging import ENOUGH, Judged, judge
from pte.models.pte_auto.kept import Pool, check_pool
from pte.models.pte_auto.material import Material, Reading, WordFeatures
from pte.models.pte_auto.pool import evened
from pte.models.pte_auto.trainings import samples, train_both
from pte.networks import named
from pte.training.contract import Cost, Learnt, Options, Spec, Task
from pte.training.plan import Size

METHOD = "pte_auto"

MOST_KNOWN, MOST_TAUGHT, MOST_READ = 20_000, 20_000_000, 3_000_000
"""Letters count if labelled documents, labelled tokens times classes, and all tokens are at most so
many. With more labels they add little to words, and they take minutes or memory.
"""


def learn(task: Task) -> Learnt:
    """Let held-out documents weigh the experts, and teach the experts with all documents.

    One thread learns the same from the same seed. The arrays and facts are those of `Pool`. The
    choice has T of both trainings and the weights of the experts. The notes have the experts with
    their values and weights, how many documents judged them, how many of these the pool gets
    `right`, and the log loss. Raises `PteError` when there are too few labels.
    """
    judged, pool = _learn_pool(task)
    experts = [
        {**expert._asdict(), "weight": float(weight)}
        for expert, weight in zip(judged.experts, judged.weights, strict=True)
    ]
    notes = {
        "experts": experts,
        "judges": judged.documents,
        "right": judged.right,
        "log_loss": judged.loss,
    }
    weights = {each["name"]: round(each["weight"], 3) for each in experts}
    choice = {"samples": list(samples(task)), "experts": weights}
    return Learnt(pool.arrays, {**pool.facts, "choice": choice, "notes": notes})


def apply(learnt: Learnt, options: Options, corpus: EncodedCorpus) -> NDArray[np.float64]:
    """Return the pool's probabilities of the classes, shape (documents, classes)."""
    return np.asarray(np.exp(Pool.of(learnt.arrays, learnt.facts).opinion(corpus)))


def check(kept: ArrayFile, options: Options) -> int:
    """Check the arrays and facts that `learn` gives; raises `PteError`."""
    return check_pool(kept)


def _learn_pool(task: Task) -> tuple[Judged, Pool]:
    """Weigh the experts, and teach those that count with all documents."""
    corpus, known = task.corpus, labelled_documents(task.corpus, METHOD)
    pairs = frequent_pairs(corpus) if task.options["pairs"] else None
    letters = _sees_letters(corpus, known)
    reading = Reading.of(corpus, pairs, letters)
    letters = letters and reading.letters.size > 0
    words = WordFeatures(corpus, reading)
    labels = np.asarray(corpus.labels[known])
    lesson = Lesson(known, labels, find_unlabelled(corpus), corpus.n_classes)
    judged = judge(task, words, lesson, letters)
    vectors = train_both(task)
    material = Material.of(words, vectors)
    counting, weights = judged.counting, judged.weights.copy()
    experts = list(compress(judged.experts, counting))
    taught = tuple(teach(expert, seen(expert, material), lesson) for expert in experts)
    if not judged.documents:
        weights[counting] = evened(weights[counting], _opinions(taught, material, lesson))
    if not any(expert.name == LETTERS for expert in experts):
        reading = reading.without_letters()
    pool = Pool(taught, weights[counting], reading, vectors)
    return judged._replace(weights=weights), pool


def _opinions(taught: Sequence[Taught], material: Material, lesson: Lesson) -> NDArray[np.float64]:
    """Return what experts say of documents without labels; of all, if none lacks one."""
    asked = lesson.unlabelled if lesson.unlabelled.size else lesson.known
    asked = asked[:: -(-asked.size // ENOUGH)]
    return np.stack([each.opinion(seen(each.expert, material)[asked]) for each in taught])


def _sees_letters(corpus: EncodedCorpus, known: NDArray[np.int64]) -> bool:
    """Return whether there is an expert on letters."""
    taught = int(np.diff(corpus.offsets)[known].sum()) * corpus.n_classes
    few = known.size <= MOST_KNOWN and taught <= MOST_TAUGHT
    return few and corpus.n_training_tokens <= MOST_READ


def _names(options: Options) -> tuple[str, ...]:
    return tuple(sorted({*options["labelled"], *options["unlabelled"]}))


def _memory(size: Size) -> float:
    """Return the bytes of one training at a time, of the features, and of the experts' weights.

    An entry of a matrix takes 12 bytes. A token has at most one entry for its word and one for its
    pair. There are the counts, three more matrices, and the part that learns, in LIBLINEAR's 16
    bytes for an entry. Three experts have a float64 for each class and feature; on mr and dblp,
    there are 7 frequent pairs for 100 tokens. A token has about 15 runs of letters.
    """
    streamed = replace(size, streamed=True)
    features = 2 * (4 * 12 + 16) * size.tokens
    weights = 3 * 8 * size.classes * (size.words + size.tokens / 8)
    letters = 15 * (2 * 12 + 16) * min(size.tokens, MOST_READ)
    return network_embedding.SPEC.memory(streamed) + features + weights + letters


_SEES = {"type": "array", "minItems": 1, "items": {"enum": ["vectors", "words", "encoder"]}}

SPEC = Spec(
    yields="predictions",
    options={
        "labelled": network_embedding.NETWORKS,
        "unlabelled": network_embedding.NETWORKS,
        "pairs": {"type": "boolean"},
        "sees": _SEES,
    },
    required=("labelled", "unlabelled", "pairs"),
    uses=frozenset({"hyperparameters", "samples_limit"}),
    automatic=True,
    sure=True,
    encoded=lambda options: "encoder" in options.get("sees", ()),
    cost=lambda options: Cost(0.5, 60, 0.4),
    ordered=lambda options: (
        options["pairs"] or any(named.spec(name).ordered for name in _names(options))
    ),
    draws=_names,
    kernels=lambda options: ("streamed",),
    threads=16,
    memory=_memory,
)
