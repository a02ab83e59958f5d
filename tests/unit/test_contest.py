"""The contest of methods: folds, intervals, the advice, the curve, entrants and trials."""

import json
import math
import os
import re
from collections import defaultdict
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binomtest
from sklearn.metrics import confusion_matrix, f1_score

import pte
from pte.classify import folds as folds_module
from pte.classify import learning, race, result, text_classifier, trial
from pte.classify.advice import ALONE, LEADS, QUICK, advise, chosen, told
from pte.classify.curve import LearningCurve
from pte.classify.folds import (
    ENOUGH_TESTED,
    MOST_REPEATS,
    RACED,
    Collection,
    n_labels,
    part_of,
    thinned,
)
from pte.classify.folds import tested_documents as all_tested
from pte.classify.given import read_labels
from pte.classify.lineup import Lineup, TextFacts, amount_of, plan, race_seconds
from pte.classify.race import Qualifying, Race
from pte.classify.registry import methods
from pte.classify.result import Contest
from pte.classify.scores import compared, count_labels, intervals, joined, to_tell_apart
from pte.classify.sure import how_sure, shifted
from pte.classify.trial import Trials, Work, run
from pte.corpora.texts import training_corpus
from pte.corpora.tokenise import TOKENISERS
from pte.errors import PteError
from pte.evaluation.calibration import LEAST, log_loss, raised, surety
from pte.evaluation.metrics import wilson
from pte.evaluation.setting import ClassifierChoice
from pte.models import label_propagation, nb_em
from pte.training.contract import ONE_LABEL, Task
from pte.training.scores import Judging, choose
from pte_study.store import read_store

ROOT = Path(__file__).parents[2]
LINEUP = Lineup((), {}, {}, {"cnn": "too slow"}, 2.0)


def collection_of(rows, groups=None, tests=None):
    """A collection of pairs of a text and its label, labels, or None."""
    texts, labels = zip(*rows, strict=True)
    given = read_labels(list(labels), len(labels))
    ids = [str(i) for i in range(len(rows))]
    return Collection(
        [text.encode() for text in texts], given, ids, groups or [None] * len(rows), tests
    )


def trials_of(collection, n_folds=5, seed=1):
    model = pte.TextClassifier(dim=8, samples=5000, random_state=seed)
    return Trials(collection, collection.folds(n_folds, seed), model)


def topics(n, seed=0):
    """Documents of two topics, each with words of its own and words of both."""
    random = np.random.default_rng(seed)
    rows = []
    for i in range(n):
        words = [f"t{i % 2}w{word}" for word in random.integers(0, 8, 2)]
        words += [f"any{word}" for word in random.integers(0, 8, 4)]
        rows.append((" ".join(words), ("ape", "bee")[i % 2]))
    return rows


# Intervals


def test_the_interval_of_a_share_is_wilsons_and_ends_at_none_and_at_all():
    for right, n in ((0, 7), (7, 7), (1, 1), (3, 40), (311, 400)):
        low, high = binomtest(right, n).proportion_ci(0.95, method="wilson")
        assert wilson(right / n, n) == pytest.approx((100 * low, 100 * high), abs=0.01)
    assert all(wilson(0, n)[0] >= 0 and wilson(1, n)[1] <= 100 for n in range(1, 500))


def counts_of(truth, predicted):
    return count_labels(np.array(truth, np.int32), [np.array(p, np.int32) for p in predicted], 2)


def test_the_bootstrap_agrees_with_a_normal_approximation():
    random = np.random.default_rng(3)
    truth = random.integers(0, 2, 900)
    good = np.where(random.random(900) < 0.8, truth, 1 - truth)
    poor = np.where(random.random(900) < 0.7, truth, 1 - truth)
    counts = {"good": counts_of(truth, [good]), "poor": counts_of(truth, [poor])}
    found = intervals(counts, "good", several=True)
    for name, said in (("good", good), ("poor", poor)):
        share = np.mean(said == truth)
        error = 196 * np.sqrt(share * (1 - share) / 900)
        expected = (100 * share - error, 100 * share + error)
        assert found[name].micro_f1 == pytest.approx(expected, abs=0.5)
    apart = 1.0 * (poor == truth) - 1.0 * (good == truth)
    error = 196 * apart.std() / np.sqrt(900)
    middle = 100 * apart.mean()
    assert found["poor"].difference == pytest.approx((middle - error, middle + error), abs=0.5)
    assert found["good"].difference == (0, 0)
    one = intervals(counts, "good", several=False)
    assert one["good"].micro_f1 == wilson(float((good == truth).mean()), truth.size)
    assert one["good"].macro_f1[0] < 100 * f1_score(truth, good, average="macro")


def test_the_documents_that_tell_two_methods_apart_are_counted():
    """The difference has the mean 0.1 and the variance 0.1: (1.96² · 0.1) / 0.1² is 38.4."""
    hits, others = np.zeros(10), np.zeros(10)
    hits[0] = 1
    assert to_tell_apart(hits, others) == 39
    assert to_tell_apart(others, hits) is None
    assert to_tell_apart(hits, hits) is None
    many = np.tile(hits, 8)
    assert to_tell_apart(many, np.zeros(80)) < 39  # the sample's variance is nearer to 0.09
    counts = counts_of([0, 1, 1], [[0, 1, 0], [0, 0, 0]])
    assert counts.hits.tolist() == [1, 0.5, 0]  # right in half of the repeats is half a hit


# Scores


def predictions(collection, said, name="bow", seconds=1.0):
    """Trials of a method that predicts `said`, in the order of the documents."""
    folds = collection.folds(2, 1)
    tests = [
        trial.Tested(name, i, 1.0, np.asarray(said)[fold.test], seconds, {}, 0)
        for i, fold in enumerate(folds)
    ]
    return folds, joined(folds, tests)


def test_scores_are_those_of_scikit_learn():
    random = np.random.default_rng(1)
    rows = [("a word", f"class {i % 3}") for i in range(ENOUGH_TESTED)]
    truth = np.arange(ENOUGH_TESTED) % 3
    said = np.where(random.random(ENOUGH_TESTED) < 0.6, truth, random.integers(0, 3, truth.size))
    collection = collection_of(rows)
    folds, found = predictions(collection, np.int32(said))
    (row,) = compared(collection, folds, [found]).rows
    assert row["micro_f1"] == pytest.approx(100 * f1_score(truth, said, average="micro"))
    assert row["macro_f1"] == pytest.approx(100 * f1_score(truth, said, average="macro"))
    of_classes = 100 * f1_score(truth, said, average=None)
    assert [each["f1"] for each in row["per_class"]] == pytest.approx(of_classes)
    table = confusion_matrix(truth, said)
    first = row["confusions"][0]
    assert first["documents"] == max(table[i, j] for i in range(3) for j in range(3) if i != j)


def test_scores_of_several_labels_are_those_of_scikit_learn():
    random = np.random.default_rng(1)
    truth = random.random((ENOUGH_TESTED, 3)) < 0.4
    truth[~truth.any(axis=1), 0] = True
    said = truth ^ (random.random(truth.shape) < 0.2)
    collection = collection_of([("a word", np.flatnonzero(row).tolist()) for row in truth])
    folds, found = predictions(collection, said)
    (row,) = compared(collection, folds, [found]).rows
    assert row["micro_f1"] == pytest.approx(100 * f1_score(truth, said, average="micro"))
    assert row["macro_f1"] == pytest.approx(100 * f1_score(truth, said, average="macro"))


def test_the_best_of_equal_methods_is_the_first_in_the_registry_and_never_the_control():
    collection = collection_of([("a word", "ab"[i % 2]) for i in range(8)])
    said = np.int32([i % 2 for i in range(8)])
    found = [
        predictions(collection, said, name, seconds)
        for name, seconds in (("majority", 0.1), ("pte_joint", 1.0), ("bow", 2.0))
    ]
    rows = compared(collection, found[0][0], [each for _, each in found]).rows
    assert [(row["method"], row["as_good"]) for row in rows] == [
        *(("bow", True), ("pte_joint", True), ("majority", False))
    ]


# The classifier


def test_c_rises_while_no_label_is_predicted():
    """Of 20 labels each has few documents, so that a small C finds none of them likely."""
    random = np.random.default_rng(0)
    labels = np.eye(20, dtype=bool)[np.arange(80) % 20]
    features = np.float32(3 + labels @ random.standard_normal((20, 30)))
    part = Judging(features[:40], labels[:40], features[40:], labels[40:])
    search = choose([part])
    assert search.tried[0][1] == 0
    assert max(score for _, score in search.tried) > 90
    assert search.best.c > 1


# Advice


def row_of(name, micro, seconds=1.0, behind=(0.0, 0.0), control=False, macro=None):
    macro = micro - 10 if macro is None else macro
    return {
        "method": name,
        "label": name.upper(),
        "control": control,
        "micro_f1": micro,
        "micro_f1_interval": (micro - 3, micro + 3),
        "macro_f1": macro,
        "macro_f1_interval": (macro - 3, macro + 3),
        "difference_interval": behind,
        "as_good": not control and behind[1] >= 0,
        "seconds": seconds,
    }


CONTROL_ROW = row_of("majority", 50.0, behind=(-40, -30), control=True)


HITS = {"cheap": np.ones(100), "bow": np.ones(100), "majority": np.tile([1.0, 0.0], 50)}


def test_the_cheapest_of_equally_good_methods_is_advised():
    rows = [
        row_of("slow", 90.0, 900),
        row_of("cheap", 88.0, 100, (-5, 1)),
        row_of("cheaper", 70.0, 1, (-25, -15)),
        CONTROL_ROW,
    ]
    found = advise(rows, HITS, 100, several=False)
    assert (found.method, found.best, found.sure) == ("cheap", "slow", True)
    assert (
        found.lead == "Use CHEAP: micro-F1 88.0\N{NO-BREAK SPACE}% (85–91) of 100 test documents."
    )
    assert "CHEAP learns in 100 in place of 900 seconds" in found.sentences[0]
    assert "largest class every time would have 50.0" in found.sentences[1]
    assert "micro-F1 over the labels" in advise(rows[:2], {}, 100, several=True).lead


def test_quick_methods_count_as_equally_cheap():
    first, second = row_of("first", 90.0, QUICK), row_of("second", 89.0, 0.1, (-2, 1))
    assert chosen([first, second], {}) is first
    assert chosen([row_of("first", 90.0, 2 * QUICK), second], {}) is second
    slow = row_of("first", 90.0, 500), row_of("second", 89.0, 300, (-2, 1))
    assert chosen(slow, {}) is slow[0]  # less than twice the seconds
    found = advise([first, second], {}, 100, several=False)
    assert found.method == "first"
    assert "SECOND may be as good" in found.sentences[0]
    alone = advise([first, row_of("other", 50.0, 1, (-45, -35))], {}, 100, several=False)
    assert alone.sentences == [ALONE] and "methods that were tested" in ALONE


def test_the_favourite_is_advised_unless_another_is_likelier_to_be_best():
    """The posterior mean of a lead is 0 where the lead is its variance times mean / deviation²."""
    random, (mean, deviation) = np.random.default_rng(0), LEADS
    for n in (100, 1000, 100_000):
        hits = {name: np.float64(random.random(n) < 0.8) for name in ("bow", "pte_auto")}
        error = (100 * (hits["bow"] - hits["pte_auto"])).std() / np.sqrt(n)
        needed = error**2 * mean / deviation**2
        for lead, best in ((0.9 * needed, "pte_auto"), (1.1 * needed, "bow")):
            level = [row_of("bow", 80.0 + lead), row_of("pte_auto", 80.0, 5.0)]
            assert chosen(level, hits)["method"] == best
    hits = {name: each[:100] for name, each in hits.items()}
    said = advise([row_of("bow", 81.0), row_of("pte_auto", 80.0, 5.0, (-4, 2))], hits, 100, False)
    assert said.method == "pte_auto" and "on most other texts" in said.sentences[0]


def test_the_favourite_is_the_method_to_take_while_labels_are_too_few():
    rows = [row_of("bow", 55.0), row_of("pte_auto", 50.0, 5.0, (-20, 9))]
    rows.append(row_of("majority", 49.0, 0.0, (-30, 10), control=True))
    hits = {n: np.arange(20) % 20 < k for n, k in (("bow", 11), ("pte_auto", 10), ("majority", 9))}
    found = advise(rows, {name: 1.0 * each for name, each in hits.items()}, 20, several=False)
    assert (found.method, found.best, found.sure) == ("pte_auto", "bow", False)
    assert "BOW is best so far" in found.sentences[0]
    assert found.sentences[-1] == "Until then, take PTE_AUTO, which mostly is better."


def test_leads_are_those_of_the_corpora_outside_the_study():
    rows = (ROOT / "results/published/measured/unseen.csv").read_text("utf-8").splitlines()[1:]
    found = re.findall(r", ([+−]\d+\.\d) ", "\n".join(rows))
    leads = np.array([float(each.replace("−", "-")) for each in found])
    assert leads.size == 27
    assert (round(leads.mean(), 1), round(leads.std(ddof=1), 1)) == LEADS


@pytest.mark.parametrize("first", [90.0, 40.0])
def test_the_control_is_never_advised(first):
    """Here the control has the highest score, or a score that may be as good."""
    best = row_of("bow", first)
    control = row_of("majority", 60.0, 0.0, (-40, 1), control=True)
    rows = sorted([best, control], key=lambda row: -row["micro_f1"])
    hits = {"bow": np.tile([1.0, 0, 0, 0, 0], 4), "majority": np.zeros(20)}
    found = advise(rows, hits, 20, several=False)
    assert (found.method, found.sure) == ("bow", False)


def test_only_the_majority_class_is_the_largest_class():
    """Random vectors are a control, too, and score higher."""
    rows = [row_of("bow", 90.0)]
    rows += [row_of(n, 80.0 - i, 0, (-2, 2 - 9 * i), control=True) for i, n in
             enumerate(("random", "majority"))]  # fmt: skip
    found = advise(rows, HITS, 100, several=False)
    assert found.sure and "Naming the largest class every time would have 79.0" in (
        " ".join(found.sentences)
    )
    assert "largest class" not in " ".join(advise(rows[:2], {}, 100, several=True).sentences)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: [b", "not valid YAML"),
        ("", "must hold names"),
        ("mine: {model: words.Bow}", "each with label"),
    ],
)
def test_a_registry_that_holds_no_methods_is_one_error(tmp_path, monkeypatch, text, said):
    (tmp_path / "methods.yaml").write_text(text)
    monkeypatch.setenv("PTE_PLUGINS", str(tmp_path))
    with pytest.raises(PteError, match=rf"methods\.yaml: .*{said}"):
        methods.__wrapped__()


def test_of_skewed_classes_macro_f1_counts_as_much():
    """9 of 10 documents are of one class; one method finds the others."""
    rows = [row_of("blind", 91.0, macro=50.0), row_of("fair", 90.6, behind=(-2, 1), macro=62.0)]
    rows += [row_of("majority", 90.0, 0, (-3, 1), control=True, macro=47.0)]
    hits = {"fair": np.ones(1000), "majority": np.ones(1000), "blind": np.ones(1000)}
    found = advise(rows, hits, 1000, False, skewed=True)
    assert (found.method, found.sure) == ("fair", True)
    assert found.lead.endswith("and macro-F1 62.0\N{NO-BREAK SPACE}% of 1,000 test documents.")
    said = " ".join(found.sentences)
    assert "By micro-F1 it may be no better than naming the largest class" in said
    assert not advise(rows, hits, 1000, False, skewed=False).sure
    rows[1]["macro_f1_interval"] = (46.0, 78.0)
    assert not advise(rows, hits, 1000, False, skewed=True).sure


def test_too_few_labels_say_how_many_more():
    rows = [row_of("bow", 60.0), row_of("majority", 50.0, 0, (-22, 2), control=True)]
    hits = {"bow": np.array([1.0] + [0] * 9), "majority": np.zeros(10)}
    found = advise(rows, hits, 10, several=False)
    assert to_tell_apart(hits["bow"], hits["majority"]) == 39
    assert found.more_labels == 30  # 39 are needed and 10 are there; 29 are rounded up
    assert found.lead == "Too few labels to tell: label about 30 more."
    ahead, arithmetic, by_macro = found.sentences
    assert ahead.startswith("BOW is best so far, with 60.0")
    assert "of its lead of 10.0 points, -2.0 to 22.0, holds 0" in arithmetic
    assert "with about 40 test documents" in arithmetic
    assert by_macro.endswith("it is ahead: 50.0 against 40.0.")


@pytest.mark.parametrize("n", [1, 9])
def test_a_few_test_documents_tell_nothing(n):
    rows = [row_of("bow", 100.0), row_of("majority", 0.0, 0, (-100, -100), control=True)]
    found = advise(rows, {"bow": np.ones(n), "majority": np.zeros(n)}, n, several=False)
    assert (found.sure, found.more_labels) == (False, 10)
    assert (
        found.sentences[1].startswith(f"Only {n} document") and found.sentences[1][-7:] == "tested."
    )


def test_no_number_of_labels_helps_a_method_that_is_behind():
    rows = [row_of("majority", 50.0, 0, (-2, 9), control=True), row_of("bow", 48.0)]
    found = advise(rows, {"bow": np.zeros(10), "majority": np.zeros(10)}, 10, False)
    assert (found.more_labels, found.sure) == (None, False)
    assert found.lead == "No method is better than naming the largest class every time."
    assert found.sentences[1] == "Are these the labels, and do the texts tell them?"


# Folds


def test_each_labelled_document_is_tested_once_in_each_repeat():
    rows = [("a word", None if i % 4 == 0 else "ab"[i % 2]) for i in range(100)]
    collection = collection_of(rows)
    folds = collection.folds(5, 1)
    assert len(folds) == 5 * MOST_REPEATS
    for repeat in range(MOST_REPEATS):
        some = [fold for fold in folds if fold.repeat == repeat]
        tested = np.concatenate([fold.test for fold in some])
        assert sorted(tested) == [i for i in range(100) if i % 4]
        for fold in some:
            assert sorted([*fold.train, *fold.test]) == list(range(100))
            shares = [rows[i][1] for i in fold.test]
            assert shares.count("a") == 5 and shares.count("b") == 10
    parts = [{tuple(fold.test) for fold in folds if fold.repeat == r} for r in range(4)]
    assert all(one != other for one, other in pairwise(parts))
    assert all_tested(folds).tolist() == [i for i in range(100) if i % 4]


@pytest.mark.parametrize(
    ("n", "repeats"), [(ENOUGH_TESTED, 1), (ENOUGH_TESTED - 1, 2), (150, 3), (20, MOST_REPEATS)]
)
def test_folds_are_repeated_where_labels_are_few(n, repeats):
    folds = collection_of([("a", "xy"[i % 2]) for i in range(n)]).folds(2, 0)
    assert {fold.repeat for fold in folds} == set(range(repeats))
    again = collection_of([("a", "xy"[i % 2]) for i in range(n)]).folds(2, 0)
    assert all((one.test == other.test).all() for one, other in zip(folds, again, strict=True))


def test_groups_are_never_on_both_sides():
    random = np.random.default_rng(0)
    groups = [None if i % 10 == 9 else f"author {random.integers(8)}" for i in range(80)]
    rows = [("a word", None if i % 3 == 0 else "ab"[i % 2]) for i in range(80)]
    collection = collection_of(rows, groups)
    assert collection.kind == "grouped"
    folds = collection.folds(4, 1)
    for fold in folds:
        tested = {groups[i] for i in fold.test} - {None}
        assert tested and not tested & {groups[i] for i in fold.train}
        left_out = set(range(80)) - {*fold.train, *fold.test}
        assert left_out == {i for i in range(80) if rows[i][1] is None and groups[i] in tested}
    for repeat in range(MOST_REPEATS):
        tested = np.concatenate([fold.test for fold in folds if fold.repeat == repeat])
        assert sorted(tested) == [i for i in range(80) if i % 3]


@pytest.mark.parametrize("method", ["nb_em", "label_propagation"])
def test_unlabelled_documents_of_a_judges_group_teach_nothing(method, monkeypatch):
    """Five authors have four labelled documents each, and two without a label."""
    rows = [(text, None if i % 6 > 3 else label) for i, (text, label) in enumerate(topics(30))]
    collection = collection_of(rows, [f"author {i // 6}" for i in range(30)])
    given = collection.texts, collection.labels, TOKENISERS["words"]
    corpus = training_corpus(*given, groups=collection.groups)
    module = {"nb_em": nb_em, "label_propagation": label_propagation}[method]
    name = {"nb_em": "fit_model", "label_propagation": "graph"}[method]
    learnt, seen = getattr(module, name), []

    def recorded(*given):
        if method == "nb_em":
            seen.append(given[2].shape[0])
        else:
            joined = np.asarray(given[0].sum(axis=1) > 0).ravel()
            seen.append(int(joined[corpus.labels < 0].sum()))
        return learnt(*given)

    monkeypatch.setattr(module, name, recorded)
    module.learn(Task(corpus, 1))
    assert set(seen[:-1]) == {8} and seen[-1] == 10


def test_the_split_of_a_file_is_one_fold():
    rows = [("a", "x"), ("b", "y"), ("c", None), ("d", "x"), ("e", "y"), ("f", None)]
    tests = np.array([False, False, False, True, True, True])
    collection = collection_of(rows, tests=tests)
    (fold,) = collection.folds(5, 1)
    assert collection.kind == "given"
    assert (fold.train.tolist(), fold.test.tolist()) == ([0, 1, 2], [3, 4])
    for all_of in (True, False):
        with pytest.raises(PteError, match="no labelled document is for t"):
            collection._replace(tests=np.full(6, all_of)).folds(5, 1)


def test_what_cannot_be_divided_is_refused():
    with pytest.raises(PteError, match="each class has one document only"):
        collection_of([("a", "x"), ("b", "y")]).folds(2, 1)
    rows = [("a", "x"), ("b", "y")] * 3
    with pytest.raises(PteError, match="all labelled documents are of one group"):
        collection_of(rows, ["author"] * 6).folds(2, 1)
    with pytest.raises(PteError, match=r"too few groups to test: .* or leave --group out"):
        collection_of(rows, ["one", "two"] * 3).folds(2, 1)
    assert collection_of(rows, ["one", "one", "two"] * 2).folds(2, 1)
    assert len({f.test.size for f in collection_of([*rows, ("c", "z")]).folds(5, 1)}) <= 2


@pytest.mark.parametrize("more", [[], [("c", "x")] * 9, [("c", None)] * 3])
def test_a_fold_that_would_teach_one_class_alone_is_refused(more):
    rows = [("a", "x"), ("b", "y"), ("c", "x"), *more]
    with pytest.raises(PteError, match="too few labels to test; label at least two documents of"):
        collection_of(rows).folds(5, 1)
    assert len(collection_of([*rows, ("d", "y")]).folds(2, 1)) == 2 * MOST_REPEATS
    assert len(collection_of([("a", ["x", "y"])] * 4).folds(2, 1)) == 2 * MOST_REPEATS
    with pytest.raises(PteError, match="too few labels to test"):
        collection_of([("a", ["x"]), ("b", ["x", "y"]), ("c", ["x"]), ("d", [])]).folds(4, 1)


# The curve


def test_a_part_of_the_labels_has_each_class_and_all_texts():
    rows = [("a", "many")] * 40 + [("b", "few")] * 3 + [("c", None)] * 5
    collection = collection_of(rows)
    fold = collection.folds(2, 1)[0]
    thin = thinned(collection, fold, 0.25, 1)
    kept = [i for i in fold.train if thin.labels.of_documents[i] is not None]
    labels = [rows[i][1] for i in kept]
    n_many = sum(rows[i][1] == "many" for i in fold.train)
    assert (labels.count("many"), labels.count("few")) == (n_many / 4, 1)
    assert n_labels(thin.labels, fold) == len(kept)
    assert thin.texts == collection.texts
    of_tests = [thin.labels.of_documents[i] for i in fold.test]
    assert of_tests == [collection.labels.of_documents[i] for i in fold.test]
    assert thinned(collection, fold, 0.25, 1).labels == thin.labels
    assert n_labels(collection.labels, fold) == sum(rows[i][1] is not None for i in fold.train)


def test_the_forecast_of_a_power_law_is_the_law():
    def error(n):
        return 300 * n**-0.4

    curve = LearningCurve((50, 100, 200), tuple(100 - error(n) for n in (50, 100, 200)))
    row = {"label": "BOW", "micro_f1": 60.0, "micro_f1_interval": [55.0, 64.0]}
    found = curve.through(60.0).told(row, 250)
    assert [point["labels"] for point in found["curve"]] == [50, 100, 200]
    assert found["curve"][-1]["micro_f1"] == pytest.approx(60.0)
    assert found["expected"]["labels"] == 250
    fewer = error(250) / error(200)
    assert found["expected"]["micro_f1"] == pytest.approx(100 - 40 * fewer)
    ends = [100 - 45 * fewer, 100 - 36 * fewer]
    assert found["expected"]["micro_f1_interval"] == pytest.approx(ends)
    assert found["forecast"]["labels"] == 500
    assert found["forecast"]["micro_f1"] == pytest.approx(100 - 40 * error(500) / error(200))


@pytest.mark.parametrize("scores", [(90, 90, 80), (99, 100), (90,), (80, 70), (80, 80)], ids=str)
def test_there_is_no_forecast_where_errors_do_not_fall(scores):
    curve = LearningCurve(tuple(10.0 * 2**i for i in range(len(scores))), scores)
    row = {"label": "BOW", "micro_f1": scores[-1], "micro_f1_interval": [50.0, 100.0]}
    found = curve.through(scores[-1]).told(row, 100)
    assert found["expected"] is None and found["forecast"] is None
    assert [point["micro_f1"] for point in found["curve"]] == list(scores)


# Who takes part


PART, WHOLE = amount_of(4e4, 2e4, 2e3, 2), amount_of(4e5, 2e5, 2e4, 2)


def test_the_likeliest_methods_join_first_and_all_in_much_time():
    text = TextFacts(PART, WHOLE, 5, 1)
    little, much = plan(text, 0.01, 1), plan(text, 1e6, 1)
    asked = {n for n, each in methods().items() if isinstance(each.contest, int)}
    asked -= {n for n in asked if methods()[n].encoded}
    assert set(much.methods) == asked and not much.too_slow
    assert set(much.not_asked) == {n for n, m in methods().items() if m.contest == "later"}
    assert {n for n in little.methods if n != "majority"} == {
        min(asked - {"majority"}, key=lambda name: little.heat[name])
    }
    assert set(little.too_slow) == asked - set(little.methods) <= little.not_run.keys()
    (why,) = {little.not_run[name] for name in little.too_slow}
    found = re.search(r"0.01 minutes are too few; ([\d.]+) minutes would do", why)
    assert set(plan(text, float(found[1]), 1).methods) == asked
    places = [methods()[name].contest for name in much.methods if name != "majority"]
    assert places == sorted(places)
    for minutes in (0.5, 1, 10, 100):
        found = plan(text, minutes, 2)
        assert race_seconds(found.methods, found.heat, found.final, text) <= 120 * minutes


def test_wanted_methods_take_part_whatever_they_cost():
    text = TextFacts(PART, amount_of(1e9, 1e9, 1e8, 9), 5, 5)
    found = plan(text, 0.01, 1, ("pte-joint", "cnn", "line_wd"))
    assert set(found.methods) == {"pte_joint", "cnn", "line_wd", "majority"}
    assert not (found.race or found.not_run)
    every = plan(text, 0.01, 1, every=True)
    assert set(every.methods) | every.not_run.keys() == {
        n for n, each in methods().items() if each.contest and not each.encoded
    }
    with pytest.raises(PteError, match="'pte' is not known; did you mean pte_wl \\(PTE"):
        plan(text, 1, 1, ("pte",))
    with pytest.raises(PteError, match="no method but a control can take part; name another"):
        plan(text, 1, 1, ("majority",))
    with pytest.raises(PteError, match=f"control can take part.*nb_em: {ONE_LABEL}"):
        plan(text._replace(several=True), 1, 1, ("nb_em",))


def test_methods_that_cannot_run_on_a_text_say_why():
    several = plan(TextFacts(PART, WHOLE, 5, 1, several=True), 1e6, 1)
    assert several.not_run["majority"] == several.not_run["nb_em"] == ONE_LABEL
    assert "majority" not in several.methods and "pte_joint" in several.methods


@pytest.mark.parametrize("corpus", ["r8", "mr", "dblp", "20ng", "imdb"])
def test_expected_seconds_are_those_of_published_fits(corpus):
    """Fits with their search, from all labels and from a tenth of them."""
    store = read_store(ROOT / "results/published/runs" / f"{corpus}.npz")
    counts, seconds = store.corpus["counts"], defaultdict(list)
    for kept in (each.kept for each in store.runs):
        name = re.fullmatch(rf"{corpus}(-labelled10)?(-seed\d+)?", kept.get("corpus", ""))
        if name and kept["method"] in SEARCHING:
            seconds[kept["method"], 0.1 if name[1] else 1.0].append(kept["train_seconds"])
    assert {name for name, _ in seconds} == SEARCHING
    for (name, share), found in seconds.items():
        tokens, labelled = counts["training_tokens"], share * counts["labelled_train"]
        amount = amount_of(tokens, share * tokens, labelled, counts["classes"])
        ratio = methods()[name].cost.seconds(amount) / np.mean(found)
        assert 0.5 < ratio < 2, (name, share, ratio)


SEARCHING = {"pte_auto", "svm_pairs", "svm_letters", "nb_svm_pairs"}


# The race


def test_a_part_has_its_share_of_each_class_and_of_the_documents_without_a_label():
    n = 4 * RACED
    rows = [("a", "rare" if i % 1000 == 0 else "xy"[i % 2]) for i in range(n)]
    rows += [("b", None)] * RACED
    collection = collection_of(rows, tests=np.arange(5 * RACED) % 3 == 0)
    part = part_of(collection, 1)
    kinds = [(*rows[int(i)], bool(collection.tests[int(i)])) for i in part.ids]
    every = [(*row, bool(test)) for row, test in zip(rows, collection.tests, strict=True)]
    assert {kind: kinds.count(kind) for kind in set(every)} == {
        kind: math.ceil(every.count(kind) / 4) for kind in set(every)
    }
    assert part.tests.tolist() == [kind[-1] for kind in kinds]
    assert (part.labels.classes == collection.labels.classes).all()
    assert part_of(part, 1) is part


def stood(said, truth=None):
    """A contest of methods that are right for the documents marked in `said`, in one fold."""
    n = len(next(iter(said.values())))
    truth = np.arange(n) % 2 if truth is None else truth
    rows = [("a", "xyz"[i]) for i in truth]
    collection = collection_of([*rows, ("a", "z")], tests=np.arange(n + 1) < n)
    contest = Qualifying(collection, collection.folds(5, 1))
    for name, right in said.items():
        predicted = np.where(right, truth, 2).astype(np.int32)
        contest.add(trial.Tested(name, 0, 1.0, predicted, 0.1, {}, 0))
    return contest


def test_methods_that_are_surely_behind_are_dropped():
    random = np.random.default_rng(0)
    best = random.random(400) < 0.8
    near, far = best & (random.random(400) < 0.995), best & (random.random(400) < 0.8)
    contest = stood({"bow": best, "svm_pairs": near, "nb_em": far, "majority": far})
    assert set(contest.hopeful(["bow", "svm_pairs", "nb_em", "majority"])) == {
        *("bow", "svm_pairs", "majority")
    }
    (row,) = contest.dropped
    assert row["method"] == "nb_em" and row["documents"] == 400
    assert row["micro_f1"] == pytest.approx(100 * far.mean())
    assert row["best"] == pytest.approx(100 * best.mean())


def test_three_methods_are_tested_on_all_documents_the_favourite_among_them():
    names = ["bow", "svm_pairs", "nb_em", "pte_auto", "majority"]
    contest = stood({name: np.arange(40) % 8 > i for i, name in enumerate(names)})
    assert contest.best(names) == ("bow", "svm_pairs", "pte_auto", "majority")
    assert [row["method"] for row in contest.dropped] == ["nb_em"]


def test_a_race_whose_methods_all_fail_leaves_the_control():
    contest = stood({"majority": np.arange(40) % 8 > 0})
    contest.failed["bow"] = "not enough memory"
    assert contest.hopeful(["bow", "majority"]) == contest.best(["bow", "majority"])
    assert contest.hopeful(["bow", "majority"]) == ("majority",)


def test_of_skewed_classes_the_best_of_the_rare_one_stays():
    truth = (np.arange(400) % 10 == 0).astype(int)
    said = {"bow": truth == 0, "nb_em": (np.arange(400) % 7 > 1) | (truth == 1)}
    assert set(stood(said, truth).hopeful(list(said))) == {"bow", "nb_em"}
    even = np.arange(400) % 2
    assert stood(said, even).hopeful(list(said)) == ("bow",)


def test_a_race_drops_and_ends_with_the_best_on_all_documents(monkeypatch):
    """The first round has two folds; what has met all folds of the part is not tested again."""
    monkeypatch.setattr(folds_module, "RACED", 40)
    monkeypatch.setattr(race, "ENOUGH", 100)
    ran = []
    monkeypatch.setattr(
        race, "told", lambda of, jobs, clock: ran.append(of.works) or map(of.trials.run, of.works)
    )
    for n, tested in ((40, 40), (300, 120)):
        ran.clear()
        trials = trials_of(collection_of(topics(n)))
        contest, ended = Race.of(trials, 10, 2, (), False).hold(1)
        assert ended is None and len(ran[0]) == 2 * len({w.method for w in ran[0]})
        assert all_tested(contest.folds).size == tested
        finals = {w.method for w in ran[2]} - {"majority"}
        assert len(finals) <= 3 and finals <= set(contest.scored())
        found = contest.result(LINEUP)
        told = {row["method"] for row in (*found["methods"], *found["dropped"])}
        assert told == {w.method for w in ran[0]}
        works = [(w, n) for n, round in enumerate(ran) for w in round if n < 3 or w.share < 1]
        assert n == 300 or len({w for w, _ in works}) == len(works)


# Trials


def test_processes_predict_what_one_process_predicts(monkeypatch):
    monkeypatch.setattr(trial, "ALONE", 0)
    trials = trials_of(collection_of(topics(40)), 3)
    works = [Work("bow", i) for i in range(4)] + [Work("bow", 0, 0.25)]
    alone = {(t.fold, t.share): t for t in run(trials, works, 1)}
    together = {(t.fold, t.share): t for t in run(trials, works, 2)}
    assert alone.keys() == together.keys()
    for key, each in alone.items():
        assert each.predicted.tolist() == together[key].predicted.tolist()
        assert each.chosen == together[key].chosen


def test_the_seconds_of_a_trial_are_those_of_the_processor(monkeypatch):
    """The load of the machine changes no advice."""
    trials, ticks = trials_of(collection_of(topics(20)), 2), iter([10.0, 12.5])
    monkeypatch.setattr(trial.time, "process_time", lambda: next(ticks))
    assert trials.run(Work("majority", 0)).seconds == 2.5


class Deadly:
    """A tokeniser that ends the process that reads it."""

    def __reduce__(self):
        return os._exit, (1,)


def test_a_process_that_the_system_ends_is_an_error(monkeypatch):
    monkeypatch.setattr(trial, "ALONE", 0)
    trials = trials_of(collection_of(topics(40)), 3)
    trials.model.set_params(tokenizer=Deadly())
    with pytest.raises(PteError, match="the system ended a process of the contest"):
        list(run(trials, [Work("bow", i) for i in range(3)], 2))


def test_trials_that_end_in_another_order_give_the_same_result():
    trials = trials_of(collection_of(topics(40)), 3)
    found = list(run(trials, [Work("bow", i) for i in range(len(trials.folds))], 1))
    found[0] = replace(found[0], chosen={"c": 0.5})
    one, other = joined(trials.folds, found), joined(trials.folds, found[::-1])
    assert one.chosen == other.chosen and {"c": 0.5} in one.chosen
    assert all((a == b).all() for a, b in zip(one.predicted, other.predicted, strict=True))


def test_what_was_chosen_is_told():
    one = {"c": 1.0, "bias": True, "samples": [5, 900], "experts": {"PTE": 0.5, "LINE": 0.0}}
    assert told(one) == (
        "C = 1.0, bias = yes, edges = 5 and 900, weights of experts = PTE 0.5 LINE 0.0"
    )
    assert told({"unit_length": True, "weights": {}, "samples": [1200, 1200]}) == (
        "unit length = yes, weights = equal, edges = 1,200"
    )


def test_an_empty_text_is_no_example_if_there_are_others():
    rows = [("", "bee")] * 4 + [("t0w1 any1", "bee")] * 3 + [("t0w1", "ape")] * 20 + topics(40)
    trials = trials_of(collection_of(rows), 2)
    (row,) = (each for each in contested(trials, ["bow"]).compared().rows)
    examples = [pair["examples"] for pair in row["confusions"] if pair["documents"] > 1]
    assert examples and all(some[0]["text"] for some in examples)


def test_a_class_without_a_training_document_is_never_predicted():
    """Its number is between those of the other classes."""
    rows = [(text, {"ape": "a", "bee": "c"}[label]) for text, label in topics(20)]
    collection = collection_of([*rows, ("t0w1", "b")], tests=np.arange(21) >= 12)
    tested = trials_of(collection).run(Work("bow", 0))
    names = collection.labels.classes[tested.predicted].tolist()
    assert set(names) == {"a", "c"}
    assert names[:-1] == [label for _, label in rows[12:]]


def contested(trials, names, shares=(1.0,)):
    contest = Contest(trials.collection, trials.folds)
    for share in shares:
        for name in names:
            for i in range(len(trials.folds)):
                contest.add(trials.run(Work(name, i, share)))
    return contest


@pytest.mark.parametrize("method", ["bow", "nb_em", "label_propagation", "pte_auto"])
def test_rows_in_another_order_change_nothing(method):
    """A text without a word is a tie, which the largest class wins, whatever row is first."""
    bad, good = [("bad awful service", "B")] * 20, [("good great service", "A")] * 20
    empty = [("", "A")] * 60
    for rows in (bad + good + empty, good + bad + empty, empty + bad + good):
        model = pte.TextClassifier(method=method, dim=8, samples=5000, threads=1, random_state=1)
        texts, labels = zip(*rows, strict=True)
        assert model.fit(texts, labels).score(texts, labels) == 1


def test_a_classifier_becomes_as_sure_as_it_is_right():
    """Labels of a third of the documents are drawn at random, and C = 1000 learns them by heart."""
    random = np.random.default_rng(0)
    truth = np.repeat([0, 1], 300).astype(np.int32)
    given = np.where(random.random(600) < 0.33, random.integers(0, 2, 600), truth).astype(np.int32)
    features = (random.normal(size=(600, 100)) + 0.3 * truth[:, None]).astype(np.float32)
    order = random.permutation(600)
    one, other = order[:150], order[150:]
    part = Judging(features[one], given[one], features[other], given[other])
    (asked,) = learning._of_classifier([part], ClassifierChoice(1000.0), 3)
    assert (asked.likely[:, 2] == LEAST).all()  # no document teaches this class
    power = surety([asked])
    losses = [log_loss(np.log(raised(asked.likely, p)), asked.truth) for p in (1, power)]
    assert power < 0.3 and losses[1] < losses[0] / 2
    several = np.eye(2, dtype=np.bool_)[given]
    part = Judging(features, several, features, several)
    assert surety(list(learning._of_classifier([part], ClassifierChoice(), 2))) == 1


UNSURE = ["nb_em", "label_propagation", "cnn", "fasttext", "svm_pairs", "nb_svm_pairs", "bow"]


@pytest.mark.parametrize("method", UNSURE)
def test_every_method_becomes_as_sure_as_it_is_right_and_predicts_the_same(method):
    random = np.random.default_rng(0)
    rows = [
        (text, label if random.random() < 0.6 else random.choice(["ape", "bee"]))
        for text, label in topics(400)
    ]
    texts, truth = zip(*rows, strict=True)
    labels, asked = truth[:200] + (None,) * 200, texts[200:]
    model = pte.TextClassifier(method=method, dim=8, threads=1, random_state=1)
    likely, trained = model.fit(texts, labels).predict_proba(asked), model._trained
    assert trained.power != 1
    before = trained._replace(power=1.0).probabilities(model.encode(asked))
    assert (likely.argmax(axis=1) == before.argmax(axis=1)).all()
    right = np.mean(model.classes_[likely.argmax(axis=1)] == truth[200:])
    assert likely.max(axis=1).mean() == pytest.approx(right, abs=0.15)


# How sure


@pytest.mark.parametrize("method", ["svm_pairs", "pte_auto"])
def test_probabilities_of_a_contest_are_counted_and_as_sure_as_they_are_right(method):
    """As `pte fit` does, it makes those of an SVM as sure as right; PTE(auto) is sure itself."""
    random = np.random.default_rng(0)
    truth = [np.int32(random.random(n) < 0.5) for n in (300, 500)]
    found = []
    for i, classes in enumerate(truth):
        likely = np.float32(random.choice([0.95, 0.75], classes.size))
        said = np.where(random.random(classes.size) < 0.75, classes, 1 - classes)
        rows = np.where(said[:, None] == [0, 1], likely[:, None], 1 - likely[:, None])
        free = np.float32([[0.85, 0.15], [0.4, 0.6]] if i == 0 else np.empty((0, 2)))
        found.append(trial.Tested(method, i, 1.0, said, 1.0, {}, 0, likely=rows, free=free))
    told = how_sure(found, truth, 1000)
    by_level = {each["probability"]: each for each in told["levels"]}
    if method == "pte_auto":
        sure = np.concatenate([each.likely.max(axis=1) for each in found])
        right = np.concatenate([f.predicted == t for f, t in zip(found, truth, strict=True)])
        assert by_level[0.9]["documents"] == (sure > 0.9).sum()
        assert by_level[0.9]["right"] == pytest.approx(100 * right[sure > 0.9].mean())
        assert [each["unlabelled"] for each in told["levels"]] == [1000, 500, 500, 0]
        given = np.concatenate(
            [f.likely[range(t.size), t] for f, t in zip(found, truth, strict=True)]
        )
        assert told["log_loss"] == pytest.approx(-np.log(given).mean(), abs=1e-6)
    assert by_level[0.5]["documents"] == sum(each["documents"] for each in told["bins"]) == 800
    means = [np.mean([each[key] for each in told["bins"]]) for key in ("probability", "right")]
    assert (abs(means[0] - means[1]) < 5) == (method == "svm_pairs")


def test_labels_that_were_not_picked_at_random_are_told_of():
    def tested(*shares):
        """A trial that predicts the first of two classes for these shares of 100 and 500."""
        firsts = [np.arange(n) < share * n for n, share in zip((100, 500), shares, strict=True)]
        rows = [np.float32(np.stack([first, ~first], axis=1)) for first in firsts]
        return [trial.Tested("bow", 0, 1.0, np.empty(0), 1.0, {}, 0, likely=rows[0], free=rows[1])]

    said = shifted(tested(0.5, 0.9), ["ape", "bee"])
    assert said.startswith("Documents without a label differ: 90\N{NO-BREAK SPACE}% of them are")
    assert "predicted as ape, and 50" in said
    assert shifted(tested(0.5, 0.55), ["ape", "bee"]) is None
    few = [replace(each, likely=each.likely[::20]) for each in tested(0.5, 0.7)]
    assert shifted(few, ["ape", "bee"]) is None
    nothing = [replace(each, free=each.free[:0]) for each in tested(0.5, 0.9)]
    assert shifted(nothing, ["ape", "bee"]) is None


def test_a_trial_tells_probabilities_of_documents_without_a_label():
    rows = [*topics(40), *((text, None) for text, _ in topics(7, seed=1))]
    trials = trials_of(collection_of(rows), 2)
    first, other, part = (trials.run(Work("bow", *which)) for which in ((0,), (1,), (0, 0.5)))
    assert first.free.shape == (7, 2) and other.free.size == part.free.size == 0
    assert first.likely.shape == (20, 2)
    assert (first.likely.argmax(axis=1) == first.predicted).all()


# The result


def test_a_method_that_lacks_memory_fails_alone(monkeypatch):
    def large(*_):
        raise MemoryError

    monkeypatch.setattr(text_classifier, "learn", large)
    tested = trials_of(collection_of(topics(8)), 2).run(Work("bow", 0))
    assert tested.failed == "not enough memory" and tested.predicted.size == 0


def test_the_result_tells_all_and_is_json(monkeypatch):
    asked = []
    monkeypatch.setattr(result, "compared", lambda *given: asked.append(1) or compared(*given))
    rows = [*topics(40), ("", "ape"), ("qwerty", "bee"), ("t0w1 any2", None)]
    trials = trials_of(collection_of([*rows, rows[0]]), 2)
    contest = contested(trials, ["bow", "majority"])
    for work in contest.curve_works():
        contest.add(trials.run(work))
    found = json.loads(json.dumps(contest.result(LINEUP)))
    assert asked == [1]  # the bootstrap takes time
    documents = found["documents"]
    assert (documents["all"], documents["labelled"], documents["unlabelled"]) == (44, 43, 1)
    assert (documents["tested"], documents["empty"]) == (43, 1)
    assert documents["without_known_word"] == 2
    assert found["folds"] == {"kind": "stratified", "folds": 2, "repeats": 4}
    assert [each["documents"] for each in found["classes"]] == [22, 21]
    assert found["not_run"][0]["method"] == "cnn" and found["advice"]["method"] == "bow"
    assert [point["labels"] for point in found["curve"]] == [6, 12, 22]
    assert found["curve"][-1]["micro_f1"] == pytest.approx(found["methods"][0]["micro_f1"])


def test_few_labels_of_many_classes_have_a_true_curve():
    """Each class keeps a label, so that half of the labels and a quarter are all of them."""
    rows = [(f"w{i} any{j}", f"c{i:02}") for i in range(12) for j in range(4)]
    trials = trials_of(collection_of(rows), 2)
    contest = contested(trials, ["bow", "majority"])
    for work in contest.curve_works():
        contest.add(trials.run(work))
    found = contest.result(LINEUP)
    assert [point["labels"] for point in found["curve"]] == [12, 24]
    ahead = found["forecast"]
    assert ahead is None or ahead["micro_f1"] <= 100


def test_reasons_are_for_people():
    trials = trials_of(collection_of(topics(20)), 2)
    contest = contested(trials, ["bow", "majority"])
    lineup = replace(LINEUP, not_run={"nb_em": ONE_LABEL})
    found = contest.result(lineup)
    assert found["not_run"][0]["why"] == "it learns only one label for each document"


def test_a_method_that_fails_is_told_of_and_not_compared():
    trials = trials_of(collection_of(topics(20)), 2)
    contest = contested(trials, ["bow", "majority"])
    n_folds = len(trials.folds)
    for i in range(n_folds):
        failed = "it diverged" if i == 1 else None
        predicted = np.zeros(0 if failed else trials.folds[i].test.size, np.int32)
        contest.add(trial.Tested("cnn", i, 1.0, predicted, 0.1, {}, 0, failed))
    contest.add(trial.Tested("nb_em", 0, 1.0, np.zeros(10, np.int32), 0.1, {}, 0))
    assert contest.unfinished(["bow", "cnn", "nb_em", "pvdm"]) == ["nb_em", "pvdm"]
    found = contest.result(LINEUP)
    assert {row["method"] for row in found["methods"]} == {"bow", "majority"}
    assert {each["method"]: each["why"] for each in found["not_run"]}["cnn"] == "it diverged"
    ended = contest.result(replace(LINEUP, methods=("bow", "cnn", "nb_em")), True)
    assert ended["advice"]["lead"].startswith("Interrupted: 1 method was not tested. So far: ")


def test_a_method_that_cannot_learn_a_part_of_the_labels_has_a_score_all_the_same():
    trials = trials_of(collection_of(topics(20)), 2)
    contest = contested(trials, ["bow", "pte_auto"])
    first, *others = contest.curve_works()
    contest.add(trial.Tested(*first, np.empty(0, np.int32), 0.1, {}, 0, "too few labels"))
    for work in others:
        contest.add(trials.run(work))
    found = contest.result(LINEUP)
    assert {row["method"] for row in found["methods"]} == {"bow", "pte_auto"}
    assert [point["labels"] for point in found["curve"]] == [4, 10]  # all labels, and a half


def test_no_method_but_the_control_is_an_error_with_reasons():
    trials = trials_of(collection_of(topics(20)), 2)
    contest = contested(trials, ["majority"])
    with pytest.raises(PteError, match="no method has a score: none has met all folds"):
        contest.compared()
    why = "bow: it has no words"  # some methods name themselves
    contest.add(trial.Tested("bow", 0, 1.0, np.empty(0, np.int32), 0.1, {}, 0, why))
    with pytest.raises(PteError, match="no method has a score: bow: it has no words"):
        contest.result(LINEUP)
