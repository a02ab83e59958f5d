"""PTE(auto): a pool of PTE and of classifiers that see words, with no hyperparameter to set.

The experts (`pte.models.pte_auto.experts`) learn the classes of documents, from vectors of PTE and
of LINE, words, pairs, letters, and perhaps from an encoder. A logarithmic pool weighs them by their
opinions of labelled documents whose text and label no expert has learnt from; only which pairs and
runs of letters are features is counted on their text, too. Vectors fit documents that they have
seen better than any other documents, so weights that seen documents choose would trust vectors too
much. The paper leaves weights of networks for few labels to future work (section 5.4).
"""

from collections.abc import Mapping
from dataclasses import replace
from itertools import compress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pte.array_file import ArrayFile
from pte.corpora.encoded import EncodedCorpus
from pte.corpora.features import BITS, frequent_pairs, letters_of
from pte.corpora.subsets import find_unlabelled, labelled_documents
from pte.evaluation.calibration import Opinion, evened, pooled
from pte.evaluation.linear import LinearClassifier
from pte.models import network_embedding
from pte.models.nb_em import NaiveBayes
from pte.models.pte_auto.experts import (
    EM,
    ENCODER,
    EXPERTS,
    LETTERS,
    LINE_VECTORS,
    PTE_VECTORS,
    RARE,
    WORDS,
    Expert,
    Lesson,
    Material,
    Reading,
    Taught,
    Vectors,
    WordFeatures,
    seen,
    teach,
)
from pte.models.pte_auto.judging import ENOUGH, judge, samples, train_both
from pte.networks import named
from pte.training.contract import Cost, Learnt, Options, Spec, Task
from pte.training.setup import Size

METHOD = "pte_auto"

MOST_KNOWN, MOST_TAUGHT, MOST_READ = 20_000, 20_000_000, 3_000_000
"""Letters count up to so many labelled documents, their tokens times classes, and tokens in all."""

VECTORS = {PTE_VECTORS: "word_vectors", LINE_VECTORS: "line_vectors"}
"""The names of the arrays of word vectors, by the experts that see them."""


def learn(task: Task) -> Learnt:
    """Let held-out documents weigh the experts, and teach those that count with all documents."""
    corpus, known = task.corpus, labelled_documents(task.corpus, METHOD)
    pairs = frequent_pairs(corpus) if task.options["pairs"] else None
    runs = letters_of(corpus) if _sees_letters(corpus, known) else None
    reading = Reading.of(corpus, pairs, runs)
    words, labels = WordFeatures(corpus, reading, runs), np.asarray(corpus.labels[known])
    lesson = Lesson(known, labels, find_unlabelled(corpus), corpus.n_classes)
    judged = judge(task, words, lesson, letters=reading.letters.size > 0)
    counting, weights = judged.counting, judged.weights.copy()
    experts = list(compress(judged.experts, counting))
    named_so = {expert.name for expert in experts}
    vectors = train_both(task, judged.line) if named_so & VECTORS.keys() else {}
    material = Material.of(words, vectors)
    taught = [teach(expert, seen(expert, material), lesson) for expert in experts]
    if not judged.documents:
        asked = lesson.unlabelled if lesson.unlabelled.size else lesson.known
        asked = asked[:: -(-asked.size // ENOUGH)]
        opinions = [each.opinion(seen(each.expert, material)[asked]) for each in taught]
        weights[counting] = evened(weights[counting], np.stack(opinions))
    if LETTERS not in named_so:
        none = reading.letters[:0], reading.letters_rarity[:0]
        reading = reading._replace(letters=none[0], letters_rarity=none[1])
    kept = {name: each for name, each in vectors.items() if name in named_so}
    pool = _Pool(taught, weights[counting], reading, kept)
    said = [
        {**expert._asdict(), "weight": float(weight)}
        for expert, weight in zip(judged.experts, weights, strict=True)
    ]
    notes = {"experts": said, "judges": judged.documents}
    notes |= {"right": int(judged.held_out.right.sum()), "log_loss": judged.loss}
    shares = {each["name"]: round(each["weight"], 3) for each in said}
    choice = {"samples": list(samples(task)), "experts": shares}
    return pool.learnt(choice=choice, notes=notes)._replace(held_out=judged.held_out)


def apply(learnt: Learnt, options: Options, corpus: EncodedCorpus) -> NDArray[np.float64]:
    """Return the pool's probabilities of the classes, shape (documents, classes)."""
    return np.asarray(np.exp(_Pool.of(learnt.arrays, learnt.facts).opinion(corpus)))


class _Pool(NamedTuple):
    """What predicts: the experts that count, their weights, how documents are read, and vectors."""

    taught: list[Taught]
    weights: NDArray[np.float64]
    reading: Reading
    vectors: Vectors

    def opinion(self, corpus: EncodedCorpus) -> Opinion:
        """Return the pool's opinion of all documents of a corpus, whose words are those learnt."""
        material = Material.of(WordFeatures(corpus, self.reading), self.vectors)
        opinions = [each.opinion(seen(each.expert, material)) for each in self.taught]
        return pooled(np.stack(opinions), self.weights)

    def learnt(self, **facts: Any) -> Learnt:
        """Return the arrays and facts that `of` reads, beside other facts."""
        _, rarity, letters, letters_rarity, _ = self.reading
        arrays: dict[str, NDArray[Any]] = {"weights": self.weights, "rarity": rarity}
        arrays |= {VECTORS[expert]: vectors for expert, vectors in self.vectors.items()}
        arrays |= {"letters": letters, "letters_rarity": letters_rarity}
        arrays["classes"] = self.taught[0].classes
        if self.reading.pairs is not None:
            arrays["pairs"] = self.reading.pairs
        for i, taught in enumerate(self.taught):
            arrays |= {f"expert{i}_{name}": each for name, each in vars(taught.model).items()}
        facts["taught"] = [each.expert._asdict() for each in self.taught]
        facts |= {"length": self.reading.length, "n_classes": self.taught[0].n_classes}
        return Learnt(arrays, facts)

    @classmethod
    def of(cls, arrays: Mapping[str, NDArray[Any]], facts: Mapping[str, Any]) -> "_Pool":
        """Return the pool that gave these arrays and facts."""
        vectors = {expert: arrays[name] for expert, name in VECTORS.items() if name in arrays}
        taught = []
        for i, each in enumerate(facts["taught"]):
            known = f"expert{i}_"
            own = {k.removeprefix(known): v for k, v in arrays.items() if k.startswith(known)}
            model = NaiveBayes(**own) if "priors" in own else LinearClassifier(**own)
            expert = Expert(each["name"], tuple(each["values"]))
            taught.append(Taught(expert, model, arrays["classes"], facts["n_classes"]))
        rare = arrays["rarity"], arrays["letters"], arrays["letters_rarity"]
        reading = Reading(arrays.get("pairs"), *rare, facts["length"])
        return cls(taught, arrays["weights"], reading, vectors)


def check(kept: ArrayFile, options: Options) -> int:
    """Check the arrays and facts that `learn` gives; raises `PteError`."""
    n_pairs = kept.array("pairs", "int64", "pairs").size if "pairs" in kept else 0
    n_words, n_classes = kept.lengths["words"], kept.lengths["classes"]
    kept.array("rarity", "float32", n_words + n_pairs)
    for name in VECTORS.values():
        if name in kept:
            kept.array(name, "float32", n_words, "dim")
    n_letters = kept.distinct("letters", 2**BITS, "runs of letters").size
    kept.array("letters_rarity", "float32", n_letters)
    kept.fact("length", float)
    kept.fact("n_classes", range(n_classes, n_classes + 1))
    taught = kept.fact("taught", [{"name": str, "values": [float]}])
    kept.array("weights", "float64", len(taught))
    classes = kept.distinct("classes", n_classes, "taught classes")
    if classes.size < 2 or (classes[1:] < classes[:-1]).any():
        raise kept.fault("its classes are fewer than two, or do not rise")
    columns: dict[str, int | str] = {name: kept.lengths.get("dim", 0) for name in VECTORS}
    columns |= {LETTERS: n_letters, ENCODER: "numbers of the encoder", RARE: 0}
    for i, expert in enumerate(taught):
        name, values = expert["name"], expert["values"]
        if name not in EXPERTS or len(values) != len(EXPERTS[name].values):
            raise kept.fault(f"its expert {name!r} is not known")
        pairs = n_pairs if name != WORDS or values[1] else 0
        _check_expert(kept.part(f"expert{i}_"), name, columns.get(name, n_words + pairs), classes)
    if not taught:
        raise kept.fault("it has no expert")
    return n_classes


def _check_expert(
    kept: ArrayFile, name: str, columns: int | str, classes: NDArray[np.integer]
) -> None:
    """Check the arrays of an expert that sees so many columns; raises `PteError`."""
    if name in (EM, RARE):
        kept.array("priors", "float64", classes.size)
        kept.array("words", "float64", classes.size, columns)
        return
    if isinstance(columns, int):
        columns += 1  # the bias
    kept.array("weights", "float64", columns, 1 if classes.size == 2 else classes.size)
    order = kept.numbers("classes", kept.lengths["classes"], classes.size)
    if not np.array_equal(np.sort(order), classes):
        raise kept.fault(f"{kept.beginning}classes are not those that were taught")


def _sees_letters(corpus: EncodedCorpus, known: NDArray[np.int64]) -> bool:
    """Return whether there is an expert on letters."""
    taught = int(np.diff(corpus.offsets)[known].sum()) * corpus.n_classes
    few = known.size <= MOST_KNOWN and taught <= MOST_TAUGHT
    return few and corpus.n_training_tokens <= MOST_READ


def _names(options: Options) -> tuple[str, ...]:
    return tuple(sorted({*options["labelled"], *options["unlabelled"]}))


def _memory(size: Size) -> float:
    """Return the bytes of one training at a time, of the features, and of the experts' weights.

    A token has 12 bytes in four matrices and 16 in LIBLINEAR, for its word and its pair, and about
    15 runs of letters; three experts have a float64 for each class and feature.
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
    cost=lambda options: Cost(0.3, 0.03, 0.3, 0.34, 0.61, 0.035),
    ordered=lambda options: (
        options["pairs"] or any(named.spec(name).ordered for name in _names(options))
    ),
    draws=_names,
    threads=16,
    memory=_memory,
)
