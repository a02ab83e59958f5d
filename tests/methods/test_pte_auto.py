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
from pte.corpora.word_pairs import pair_counts
from pte.models import pte_auto
from pte.models.pte_auto import pool
from pte.models.pte_auto.experts import (
    LEAST,
    Expert,
    Lesson,
    Material,
    candidates,
    log_count_ratios,
    opinion,
)
from pte.study.study import Study
from pte.training.contract import Task
from pte.training.setup import Hyperparameters

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
    counts = pair_counts(corpus)
    texts = [corpus.tokens[begin:end].tolist() for begin, end in pairwise(corpus.offsets)]
    pairs = [Counter(pairwise(text)) for text in texts]
    train = [set(pairs[d]) for d in corpus.documents(TRAIN)]
    kept = {pair for pair in set().union(*train) if sum(pair in each for each in train) >= 2}
    assert counts.shape == (corpus.n_documents, len(kept))
    for row, found in zip(counts, pairs, strict=True):
        of_kept = [n for pair, n in found.items() if pair in kept]
        assert sorted(row.toarray().ravel()[row.toarray().ravel() > 0]) == sorted(of_kept)


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
    material = Material({"PTE": dense, "LINE": dense}, counts, counts, (counts, counts))
    lesson = Lesson(np.arange(30), labels[:30], np.arange(30, 40), np.arange(40, 60), n_classes + 1)
    for expert in candidates(some_unlabelled=True, pairs=True):
        found = opinion(expert, material, lesson)
        assert np.exp(found).sum(axis=1) == pytest.approx(1)
        assert (found.argmax(axis=1) == labels[40:]).mean() > 0.8, expert
        assert np.allclose(np.exp(found[:, -1]), LEAST, rtol=0.1)


def test_judges_are_hidden_from_what_they_judge(corpus, monkeypatch):
    """Neither their text nor their labels are in the corpus that the experts learn from."""
    seen = []

    def judged(experts, material, lesson):
        seen.append(lesson)
        return np.log(np.full((len(experts), lesson.asked.size, lesson.n_classes), 0.5))

    trained = []
    monkeypatch.setattr(pte_auto, "_opinions", judged)
    monkeypatch.setattr(pte_auto, "_material", lambda task, counts: trained.append(task.corpus))
    pte_auto.fit(task(corpus, choice={"samples": [1000, 1000]}))
    *folds, last = zip(seen, trained, strict=True)
    assert sorted(d for lesson, _ in folds for d in lesson.asked) == last[0].known.tolist()
    for lesson, learnt in folds:
        assert not set(lesson.asked) & {*lesson.known, *lesson.unlabelled}
        assert set(learnt.documents(TRAIN)) == {*lesson.known, *lesson.unlabelled}
        assert (learnt.split[lesson.asked] == TEST).all()
    assert (last[1].split == corpus.split).all()


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
    paper, chosen = (study.represent_inputs("mr", "pte_auto", s, "1") for s in ("paper", "chosen"))
    assert paper == chosen
    assert chosen["choice"] == "results/choices/mr/pte_auto.json"
    assert any("streamed-chosen" in file for file in chosen["compiled"])
    plan = study.fit_plan("mr", "pte_auto", "paper").configured
    assert plan.hyperparameters.step.kind == "grouped"
    of_subset = study.represent_inputs("mr-labelled1-seed2", "pte_auto", "paper", "2")
    assert of_subset["choice"] == "results/choices/mr-labelled1-seed2/pte_auto.json"


def test_without_the_order_of_words_there_are_no_pairs(corpus):
    study = Study.load(configured(), ROOT / "workflow")
    options = study.fit_plan("rcv1_corporate", "pte_auto").configured.options
    assert options == {"labelled": ["wd", "wl"], "unlabelled": ["wd"], "pairs": False}
    counts = pte_auto._counts(replace(task(corpus), options=options))
    assert counts.shape == corpus.counts.shape


def test_an_expert_has_a_name_and_values():
    tried = candidates(some_unlabelled=False, pairs=False)
    names = {expert.name for expert in tried}
    assert names == {"PTE", "LINE", "TF-IDF", "log-count ratios", "NB+EM"}
    assert Expert("NB+EM", (1, 0.0)) in tried
    assert Expert("TF-IDF", (1, 1)) not in tried
    assert Expert("TF-IDF", (1, 1)) in candidates(some_unlabelled=False, pairs=True)
