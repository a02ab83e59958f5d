"""Verdicts on claims whose truth is known by construction."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pte.errors import PteError
from pte_study.claims.claim import Claim, View, beside, sides, training, training_of
from pte_study.claims.judging import Evidence, Kinds, Outcomes, difference, judge
from pte_study.claims.significance import Stratum, holm
from pte_study.claims.verdicts import (
    ANSWERS,
    LEVEL_WITH,
    NOT_REPRODUCED,
    NOT_RUN,
    REPRODUCED,
    TOO_FEW_DOCUMENTS,
    TOO_FEW_SEEDS,
    UNAVAILABLE,
    of_claims,
    of_tests,
)
from pte_study.configuration.registry import check, read
from pte_study.store import Store, StoredRun

ROOT = Path(__file__).parents[2]

DOCUMENTS = 2000
SEEDS = (1, 2, 3)
GONE = {"Wiki": "it is not published"}


def stored(name, *tests, **kept):
    """A run on the corpus c, whose documents all have class 0, with what its tests predicted."""
    hits = np.stack([np.asarray(test) == 0 for test in tests]) if tests else np.empty((0, 2), bool)
    misses = np.stack(tests)[~hits] if tests else None
    return StoredRun(f"results/{name}", kept, {}, hits, misses)


def outcomes_of(runs, protocol="paper", metric="micro_f1", truth=None, unseeded=()):
    evidence = Evidence(runs, {"c": np.zeros(2, np.int32) if truth is None else truth})
    return evidence.outcomes(protocol, Kinds(unseeded), metric)


def outcomes(hits, seeds=SEEDS):
    return Outcomes(seeds, 100 * np.asarray(hits).astype(np.float32))


def runs_of(**shares):
    """Runs of three seeds on the corpus c, by method and the share of documents they get right."""
    random = np.random.default_rng(0)
    difficulty = random.random(DOCUMENTS)
    return {
        ("c", method): outcomes(difficulty + 0.002 * random.standard_normal((3, DOCUMENTS)) < share)
        for method, share in shares.items()
    }


def entry(relation="above", right=("b",), corpora=("c",), **rest):
    entry = {"left": "a", "right": list(right), "corpora": list(corpora), "relation": relation}
    return {"section": "1", "quotation": "a is better", **entry, **rest}


def claim(*args, **rest):
    return Claim.from_mapping(entry(*args, **rest))


def verdict(runs, **options):
    return judge({"x": claim(**options)}, runs, GONE)["verdict"].tolist()


@pytest.mark.parametrize(
    ("relation", "a", "b", "expected"),
    [
        ("above", 0.9, 0.7, REPRODUCED),
        ("above", 0.7, 0.9, NOT_REPRODUCED),
        ("above", 0.8, 0.8, LEVEL_WITH),
        ("above", 0.806, 0.8, REPRODUCED),
        ("above", 0.8, 0.806, NOT_REPRODUCED),
        ("not_above", 0.7, 0.9, REPRODUCED),
        ("not_above", 0.9, 0.7, NOT_REPRODUCED),
        ("not_below", 0.9, 0.7, REPRODUCED),
        ("not_below", 0.7, 0.9, NOT_REPRODUCED),
        ("comparable", 0.9, 0.7, NOT_REPRODUCED),
        ("comparable", 0.7, 0.9, NOT_REPRODUCED),
        ("comparable", 0.8, 0.8, REPRODUCED),
        ("not_above", 0.81, 0.8, TOO_FEW_DOCUMENTS),
        ("comparable", 0.81, 0.8, TOO_FEW_DOCUMENTS),
    ],
)
def test_a_pair_is_judged_by_what_it_claims(relation, a, b, expected):
    assert verdict(runs_of(a=a, b=b), relation=relation) == [expected]


def test_few_documents_and_few_seeds_are_inconclusive_and_say_what_they_lack():
    random = np.random.default_rng(1)
    few = {("c", name): outcomes(random.random((3, 100)) < 0.8) for name in "ab"}
    spread = {
        ("c", name): outcomes(random.random((3, 9000)) < 0.8 + np.array([[0.02], [0], [-0.02]]))
        for name in "ab"
    }
    for runs in (few, spread):
        row = judge({"x": claim()}, runs, GONE).iloc[0]
        assert row["verdict"] == TOO_FEW_SEEDS
        assert int(row["reason"].split()[1]) > 3
    alone = {key: Outcomes(None, run.points[:1]) for key, run in few.items()}
    row = judge({"x": claim()}, alone, GONE).iloc[0]
    assert row["verdict"] == TOO_FEW_DOCUMENTS
    reach = 1.6449 * row["of_documents"]
    assert row["reason"] == f"only below −{reach:.1f} or above +{reach:.1f} would show"
    row = judge({"x": claim("comparable", margin=20)}, alone, GONE).iloc[0]
    assert row["verdict"] == REPRODUCED


def seconds(**values):
    return {
        (beside("c", "seconds"), name): Outcomes(SEEDS, np.log(each)[:, None].astype(np.float32))
        for name, each in values.items()
    }


@pytest.mark.parametrize(
    ("b", "expected"),
    [
        ([110, 120, 130], REPRODUCED),
        ([5, 10, 20], TOO_FEW_SEEDS),
        ([1.0, 1.1, 1.2], NOT_REPRODUCED),
    ],
)
def test_as_many_times_faster_is_judged_over_seeds(b, expected):
    runs = seconds(a=[1.0, 1.1, 1.05], b=b)
    frame = judge({"x": claim("faster", factor=10)}, runs, GONE)
    assert frame["verdict"].tolist() == [expected]
    ratio = np.exp(np.mean(np.log(b)) - np.mean(np.log([1.0, 1.1, 1.05])))
    assert np.exp(frame["effect"].item()) == pytest.approx(ratio, rel=1e-5)
    assert frame["metric"].item() == "seconds"
    assert judge({"x": claim("faster", factor=10)}, runs, GONE, metric="macro_f1").empty


def test_corpora_that_cannot_be_had_and_runs_that_are_missing_say_so():
    frame = judge({"x": claim(corpora=("c", "Wiki"))}, runs_of(a=0.8), GONE)
    assert frame["verdict"].tolist() == [NOT_RUN, UNAVAILABLE]
    assert frame["reason"].tolist() == ["no scores of b on c", "it is not published"]
    assert frame["p_holm"].isna().all()


def test_a_claim_is_as_good_as_its_worst_pair():
    runs = runs_of(a=0.8, b=0.6, same=0.8, better=0.95)
    for right, expected in [
        (["b"], REPRODUCED),
        (["b", "same"], LEVEL_WITH),
        (["b", "same", "better"], NOT_REPRODUCED),
        (["b", "absent"], NOT_RUN),
        (["b", "better", "absent"], NOT_REPRODUCED),
    ]:
        frame = of_claims(judge({"x": claim(right=right)}, runs, GONE))
        assert frame[["claim", "corpus", "verdict"]].to_numpy().tolist() == [["x", "c", expected]]


def test_a_difference_may_be_larger_than_on_another_corpus():
    runs = runs_of(a=0.9, b=0.7)
    runs |= {("d", name): run for (_, name), run in runs_of(a=0.8, b=0.75).items()}
    more, less = claim(beyond=["d"]), claim(corpora=["d"], beyond=["c"])
    frame = judge({"x": more, "y": less}, runs, GONE)
    assert frame["verdict"].tolist() == [REPRODUCED, NOT_REPRODUCED]
    assert frame["effect"].tolist() == pytest.approx([15, -15], abs=1)
    assert frame["beyond"].tolist() == ["d", "c"]
    assert sides([more], "scores") == [(View((c,)), m) for c in "cd" for m in "ab"]
    missing = judge({"x": claim(beyond=["e"])}, runs, GONE).iloc[0]
    assert missing["reason"] == "no scores of a on e"


def test_the_claims_on_one_corpus_are_a_family_for_each_question():
    """A p-value that is enough alone is not among forty; other corpora do not matter."""
    right = np.arange(DOCUMENTS) < 1600
    worse = right ^ (np.arange(DOCUMENTS) % 90 == 0)
    assert worse.sum() == right.sum() - 13
    one, other = (Outcomes(None, 100 * each[None].astype(np.float32)) for each in (right, worse))
    runs = {("c", "a"): one} | {("c", f"b{i}"): other for i in range(40)}
    runs |= {(f"c{i}", name): run for i in range(40) for name, run in (("a", one), ("b0", other))}
    alone = judge({"x": claim(right=["b0"])}, runs, GONE)
    assert alone["verdict"].item() == REPRODUCED
    elsewhere = judge({"x": claim(right=["b0"], corpora=[f"c{i}" for i in range(40)])}, runs, GONE)
    assert (elsewhere["verdict"] == REPRODUCED).all()
    many = {f"x{i}": claim(right=[f"b{i}"]) for i in range(40)}
    family = judge(many, runs, GONE)
    assert (family["p"] == alone["p"].item()).all()
    assert (family["p_holm"] == min(1, 40 * alone["p"].item())).all()
    assert (family["verdict"] == TOO_FEW_DOCUMENTS).all()
    for name in ANSWERS:
        assert (family[f"{name}_holm"] == holm(family[name].tolist())).all()
    twice = {m: Outcomes((1, 2), np.repeat(runs["c", m].points, 2, axis=0)) for m in ("a", "b0")}
    parts = {(f"c-labelled{1 + i}", m): twice[m] for i in range(40) for m in twice}
    shares = claim(right=["b0"], corpora=["c", *(f"c-labelled{1 + i}" for i in range(40))])
    together = judge({"x": shares}, runs | parts, GONE)
    assert together["p_holm"][0] > alone["p_holm"][0]


def test_what_two_claims_say_is_tested_once():
    runs = runs_of(a=0.80, b=0.775)
    twice = judge({"x": claim(), "y": claim()}, runs, GONE)
    assert (twice["p_holm"] == twice["p"]).all()
    assert of_tests(twice)["claim"].tolist() == ["x"]
    other = judge({"x": claim(), "y": claim("not_above")}, runs, GONE)
    assert of_tests(other)["claim"].tolist() == ["x", "y"]
    assert other["p_holm"].min() == pytest.approx(2 * other["p"].min())
    assert other["p"].nunique() == 2


CURVE = {"labelled": [1, 10, 100]}


def curve_of(a, b):
    """Runs of a and b on a curve of three points, by the share of documents they get right."""
    runs = {}
    for i, name in enumerate(("c-labelled1", "c-labelled10", "c")):
        random = np.random.default_rng(i)
        for method, share in (("a", a[i]), ("b", b[i])):
            noise = 0.01 * random.random((3, DOCUMENTS))
            runs[name, method] = outcomes(np.arange(DOCUMENTS) / DOCUMENTS + noise < share)
    return runs


@pytest.mark.parametrize(
    ("b", "consistent", "nowhere_below"),
    [
        ((0.5, 0.65, 0.75), REPRODUCED, REPRODUCED),
        ((0.5, 0.7, 0.805), REPRODUCED, REPRODUCED),  # less than a point below at 100 %
        ((0.5, 0.7, 0.83), NOT_REPRODUCED, NOT_REPRODUCED),  # though the mean is above
        ((0.6, 0.7, 0.805), LEVEL_WITH, REPRODUCED),  # nowhere above
    ],
)
def test_consistently_means_at_every_point(b, consistent, nowhere_below):
    runs = curve_of((0.6, 0.7, 0.8), b)
    for relation, expected in (("consistently", consistent), ("not_below", nowhere_below)):
        frame = judge({"x": claim(relation, points=CURVE)}, runs, GONE)
        assert set(frame["verdict"]) == {expected}
        assert frame["overall"].tolist() == [False, False, False, True]
        mean = np.subtract((0.6, 0.7, 0.8), b).mean() * 100
        assert frame["effect"].iloc[3] == pytest.approx(mean, abs=0.2)
        parts = ["c-labelled1", "c-labelled10", "c"]
        assert frame["left_on"].tolist() == [*parts, " & ".join(parts)]
        assert (frame["right_on"] == frame["left_on"]).all()


def test_what_is_measured_beside_the_tables_has_one_protocol():
    of_labels = {"labelled": [1, 100]}
    claims = {
        "scores": claim(),
        "part": claim(corpora=("c-labelled10",)),
        "mean": replace(claim(), left_with=of_labels, right_with=of_labels),
        "trained": claim(left_with={"default": "all"}, each={"dim": [50]}),
        "quick": claim("faster", factor=2),
        "near": claim(measure="neighbours"),
        "named": claim(protocols=["chosen"]),
    }
    paper, chosen = (
        {name: each for name, each in claims.items() if each.is_judged_with(protocol)}
        for protocol in ("paper", "chosen")
    )
    assert list(paper) == ["scores", "part", "mean", "trained", "quick", "near"]
    assert list(chosen) == ["scores", "named"]
    assert paper | chosen == claims


def test_finished_trainings_are_compared():
    random = np.random.default_rng(0)
    runs = []
    for value, wrong in {"all": 0.2, "50": 0.2, "200": 0.6}.items():
        for seed in (3, 1, 2):
            parameter = "default" if value == "all" else "dim"
            on_the_way = np.ones(DOCUMENTS, bool)
            end = np.arange(DOCUMENTS) / DOCUMENTS + 0.01 * random.random(DOCUMENTS) < wrong
            name = f"sensitivity/runs/c/{parameter}/{value}/seed{seed}"
            runs.append(stored(name, on_the_way.astype(np.int32), end.astype(np.int32), runs=[]))
    found = outcomes_of(runs, truth=np.zeros(DOCUMENTS, np.int32))
    assert {name for name, _ in found} == {"c, default all", "c, dim 50", "c, dim 200"}
    assert found["c, default all", "pte_joint"].seeds == (1, 2, 3)
    for values, expected in {(50,): REPRODUCED, (50, 200): NOT_REPRODUCED}.items():
        said = replace(claim("comparable", ["pte_joint"]), left=("pte_joint",))
        said = replace(said, left_with={"default": "all"}, each={"dim": values})
        assert set(judge({"x": said}, found, GONE)["verdict"]) == {expected}
    views = [view for view, _ in sides([said], "training")]
    assert list(map(training_of, views))[1] == ("c", "dim", "50")
    assert training("c", "dim", 50) == views[1].name


def test_seeds_are_paired_where_they_share_documents_and_else_are_not():
    whole = runs_of(a=0.9, b=0.7)
    runs = whole | {("c-labelled1", name): run for (_, name), run in whole.items()}
    kinds = Kinds(stochastic=["b"])
    here, part = View(("c",)), View(("c-labelled1",))
    apart = difference((here, "a"), (here, "b"), runs, kinds)
    assert [(each.sign, each.stratum) for each in apart] == [
        (1, Stratum("c", "runs", False)),
        (-1, Stratum("c", "runs", True)),
    ]
    (paired,) = difference((part, "a"), (part, "b"), runs, kinds)
    assert paired.stratum == Stratum("c", "parts", True)
    assert (paired.points == runs["c", "a"].points - runs["c", "b"].points).all()
    assert len(difference((here, "a"), (part, "a"), runs, kinds)) == 2
    (mirrored,) = difference((part, "b"), (part, "a"), runs, kinds)
    assert mirrored.name == paired.name

    trainings = [View((training("c", "dim", size),), "training") for size in (50, 100)]
    runs |= {(view.parts[0], "a"): runs["c", "a"] for view in trainings}
    (same_numbers,) = difference(*((view, "a") for view in trainings), runs, kinds)
    assert same_numbers.stratum == Stratum("c", "trainings", False)
    assert not same_numbers.points.any()

    a, b = runs["c-labelled1", "a"], runs["c-labelled1", "b"]
    runs["c-labelled1", "b"] = Outcomes((3, 1, 4), b.points)
    (paired,) = difference((part, "a"), (part, "b"), runs, kinds)
    assert (paired.points == a.points[[0, 2]] - b.points[[1, 0]]).all()
    runs["c-labelled1", "b"] = Outcomes((7, 8, 1), b.points)
    said = "a and b have fewer than two seeds in common"
    assert difference((part, "a"), (part, "b"), runs, kinds) == said
    runs["c", "b"] = Outcomes((1,), b.points[:1])
    assert difference((here, "a"), (here, "b"), runs, kinds) == "b has fewer than two seeds on c"
    runs["c", "b"] = Outcomes(None, b.points[:1])
    assert judge({"x": claim()}, runs, GONE)["verdict"].item() == REPRODUCED


ONE = {"labelled": [1, 10]}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"relation": "between"}, ".relation: 'between' is not one of ['above', 'cons"),
        ({"relation": "faster"}, ": 'factor' is a required property"),
        ({"relation": "faster", "factor": 2, "margin": 1}, ".margin: this relation has no margin"),
        ({"margin": 1}, ".margin: this relation has no margin; remove it"),
        ({"factor": 2}, ".factor: this relation has no factor; remove it"),
        ({"relation": "consistently"}, ": 'points' is a required property"),
        ({"points": ONE, "left_with": ONE}, ".left_with: remove it or points"),
        ({"measure": "neighbours", "left_with": ONE}, ".left_with: it is of scores"),
        ({"measure": "neighbours", "points": ONE}, ".points: it is of scores"),
        ({"relation": "faster", "factor": 2, "points": ONE}, ".points: it is of scores"),
        ({"each": {"dim": [5]}, "right_with": {"labelled": 1}}, ".right_with: remove it or each"),
    ],
)
def test_a_claim_that_cannot_be_judged_is_an_error(changes, message):
    schema = read(ROOT / "workflow" / "schemas" / "claims.schema.yaml")
    with pytest.raises(PteError, match=re.escape(f"claims.yaml: claims.x{message}")):
        check({"claims": {"x": entry() | changes}}, schema | {"required": []}, "claims.yaml")


def test_the_claims_of_a_plugin_are_a_family_of_their_own():
    runs = runs_of(a=0.80, b=0.76, d=0.75, e=0.745)
    ours = {"x": claim(), "y": claim(right=("d",))}
    more = {f"p{i}": replace(claim("not_above", right=("e",)), source="mine") for i in range(2)}
    alone, together = (judge(claims, runs, GONE) for claims in (ours, ours | more))
    pd.testing.assert_frame_equal(together.iloc[:2], alone)
    assert together["claim"].tolist() == ["x", "y", "p0", "p1"]
    pd.testing.assert_frame_equal(together.iloc[2:].reset_index(drop=True), judge(more, runs, GONE))
    as_ours = {name: replace(each, source="paper") for name, each in more.items()}
    joined = judge(ours | as_ours, runs, GONE)
    assert (joined["p_holm"].iloc[:2] > alone["p_holm"]).any()


def test_a_plugins_runs_lend_no_spread_to_ours():
    random = np.random.default_rng(0)
    runs = {
        ("c", f"m{i}"): outcomes(random.random((3, 400)) < 0.7 + 0.02 * i / 6 * np.ones((3, 1)))
        for i in range(8)
    }
    claims = {"x": claim(left="m0", right=["m1", "m2"])}
    alone = judge(claims, runs, GONE)
    more = replace(claim(left="m3", right=[f"m{i}" for i in range(4, 8)]), source="mine")
    both = judge(claims | {"y": more}, runs, GONE)
    assert both["df"][:2].tolist() == alone["df"].tolist()
    ours = judge(claims | {"y": replace(more, source="paper")}, runs, GONE)
    assert (ours["df"][:2] > alone["df"]).all()


def test_a_claim_is_judged_on_what_stands_in_for_a_corpus():
    said = claim(corpora=("c", "Wiki")).on_corpora(
        {}, {"Wiki": ["small", "other"], "RCV1": ["d"]}, {}
    )
    assert said.corpora == ("c", "small", "other")
    runs = runs_of(a=0.9, b=0.7)
    alone = judge({"x": claim()}, runs, GONE)
    runs |= {("small", method): run for (_, method), run in runs.items()}
    frame = judge({"x": said}, runs, GONE | {"other": "it is in no mirror"})
    assert frame["verdict"].tolist() == [REPRODUCED, REPRODUCED, UNAVAILABLE]
    assert frame["stand_in"].fillna("none").tolist() == ["none", "Wiki", "Wiki"]
    assert frame["reason"].tolist()[2] == GONE["Wiki"]
    pd.testing.assert_frame_equal(frame.iloc[:1, :-2], alone.iloc[:, :-2], check_dtype=False)


def test_a_claim_is_judged_on_the_test_documents_of_all_splits_once_all_are_run():
    said = replace(claim(), other_splits={"c": ["second", "third"]})
    runs = runs_of(a=0.9, b=0.885)
    alone = judge({"x": said}, runs, GONE)
    pd.testing.assert_frame_equal(alone, judge({"x": claim()}, runs, GONE))
    for name in ("second", "third"):
        runs |= {(name, method): runs["c", method] for method in "ab"}
    runs["third", "a"] = Outcomes((1, 2, 3, 4), runs["c", "a"].points[[0, 1, 2, 0]])
    together = judge({"x": said}, runs, GONE)
    assert together["corpus"].tolist() == ["c"]
    assert together["left_on"].tolist() == ["c, all splits"]
    assert together["effect"][0] == pytest.approx(alone["effect"][0])
    assert together["of_documents"][0] == pytest.approx(alone["of_documents"][0] / 3**0.5, rel=0.01)
    curve = replace(said, points={"labelled": (10, 100)})
    assert "c" in judge({"x": curve}, runs, GONE)["left_on"].tolist()
    few = runs | {("third", "a"): Outcomes((1,), runs["c", "a"].points[:1])}
    pd.testing.assert_frame_equal(judge({"x": said}, few, GONE), alone)
    del runs["third", "b"]
    pd.testing.assert_frame_equal(judge({"x": said}, runs, GONE), alone)


def test_training_documents_are_judged_by_their_hits_and_not_by_macro_f1():
    names = [f"claims/training_neighbours/c/{m}/seed{seed}" for m in "ab" for seed in (1, 2)]
    runs = [replace(stored(name, [0, 1]), misses=None) for name in names]
    assert outcomes_of(runs)["c, training neighbours", "a"].points.tolist() == [[100, 0], [100, 0]]
    assert not outcomes_of(runs, metric="macro_f1")
    runs.append(stored("scores/c/a/paper/seed1", [0, 0]))
    truth = np.zeros(2, np.int32)
    evidence = Evidence.of([Store({}, tuple(runs), truth)])
    assert evidence.truth == {"c": truth}
    claims = {"x": claim(measure="training neighbours"), "y": claim(measure="neighbours")}
    by_macro = evidence.answerable(claims, "macro_f1")
    assert [each.corpora for each in by_macro.values()] == [(), ("c",)]


@pytest.mark.parametrize("name", ["c", "c-labelled1"])
def test_an_error_says_that_documents_differ(name):
    runs = {(name, method): run for (_, method), run in runs_of(a=0.8, b=0.8).items()}
    runs[name, "b"] = Outcomes(SEEDS, runs[name, "b"].points[:, 1:])
    with pytest.raises(PteError, match="test documents"):
        verdict(runs, corpora=[name])
