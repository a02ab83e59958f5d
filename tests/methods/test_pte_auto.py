"""PTE(auto): its experts, the pool that weighs them, and what the judges may not have shown."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import naive
import numpy as np
import pytest
from made import configured, corpus_of
from scipy import sparse
from scipy.optimize import check_grad

from pte.corpora.encoded import TEST, TRAIN
from pte.corpora.word_pairs import counts_with, frequent_pairs, pair_counts
from pte.evaluation import liblinear
from pte.models import pte_auto
from pte.models.nb_em import Counts
from pte.models.pte_auto import pool
from pte.models.pte_auto.experts import (
    LEAST,
    Expert,
    Lesson,
    candidates,
    log_count_ratios,
    teach,
)
from pte.models.pte_auto.material import Material, Reading
from pte.training.contract import Task
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


def task(corpus, **others):
    settings = Hyperparameters(dim=8)
    return Task(corpus, 3, options=OPTIONS, hyperparameters=settings, **others)


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


def test_log_count_ratios_are_those_of_the_paper():
    present = RNG.integers(2, size=(9, 5)).astype(np.float32)
    inside = np.arange(9) < 4
    found = log_count_ratios(sparse.csr_array(present), inside)
    assert np.allclose(found, naive.log_count_ratios(present.tolist(), inside.tolist()), atol=1e-6)


def test_an_opinion_is_made_as_sure_as_it_is_right():
    mild = right_in(0.7, sure=1.0)
    factor, loss = pool.calibrated(mild, LABELS)
    surer, same = pool.calibrated(3 * mild, LABELS)
    assert surer == pytest.approx(factor / 3, rel=1e-3)
    assert same == pytest.approx(loss, rel=1e-6)
    assert all(loss <= pool.log_loss(f * mild, LABELS) for f in (factor / 1.2, factor * 1.2))


def test_weights_are_where_the_loss_has_its_minimum(monkeypatch):
    opinions = np.stack([right_in(0.9), right_in(0.6), right_in(0.3)])
    weights = pool.pool_weights(opinions, LABELS)
    prior = pool.prior_weights(
        np.array([pool.log_loss(each, LABELS) for each in opinions]), LABELS.size
    )

    def objective(at):
        loss = LABELS.size * pool.log_loss(pool.pooled(opinions, at), LABELS)
        return loss + pool.PULL * np.square(at - prior).sum()

    best = objective(weights)
    for step in 0.02 * np.concatenate([np.eye(3), -np.eye(3)]):
        assert objective(np.maximum(weights + step, 0)) >= best
    assert weights[0] > weights[1] > weights[2]
    asked = []
    monkeypatch.setattr(pool, "minimize", lambda f, *_, **__: asked.append(f) or _Nothing)
    pool.pool_weights(opinions, LABELS)
    at = np.array([0.3, 0.2, 0.6])
    error = check_grad(lambda w: asked[0](w)[0], lambda w: asked[0](w)[1], at)
    assert error < 1e-3 * np.abs(asked[0](at)[1]).max()


class _Nothing:
    x = np.zeros(3)


def test_prior_weights_of_a_few_judges_are_nearly_equal():
    few, many = (pool.prior_weights(np.array([0.5, 0.6]), n) for n in (3, 3000))
    assert few.sum() == pytest.approx(1)
    assert 0.5 < few[0] < 0.55
    assert many[0] > 0.999


@pytest.mark.parametrize("n_classes", [2, 3])
def test_every_expert_learns_and_leaves_the_classes_that_nobody_teaches(n_classes):
    labels = np.arange(60, dtype=np.int32) % n_classes
    counts = np.eye(n_classes)[labels].repeat(4, axis=1) + (RNG.random((60, 4 * n_classes)) < 0.1)
    dense = counts.astype(np.float32)
    counts = sparse.csr_array(dense)
    vectors = {"PTE": dense, "LINE": dense}
    material = Material(vectors, Counts.of(counts, 4.0), counts, (counts, counts))
    lesson = Lesson(np.arange(30), labels[:30], np.arange(30, 40), n_classes + 1)
    for expert in candidates(some_unlabelled=True, pairs=True):
        found = teach(expert, material, lesson).opinion(material, np.arange(40, 60))
        assert np.exp(found).sum(axis=1) == pytest.approx(1)
        assert (found.argmax(axis=1) == labels[40:]).mean() > 0.8, expert
        assert np.allclose(np.exp(found[:, -1]), LEAST, rtol=0.1)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_classifiers_of_ratios_see_what_is_present_times_the_ratios(n_classes):
    labels = np.arange(60, dtype=np.int32) % n_classes
    dense = (RNG.random((60, 9)) < 0.2 + 0.3 * (np.arange(9) % n_classes == labels[:, None])) * 1.0
    present = sparse.csr_array(dense.astype(np.float32))
    material = Material({}, Counts.of(present, 1.0), present, (present,))
    lesson = Lesson(np.arange(60), labels, np.arange(0), n_classes)
    asked = np.arange(60)
    found = teach(Expert("log-count ratios", (1,)), material, lesson).opinion(material, asked)
    each = []
    for name in range(n_classes):
        ratios = log_count_ratios(present, labels == name)
        learnt = liblinear.fit(present * ratios, (labels == name).astype(np.int32), 1)
        each.append(learnt.probabilities(present * ratios)[:, 1])
    if n_classes == 2:
        each[1] = 1 - each[0]
    expected = np.array(each).T
    assert np.allclose(np.exp(found), expected / expected.sum(axis=1, keepdims=True), atol=1e-4)


def test_judges_are_hidden_from_what_they_judge(corpus, monkeypatch):
    """Neither their text nor their labels are in the corpus that the experts learn from."""
    taught, asked, read = [], [], []

    class Nobody:
        def opinion(self, material, documents):
            asked.append(documents.tolist())
            return np.log(np.full((documents.size, 2), 0.5))

    monkeypatch.setattr(
        pte_auto, "teach", lambda expert, material, lesson: taught.append(lesson) or Nobody()
    )
    monkeypatch.setattr(
        pte_auto, "_read", lambda task, counts: read.append(task.corpus) or _NothingRead()
    )
    monkeypatch.setattr(pte_auto, "candidates", lambda *_: [Expert("PTE", (1,))])
    pte_auto._learn_pool(task(corpus, choice={"samples": [1000, 1000]}))
    *folds, last = zip(taught, [*asked, []], read, strict=True)
    assert sorted(d for _, judges, _ in folds for d in judges) == last[0].known.tolist()
    for lesson, judges, learnt in folds:
        assert not set(judges) & {*lesson.known, *lesson.unlabelled}
        assert set(learnt.documents(TRAIN)) == {*lesson.known, *lesson.unlabelled}
        assert (learnt.split[judges] == TEST).all()
    assert (last[2].split == corpus.split).all()


class _NothingRead:
    def material(self, corpus, counts):
        return None


def test_reading_takes_nothing_from_documents_that_do_not_train(corpus):
    asked = corpus.documents(TEST)
    tokens = np.array(corpus.tokens)
    for begin, end in zip(corpus.offsets[asked], corpus.offsets[asked + 1], strict=True):
        tokens[begin:end] = 0
    changed = replace(corpus, tokens=tokens)
    words = {"PTE": np.ones((corpus.n_words, 2), np.float32)}
    first, second = (
        Reading.of(each, words, counts_with(each, frequent_pairs(each)))
        for each in (corpus, changed)
    )
    assert first.length == second.length
    assert all(map(np.array_equal, first.rarities, second.rarities))


def test_an_opinion_does_not_depend_on_what_else_is_read(corpus):
    learnt = pte_auto.learn(task(corpus, choice={"samples": [2000, 2000]}))
    kept = np.arange(corpus.n_documents) % 7 == 3
    whole = pte_auto.apply(learnt, OPTIONS, corpus)
    found = pte_auto.apply(learnt, OPTIONS, corpus.of_documents(kept))
    assert np.allclose(found, whole[kept], atol=1e-6)


def test_few_folds_judge_where_many_documents_have_labels():
    labels = np.arange(15_000, dtype=np.int32) % 2
    assert sum(judge.size for _, judge in pte_auto._parts(labels, 1)) == 3000
    assert len(list(pte_auto._parts(labels[:100], 1))) == 5


def test_labels_of_test_documents_change_nothing(corpus):
    others = np.array(corpus.labels)
    asked = corpus.documents(TEST)
    others[asked] = 1 - others[asked]
    fits = [pte_auto.fit(task(each)) for each in (corpus, replace(corpus, labels=others))]
    assert (fits[0].array == fits[1].array).all()
    assert {**fits[0].notes} == {**fits[1].notes}
    assert (fits[0].array == np.arange(20) % 2).mean() > 0.9


def test_t_is_searched_where_enough_documents_have_labels(corpus, monkeypatch):
    few = pte_auto.choose(task(corpus))
    assert few.choice == {"samples": [pte_auto.EDGES_OF_A_WORD * corpus.n_words] * 2}
    assert few.curve == ()
    monkeypatch.setattr(pte_auto, "ENOUGH_TO_SEARCH", 30)
    searched = pte_auto.choose(task(corpus, samples_limit=20_000))
    assert {point["training"] for point in searched.curve} == {0, 1}
    assert max(searched.choice["samples"]) <= 20_000


def test_all_settings_show_one_fit_with_the_steps_of_chosen():
    study = Study.load(configured(), ROOT / "workflow")
    paper, chosen = (study.fits.inputs("mr", "pte_auto", s, "1") for s in ("paper", "chosen"))
    assert paper == chosen
    assert chosen["choice"] == "results/choices/mr/pte_auto.json"
    assert any("streamed-chosen" in file for file in chosen["compiled"])
    plan = study.fits.plan("mr", "pte_auto", "paper").configured
    assert plan.hyperparameters.step.kind == "grouped"
    of_subset = study.fits.inputs("mr-labelled1-seed2", "pte_auto", "paper", "2")
    assert of_subset["choice"] == "results/choices/mr-labelled1-seed2/pte_auto.json"


def test_without_the_order_of_words_there_are_no_pairs(corpus):
    study = Study.load(configured(), ROOT / "workflow")
    options = study.fits.plan("rcv1_corporate", "pte_auto").configured.options
    assert options == {"labelled": ["wd", "wl"], "unlabelled": ["wd"], "pairs": False}
    learnt = pte_auto.learn(
        replace(task(corpus), options=options, choice={"samples": [1000, 1000]})
    )
    assert "pairs" not in learnt.arrays
    assert "rarity1" not in learnt.arrays
    assert learnt.arrays["rarity0"].shape == (corpus.n_words,)


def test_an_expert_has_a_name_and_values():
    tried = candidates(some_unlabelled=False, pairs=False)
    names = {expert.name for expert in tried}
    assert names == {"PTE", "LINE", "TF-IDF", "log-count ratios", "NB+EM"}
    assert Expert("NB+EM", (1, 0.0)) in tried
    assert Expert("TF-IDF", (1, 1)) not in tried
    assert Expert("TF-IDF", (1, 1)) in candidates(some_unlabelled=False, pairs=True)
