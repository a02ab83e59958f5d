"""PTE(auto): its experts, the pool that weighs them, and what the judges may not have shown."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from made import configured, corpus_of
from scipy.optimize import check_grad
from scipy.special import log_softmax

from pte.corpora.encoded import TEST, TRAIN
from pte.corpora.features import frequent_pairs, letters_of, pair_counts
from pte.corpora.subsets import find_labelled, find_unlabelled
from pte.evaluation import calibration
from pte.models import pte_auto
from pte.models.pte_auto import judging
from pte.models.pte_auto.experts import (
    LEAST,
    Expert,
    Kind,
    Lesson,
    Material,
    Reading,
    WordFeatures,
    seen,
    teach,
)
from pte.models.pte_auto.judging import judge
from pte.training.contract import Task, fit_by
from pte.training.setup import Hyperparameters
from pte_study.plan.study import Study

ROOT = Path(__file__).parents[2]
OPTIONS = {"labelled": ["ww", "wd", "wl"], "unlabelled": ["ww", "wd"], "pairs": True}
RNG = np.random.default_rng(7)
LABELS = RNG.integers(3, size=60).astype(np.int32)


def right_in(share, sure=2.0):
    """An opinion that prefers the label of so many documents, and a random class of the others."""
    chosen = np.where(RNG.random(LABELS.size) < share, LABELS, RNG.integers(3, size=LABELS.size))
    return sure * np.eye(3)[chosen]


@pytest.fixture(scope="module")
def corpus():
    """Two classes of texts about their own words; of some documents the label is not known."""
    words = {"x": [b"ant", b"bee", b"cat"], "y": [b"dog", b"elk", b"fox"]}
    common = [b"of", b"the", b"and"]
    made = np.random.default_rng(1)

    def text(name):
        return [bytes(w) for w in made.choice(words[name] + common, 12)]

    training = [(text(name), name if i < 20 else None) for i in range(30) for name in "xy"]
    return corpus_of(training, held_out=[text(name) for _ in range(10) for name in "xy"])


def task(corpus, options=OPTIONS, **others):
    settings = Hyperparameters(dim=8)
    return Task(corpus, 3, options=options, hyperparameters=settings, **others)


def test_pairs_are_counted_within_documents(corpus):
    found = frequent_pairs(corpus)
    counts = pair_counts(corpus, found)
    texts = [corpus.tokens[begin:end].tolist() for begin, end in pairwise(corpus.offsets)]
    pairs = [Counter(pairwise(text)) for text in texts]
    train = [set(pairs[d]) for d in corpus.documents(TRAIN)]
    kept = {pair for pair in set().union(*train) if sum(pair in each for each in train) >= 2}
    assert counts.shape == (corpus.n_documents, len(kept))
    names = [divmod(pair, corpus.n_words) for pair in found.tolist()]
    assert set(names) == kept
    for row, counted in zip(counts.toarray(), pairs, strict=True):
        assert row.tolist() == [counted[name] for name in names]


def test_an_opinion_is_made_as_sure_as_it_is_right():
    mild = right_in(0.7, sure=1.0)
    factor, loss = calibration.calibrated(mild, LABELS)
    surer, same = calibration.calibrated(3 * mild, LABELS)
    assert surer == pytest.approx(factor / 3, rel=1e-3)
    assert same == pytest.approx(loss, rel=1e-6)
    assert all(loss <= calibration.log_loss(f * mild, LABELS) for f in (factor / 1.2, factor * 1.2))


def test_unjudged_experts_have_their_part_of_the_pool_however_sure_they_are():
    mild, other = right_in(0.9), right_in(0.6)
    weights = np.array([0.75, 0.25])
    even = calibration.evened(weights, np.stack([mild, other]))
    surer = calibration.evened(weights, np.stack([mild, 1000 * other]))
    says = [w * np.std(o - o.mean(1)[:, None]) for w, o in zip(even, (mild, other), strict=True)]
    assert says[0] == pytest.approx(3 * says[1])
    before = weights @ [np.std(o - o.mean(1)[:, None]) for o in (mild, other)]
    assert sum(says) == pytest.approx(before)
    assert surer[1] * 1000 / surer[0] == pytest.approx(even[1] / even[0])
    silent = calibration.evened(weights, np.stack([mild, np.full_like(other, -1.0)]))
    assert silent[1] == 0 and silent[0] > 0


def test_weights_are_where_the_loss_has_its_minimum(monkeypatch):
    opinions = np.stack([right_in(0.9), right_in(0.6), right_in(0.3)])
    losses = np.array([calibration.log_loss(each, LABELS) for each in opinions])
    prior = calibration.prior_weights(losses, LABELS.size, np.ones(3))
    weights = calibration.pool_weights(opinions, LABELS, prior)

    def objective(at):
        loss = LABELS.size * calibration.log_loss(calibration.pooled(opinions, at), LABELS)
        return loss + calibration.PULL * np.square(at - prior).sum()

    best = objective(weights)
    for step in 0.02 * np.concatenate([np.eye(3), -np.eye(3)]):
        assert objective(np.maximum(weights + step, 0)) >= best
    assert weights[0] > weights[1] > weights[2]
    asked = []
    monkeypatch.setattr("scipy.optimize.minimize", lambda f, *_, **__: asked.append(f) or _Nothing)
    calibration.pool_weights(opinions, LABELS, prior)
    at = np.array([0.3, 0.2, 0.6])
    error = check_grad(lambda w: asked[0](w)[0], lambda w: asked[0](w)[1], at)
    assert error < 1e-3 * np.abs(asked[0](at)[1]).max()


class _Nothing:
    x = np.zeros(3)


def made_opinions(right, labels):
    """Opinions of experts that give the label so much probability, on average, and err alone."""
    noise = np.random.default_rng(5).normal(size=(len(right), labels.size, 3))
    return np.array(right)[:, None, None] * np.eye(3)[labels] + noise


@pytest.mark.parametrize("n", [12, 600])
def test_other_experts_count_beside_an_encoder_as_far_as_they_surely_help(n):
    labels = np.random.default_rng(6).integers(3, size=n).astype(np.int32)
    opinions = made_opinions([0.7, 1.5], labels)
    alone, gains = np.array([0.0, 1.0]), []
    for document in range(n):
        others = np.arange(n) % calibration.PARTS != document % calibration.PARTS
        weights = calibration.pool_weights(opinions[:, others], labels[others], alone)
        losses = [
            calibration.log_loss(calibration.pooled(opinions[:, [document]], w), labels[[document]])
            for w in (alone, weights)
        ]
        gains.append(losses[0] - losses[1])
    noise = np.square(np.std(gains) / np.mean(gains)) / n
    share = max(0.0, 1 - noise) if np.mean(gains) > 0 else 0.0
    free = calibration.pool_weights(opinions, labels, alone)
    found = calibration.weights_beside(1, opinions, labels)
    assert found == pytest.approx(alone + share * (free - alone), abs=1e-6)
    assert n == 12 or share > 0.9
    assert calibration.weights_beside(1, made_opinions([0.0, 1.5], labels), labels)[0] < 0.1
    assert calibration.weights_beside(1, opinions[:, :1], labels[:1]).tolist() == [0, 1]


def test_a_pool_that_does_not_help_leaves_the_encoder_alone(monkeypatch):
    wrong, right = 2.0 * np.eye(3)[(LABELS + 1) % 3], np.eye(3)[LABELS]
    monkeypatch.setattr(calibration, "pool_weights", lambda *_: np.array([0.6, 0.4]))
    assert calibration.weights_beside(1, np.stack([wrong, right]), LABELS).tolist() == [0, 1]


def test_prior_weights_of_a_few_judges_are_nearly_equal():
    few, many = (calibration.prior_weights(np.array([0.5, 0.6]), n, np.ones(2)) for n in (3, 3000))
    assert few.sum() == pytest.approx(1)
    assert 0.5 < few[0] < 0.55
    assert many[0] > 0.999


STARTS = [
    Expert("PTE", (10,)),
    Expert("LINE", (10,)),
    Expert("TF-IDF", (10, 1, 1)),
    Expert("letters", (10,)),
    Expert("log-count ratios", (1,)),
    Expert("NB+EM", (0.1, 0.3)),
]
EACH = pytest.mark.parametrize("expert", STARTS, ids=[expert.name for expert in STARTS])


def about_topics(n_classes):
    """60 documents with 8 words each, most of them about their class, and the classes."""
    labels = np.arange(60, dtype=np.int32) % n_classes
    rng = np.random.default_rng(4)
    words = [[b"%d%d%d" % (name, i, name) for i in range(5)] for name in range(n_classes)]

    def text(name):
        own = [words[name if rng.random() < 0.8 else rng.integers(n_classes)] for _ in range(8)]
        return [each[rng.integers(5)] for each in own]

    return corpus_of([(text(name), f"class {name}") for name in labels]), labels


def material_of(corpus, pairs=True, letters=True):
    runs = letters_of(corpus) if letters else None
    reading = Reading.of(corpus, frequent_pairs(corpus) if pairs else None, runs)
    words = np.random.default_rng(2).normal(size=(corpus.n_words, 30)).astype(np.float32)
    return Material.of(WordFeatures(corpus, reading), {"PTE": words, "LINE": words})


@EACH
@pytest.mark.parametrize("n_classes", [2, 3])
def test_every_expert_learns_and_leaves_the_classes_that_nobody_teaches(expert, n_classes):
    corpus, labels = about_topics(n_classes)
    features = seen(expert, material_of(corpus))
    lesson = Lesson(np.arange(30), labels[:30], np.arange(30, 40), n_classes + 1)
    found = teach(expert, features, lesson).opinion(features[40:])
    assert np.exp(found).sum(axis=1) == pytest.approx(1)
    assert (found.argmax(axis=1) == labels[40:]).mean() >= 0.75
    assert np.allclose(np.exp(found[:, -1]), LEAST, rtol=0.1)


def test_rare_classes_have_the_inverse_of_their_share_whatever_is_read():
    corpus, labels = about_topics(3)
    expert = Expert("rare classes", ())
    features = seen(expert, material_of(corpus))
    known = np.flatnonzero((labels > 0) | (np.arange(60) < 15))
    found = teach(expert, features, Lesson(known, labels[known], np.arange(0), 3)).opinion(features)
    sizes = np.bincount(labels[known])
    assert np.exp(found) == pytest.approx(np.tile(1 / sizes / (1 / sizes).sum(), (60, 1)))


@pytest.mark.parametrize("lean", [0.0, 0.6])
def test_rare_classes_count_as_far_as_the_others_lean_towards_large_ones(lean):
    shares = np.array([0.7, 0.2, 0.1])
    rng = np.random.default_rng(3)
    labels = rng.choice(3, size=4000, p=shares).astype(np.int32)
    text = 2 * np.eye(3)[labels] + rng.normal(size=(4000, 3))
    right = log_softmax(2 * text + np.log(shares), axis=1)
    rare = np.tile(-np.log(shares), (4000, 1))
    opinions = np.stack([right + lean * np.log(shares), rare])
    experts = [Expert("TF-IDF", (10, 0, 0)), Expert("rare classes", ())]
    found = judging.weigh(experts, [1, 1], opinions, labels)
    assert found == pytest.approx([1, lean], abs=0.1)
    few = judging.weigh(experts, [1, 1], opinions[:, :1], labels[:1])
    assert few == pytest.approx([1, 0], abs=0.1)


@pytest.fixture
def taught(monkeypatch):
    """The lessons of all experts that are taught while the judges judge."""
    lessons, learn = [], judging.teach

    def remember(expert, features, lesson, before):
        lessons.append(lesson)
        return learn(expert, features, lesson, before)

    monkeypatch.setattr(judging, "teach", remember)
    return lessons


@pytest.mark.parametrize("shared", [0, 1])
def test_judges_are_hidden_from_what_they_judge(corpus, monkeypatch, taught, shared):
    """Neither their text nor their labels are in the corpora that vectors and experts learn from.

    A LINE that serves all folds must not have the text of any judge.
    """
    monkeypatch.setattr(judging, "SHARED", shared)
    lines, ptes = [], []

    def train(into):
        return lambda task, *_: into.append(task.corpus) or np.ones((corpus.n_words, 2), np.float32)

    monkeypatch.setattr(judging, "train_line", train(lines))
    monkeypatch.setattr(judging, "train_pte", train(ptes))
    judged, lesson = judged_of(corpus)
    judges = [set(lesson.known) - set(each.known) for each in taught[:5]]
    assert sorted(d for each in judges for d in each) == lesson.known.tolist()
    assert judged.documents == lesson.known.size
    assert len(lines) == (1 if shared else 5)
    for each, learnt in zip(judges, lines, strict=False):
        hidden = set(lesson.known) if shared else each
        assert set(learnt.documents(TRAIN)) == set(corpus.documents(TRAIN)) - hidden
    for each, corpus_of_fold in zip(judges, ptes, strict=True):
        assert set(corpus_of_fold.documents(TRAIN)) == set(corpus.documents(TRAIN)) - each
    for number, each in enumerate(taught):
        assert not judges[number % 5] & {*each.known, *each.unlabelled}


@pytest.mark.parametrize("telling", [False, True])
def test_many_judges_say_whether_vectors_are_worth_their_training(corpus, monkeypatch, telling):
    """One fold with a part of the edges says so; LINE then only begins the vectors of PTE."""
    monkeypatch.setattr(judging, "ENOUGH", 1)
    monkeypatch.setattr(judging, "WORTH", -np.inf if telling else np.inf)
    parts = []

    def train(task, *given):
        parts.append(given[-1])
        return np.full((corpus.n_words, 2), len(parts), np.float32)

    monkeypatch.setattr(judging, "train_line", train)
    monkeypatch.setattr(judging, "train_pte", train)
    judged, _ = judged_of(corpus)
    names = [expert.name for expert in judged.experts]
    assert judging.LINE_VECTORS not in names and (judging.PTE_VECTORS in names) == telling
    trial = [judging.TRIAL, judging.TRIAL]
    assert parts == ([*trial, 1.0, 1.0] if telling else trial)
    assert (judged.line == 3).all() if telling else judged.line is None


def test_documents_of_a_group_are_on_one_side(corpus, taught):
    groups = (np.arange(corpus.n_documents) // 4).astype(np.int32)
    grouped = replace(corpus, groups=groups)
    _, lesson = judged_of(grouped)
    assert len(taught) > 10
    for each in taught:
        judges = np.setdiff1d(lesson.known, each.known)
        assert judges.size
        seen = groups[np.concatenate([each.known, each.unlabelled])]
        assert not np.intersect1d(seen, groups[judges]).size
        hidden = judging.without(grouped, judges)
        assert not np.intersect1d(groups[hidden.documents(TRAIN)], groups[judges]).size


def judged_of(corpus):
    asked = task(corpus, samples_limit=2000)
    reading = Reading.of(corpus, frequent_pairs(corpus), letters_of(corpus))
    known = find_labelled(corpus)
    labels = np.asarray(corpus.labels[known])
    lesson = Lesson(known, labels, find_unlabelled(corpus), corpus.n_classes)
    return judge(asked, WordFeatures(corpus, reading), lesson, letters=True), lesson


def test_judges_tell_how_many_of_them_are_predicted_right(corpus):
    judged, lesson = judged_of(corpus)
    assert judged.documents == lesson.known.size == 40
    assert 36 <= judged.held_out.right.sum() <= 40
    other = judging.Judgement.of(30, 40)
    assert other.micro_f1 == 75
    assert other.interval == pytest.approx((59.8, 85.8), abs=0.05)
    assert str(other) == "75.0 % right (59.8 to 85.8), of 40; fewer than 200 say little, label more"
    assert str(judging.Judgement.of(150, 200)).endswith(", of 200")


def losses(values, bottom):
    """A log loss that is least where the first value is `bottom`, with a gain for the others."""
    return 1 + abs(np.log10(values[0] / bottom)) - 0.1 * sum(values[1:])


@pytest.mark.parametrize("bottom", [0.01, 1, 10, 10_000])
def test_a_search_goes_on_while_the_loss_falls(bottom, monkeypatch):
    search = judging._Search([])
    monkeypatch.setattr(
        search,
        "_try",
        lambda expert: judging._Found(expert, LABELS, 1.0, losses(expert.values, bottom)),
    )
    monkeypatch.setattr(judging, "_found", lambda expert, *_: expert)
    found = search.run("TF-IDF", Kind("words", 2, (10, 0, 0), {1: 1, 2: -1}))
    assert found.values == pytest.approx((bottom, 1, 0))


def test_labels_of_test_documents_change_nothing(corpus):
    others = np.array(corpus.labels)
    asked = corpus.documents(TEST)
    others[asked] = 1 - others[asked]
    fits = [fit_by(pte_auto, task(each)) for each in (corpus, replace(corpus, labels=others))]
    assert (fits[0].array == fits[1].array).all()
    assert {**fits[0].notes} == {**fits[1].notes}
    assert (fits[0].array == np.arange(20) % 2).mean() > 0.9


def test_pte_begins_at_the_vectors_of_line(corpus):
    line = np.random.default_rng(3).normal(size=(corpus.n_words, 8)).astype(np.float32)
    found = judging.train_pte(task(corpus, samples_limit=1), line)
    assert np.abs(found - line).max() < 0.1


@pytest.mark.parametrize("most", ["MOST_KNOWN", "MOST_TAUGHT", "MOST_READ"])
def test_letters_are_for_corpora_that_are_not_large(corpus, monkeypatch, most):
    assert pte_auto._sees_letters(corpus, find_labelled(corpus))
    monkeypatch.setattr(pte_auto, most, 0)
    assert not pte_auto._sees_letters(corpus, find_labelled(corpus))
    notes = pte_auto.learn(task(corpus, samples_limit=2000)).facts["notes"]
    assert "letters" not in {each["name"] for each in notes["experts"]}


def test_all_settings_show_one_fit_with_the_steps_of_chosen():
    study = Study.load(configured(), ROOT / "workflow")
    paper, chosen = (study.fit_inputs("mr", "pte_auto", s, "1") for s in ("paper", "chosen"))
    assert paper == chosen
    assert "choice" not in chosen
    plan = study.plan("mr", "pte_auto", "paper").configured
    assert plan.hyperparameters.step.kind == "grouped"


def test_without_the_order_of_words_there_are_no_pairs(corpus):
    study = Study.load(configured(), ROOT / "workflow")
    options = study.plan("rcv1_corporate", "pte_auto").configured.options
    assert options == {"labelled": ["wd", "wl"], "unlabelled": ["wd"], "pairs": False}
    learnt = pte_auto.learn(replace(task(corpus, samples_limit=1000), options=options))
    assert "pairs" not in learnt.arrays
    assert learnt.arrays["rarity"].shape == (corpus.n_words,)


def test_what_is_tried_depends_on_unlabelled_documents_and_on_pairs(corpus):
    whole = judging.kinds_of(task(corpus), letters=True)
    assert list(whole) == [*(expert.name for expert in STARTS), "rare classes"]
    assert whole["NB+EM"].others
    assert 1 in whole["TF-IDF"].others
    known = corpus.of_documents(np.isin(np.arange(corpus.n_documents), find_labelled(corpus)))
    bare = judging.kinds_of(task(known, options=OPTIONS | {"pairs": False}), letters=False)
    assert "letters" not in bare
    assert bare["NB+EM"][2:] == ((0.1, 0), {})
    assert 1 not in bare["TF-IDF"].others


@pytest.mark.parametrize(
    ("sees", "names"),
    [
        ("vectors", {"PTE", "LINE", "rare classes"}),
        ("words", {"TF-IDF", "letters", "log-count ratios", "NB+EM", "rare classes"}),
    ],
)
def test_controls_see_vectors_or_words_alone(corpus, sees, names):
    options = OPTIONS | {"sees": [sees]}
    learnt = pte_auto.learn(task(corpus, options=options, samples_limit=200_000))
    assert {each["name"] for each in learnt.facts["notes"]["experts"]} == names
    assert ("word_vectors" in learnt.arrays) == (sees == "vectors")
    asked = corpus.documents(TEST)
    found = pte_auto.apply(learnt, options, corpus)[asked].argmax(axis=1)
    assert (found == np.arange(20) % 2).mean() > 0.8


def test_an_encoder_is_an_expert_whose_vectors_the_corpus_has(corpus):
    right = np.eye(2)[corpus.labels % 2] + np.random.default_rng(3).normal(size=(80, 2)) / 9
    encoded = replace(corpus, vectors=right.astype(np.float32))
    options = {**OPTIONS, "sees": ["words", "encoder"]}
    learnt = pte_auto.learn(task(encoded, options))
    experts = {each["name"]: each["weight"] for each in learnt.facts["notes"]["experts"]}
    assert max(experts, key=experts.get) == "encoder" and "LINE" not in experts
    asked = encoded.of_documents(encoded.split == TEST)
    assert (pte_auto.apply(learnt, options, asked).argmax(axis=1) == asked.labels).mean() > 0.9
    assert pte_auto.SPEC.encoded(options) and not pte_auto.SPEC.encoded(OPTIONS)
    without = pte_auto.learn(task(encoded, {**OPTIONS, "sees": ["words"]}))
    bare = pte_auto.learn(task(corpus, {**OPTIONS, "sees": ["words"]}))
    assert without.facts == bare.facts
