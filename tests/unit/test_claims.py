"""Verdicts on claims whose truth is known by construction."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from pte.claims.claim import Claim
from pte.claims.pairing import (
    Outcomes,
    collect_checkpoints,
    collect_runs,
    collect_unavailable,
)
from pte.claims.relations import relation_modules
from pte.claims.significance import holm
from pte.claims.verdicts import (
    INCONCLUSIVE,
    NOT_REPRODUCED,
    NOT_RUN,
    ON_A_STAND_IN,
    PAIR,
    REPRODUCED,
    UNAVAILABLE,
    beside_earlier,
    judge,
    of_claims,
    without_checkpoints,
)
from pte.errors import PteError
from pte.files import save_array

DOCUMENTS = 2000
SEEDS = (1, 2, 3)
GONE = {"Wiki": "it is not published"}


def runs_of(**shares):
    """Runs of three seeds on the corpus c, by method and the share of documents they get right."""
    random = np.random.default_rng(0)
    return {
        ("c", method): Outcomes(
            (1, 2, 3), random.random((3, DOCUMENTS)) < share, np.array([1.0, 2.0, 4.0])
        )
        for method, share in shares.items()
    }


@pytest.fixture
def runs_of_three():
    return runs_of(a=0.80, b=0.76, d=0.75, e=0.745)


def entry(relation="above", right=("b",), corpora=("c",), **rest):
    entry = {"left": "a", "right": list(right), "corpora": list(corpora), "relation": relation}
    return {"section": "1", "quotation": "a is better", **entry, **rest}


def claim(*args, **rest):
    return Claim.from_mapping(entry(*args, **rest), "claims.yaml: claims.x")


def verdict(runs, **options):
    return judge({"x": claim(**options)}, runs, GONE)["verdict"].tolist()


@pytest.mark.parametrize(
    ("relation", "a", "b", "expected"),
    [
        ("above", 0.9, 0.7, REPRODUCED),
        ("above", 0.7, 0.9, NOT_REPRODUCED),
        ("above", 0.8, 0.8, INCONCLUSIVE),
        ("not_above", 0.7, 0.9, REPRODUCED),
        ("not_above", 0.9, 0.7, NOT_REPRODUCED),
        ("comparable", 0.9, 0.7, NOT_REPRODUCED),
        ("comparable", 0.7, 0.9, NOT_REPRODUCED),
        ("not_above", 0.86, 0.8, NOT_REPRODUCED),
        ("not_above", 0.808, 0.8, INCONCLUSIVE),
        ("comparable", 0.808, 0.8, INCONCLUSIVE),
    ],
)
def test_a_pair_is_judged_by_what_it_claims(relation, a, b, expected):
    assert verdict(runs_of(a=a, b=b), relation=relation) == [expected]


def test_methods_with_nearly_the_same_predictions_are_comparable():
    runs = runs_of(a=0.8)
    others = runs["c", "a"].hits.copy()
    others[:, :2] = ~others[:, :2]
    runs["c", "b"] = Outcomes(SEEDS, others, runs["c", "a"].seconds)
    assert verdict(runs, relation="comparable") == [REPRODUCED]
    assert verdict(runs, relation="not_above") == [REPRODUCED]
    assert verdict(runs, relation="comparable", margin=0.01) == [INCONCLUSIVE]


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        ([10, 20, 40], REPRODUCED),
        ([9, 20, 40], INCONCLUSIVE),
        ([9, 19, 39], NOT_REPRODUCED),
    ],
)
def test_every_seed_is_as_many_times_faster(seconds, expected):
    runs = runs_of(a=0.8, b=0.8)
    runs["c", "b"] = Outcomes(SEEDS, runs["c", "b"].hits, np.array(seconds, float))
    frame = judge({"x": claim("faster", factor=10)}, runs, GONE)
    assert frame["verdict"].tolist() == [expected]
    assert frame["p"].isna().all()
    assert frame["low"].item() == min(s / t for s, t in zip(seconds, [1, 2, 4], strict=True))


def test_corpora_that_cannot_be_had_and_runs_that_are_missing_say_so():
    frame = judge({"x": claim(corpora=("c", "Wiki"))}, runs_of(a=0.8), GONE)
    assert frame["verdict"].tolist() == [NOT_RUN, UNAVAILABLE]
    assert frame["reason"].tolist() == ["no scores of b on c", "it is not published"]
    assert frame["p_holm"].isna().all()


def test_a_claim_is_as_good_as_its_worst_pair():
    runs = runs_of(a=0.8, b=0.6, same=0.8, better=0.95)
    for right, expected in [
        (["b"], REPRODUCED),
        (["b", "same"], INCONCLUSIVE),
        (["b", "same", "better"], NOT_REPRODUCED),
        (["b", "absent"], NOT_RUN),
        (["b", "better", "absent"], NOT_REPRODUCED),
    ]:
        frame = of_claims(judge({"x": claim(right=right)}, runs, GONE))
        assert frame.to_dict("records") == [{"claim": "x", "corpus": "c", "verdict": expected}]


def test_many_pairs_make_one_family():
    """A p-value that is enough alone is not among forty: 23 documents lost, 6 won."""
    right = np.arange(DOCUMENTS) < 1600
    a, b = (
        Outcomes(None, hits[None], np.ones(1))
        for hits in (right, right ^ (np.arange(DOCUMENTS) % 70 == 0))
    )
    assert b.hits.sum() == a.hits.sum() - 17
    corpora = [f"c{i}" for i in range(40)]
    runs = {(corpus, name): run for corpus in corpora for name, run in (("a", a), ("b", b))}
    alone = judge({"x": claim(corpora=corpora[:1])}, runs, GONE)
    assert alone["verdict"].item() == REPRODUCED
    family = judge({"x": claim(corpora=corpora)}, runs, GONE)
    assert (family["p"] == alone["p"].item()).all()
    assert (family["verdict"] == INCONCLUSIVE).all()


@pytest.mark.long
def test_false_claims_are_seldom_reproduced():
    """Forty pairs of methods that are equally good, but for what seeds do to some."""
    alarms = 0
    for i in range(8):
        random = np.random.default_rng(i)
        claims, runs = {}, {}
        for pair in range(40):
            for method in ("a", "b"):
                shares = 0.7 + random.choice([0, 0.01]) * random.standard_normal((3, 1))
                hits = random.random((3, 400)) < shares
                runs[f"c{pair}", method] = Outcomes(SEEDS, hits, np.ones(3))
            claims[f"x{pair}"] = claim(corpora=[f"c{pair}"])
        verdicts = judge(claims, runs, GONE)["verdict"]
        alarms += verdicts.isin([REPRODUCED, NOT_REPRODUCED]).any()
    assert alarms <= 2  # of 0.4 expected; without a correction, nearly all eight


def test_what_two_claims_say_is_tested_once():
    runs = runs_of(a=0.80, b=0.775)
    twice = judge({"x": claim(), "y": claim()}, runs, GONE)
    assert (twice["p_holm"] == twice["p"]).all()
    other = judge({"x": claim(), "y": claim("not_above")}, runs, GONE)
    assert other["p_holm"].min() == pytest.approx(2 * other["p"].min())
    assert other["p"].nunique() == 2


def test_runs_are_read_in_the_order_of_seeds(tmp_path):
    truth = {"c": np.array([0, 1, 1], np.int32)}
    for seed, predicted, setting in [
        (10, [0, 1, 1], "paper"),
        (2, [1, 1, 1], "paper"),
        (2, [0, 0, 0], "chosen"),
    ]:
        stem = tmp_path / f"{setting}{seed}"
        run = {"corpus": "c", "method": "m", "setting": setting, "seed": seed}
        stem.with_suffix(".json").write_text(json.dumps(run | {"train_seconds": seed}))
        save_array(stem.with_suffix(".npy"), np.array(predicted, np.int32))
    gone = tmp_path / "gone.json"
    gone.write_text(json.dumps(run | {"unavailable": "not installed"}))
    files = sorted(tmp_path.glob("*.json"))
    reasons = collect_unavailable(files)
    assert reasons == {("c", "m"): "not installed"}
    row = judge({"x": replace(claim(), left="m")}, {}, reasons).iloc[0]
    assert (row["verdict"], row["reason"]) == (UNAVAILABLE, "not installed")
    runs = collect_runs(files, truth, "paper")
    assert list(runs) == [("c", "m")]
    assert runs["c", "m"].seeds == (2, 10)
    assert runs["c", "m"].hits.tolist() == [[False, True, True], [True, True, True]]
    assert runs["c", "m"].seconds.tolist() == [2, 10]


def test_subsets_of_all_seeds_are_one_corpus(tmp_path):
    for seed, corpus in [(1, "c-labelled10-seed1"), (2, "c-labelled10-seed2"), (1, "c")]:
        stem = tmp_path / f"{corpus}{seed}"
        run = {"corpus": corpus, "method": "m", "setting": "paper", "seed": seed}
        stem.with_suffix(".json").write_text(json.dumps(run | {"train_seconds": None}))
        save_array(stem.with_suffix(".npy"), np.array([0, 1], np.int32))
    truth = {"c": np.array([0, 0], np.int32)}
    runs = collect_runs(sorted(tmp_path.glob("*.json")), truth, "paper")
    assert {key: found.seeds for key, found in runs.items()} == {
        ("c", "m"): (1,),
        ("c-labelled10", "m"): (1, 2),
    }
    runs = collect_runs(sorted(tmp_path.glob("*.json")), truth, "paper", ["m"])
    assert [found.seeds for found in runs.values()] == [(1, 2), None]  # each subset is another


def test_right_is_measured_with_what_the_claim_says():
    runs = runs_of(a=0.9)
    runs["c-labelled10", "a"] = runs_of(a=0.7)["c", "a"]
    less = claim(right=["a"], right_with={"labelled": 10})
    assert judge({"x": less}, runs, GONE)["verdict"].tolist() == [REPRODUCED]
    more = replace(less, corpora=("c-labelled10",), right_with={"labelled": 100})
    assert judge({"x": more}, runs, GONE)["verdict"].tolist() == [NOT_REPRODUCED]
    row = judge({"x": replace(less, right_with={"unlabelled": 0})}, runs, GONE).iloc[0]
    assert row["reason"] == "no scores of a on c-unlabelled0"


def test_some_claims_are_about_checkpoints():
    part = claim(right_with={"samples": 0.5})
    fewer = claim(right_with={"labelled": 10})
    assert list(without_checkpoints({"x": claim(), "y": part, "z": fewer})) == ["x", "z"]


def test_checkpoints_of_a_training_are_compared_with_its_end(tmp_path):
    truth = {"c": np.zeros(DOCUMENTS, np.int32)}
    random = np.random.default_rng(0)
    late = random.random((3, DOCUMENTS)) < 0.2
    for seed, at_the_end in zip((3, 1, 2), late, strict=True):
        stem = tmp_path / f"seed{seed}"
        run = {"corpus": "c", "seed": seed}
        runs = [run | {"part": part} for part in (0.25, 0.8, 1)]
        stem.with_suffix(".json").write_text(json.dumps({"runs": runs}))
        early = random.random(DOCUMENTS) < 0.6
        nearly = at_the_end ^ (random.random(DOCUMENTS) < 0.002)
        save_array(stem.with_suffix(".npy"), np.stack([early, nearly, at_the_end]).astype(np.int32))
    runs = collect_checkpoints(sorted(tmp_path.glob("*.json")), truth, "pte_joint")
    assert {name for name, _ in runs} == {"c at 0.25 T", "c at 0.8 T", "c at 1 T"}
    end = runs["c at 1 T", "pte_joint"]
    assert end.seeds == (1, 2, 3)
    assert (end.hits == ~late[[1, 2, 0]]).all()
    for part, expected in {0.25: NOT_REPRODUCED, 0.8: REPRODUCED}.items():
        said = claim("comparable", ["pte_joint"], right_with={"samples": part})
        frame = judge({"x": replace(said, left="pte_joint")}, runs, GONE)
        assert frame["verdict"].tolist() == [expected]


def test_runs_are_paired_by_seed_and_a_single_one_with_all():
    whole = runs_of(a=0.9, b=0.7)
    a, b = whole["c", "a"], whole["c", "b"]
    later = {("c", "a"): Outcomes((1, 3), a.hits[[0, 2]], a.seconds[[0, 2]]), ("c", "b"): b}
    both = {("c", "a"): later["c", "a"], ("c", "b"): Outcomes((1, 3), b.hits[[0, 2]], np.ones(2))}
    found, expected = (judge({"x": claim()}, runs, GONE) for runs in (later, both))
    pd.testing.assert_frame_equal(found, expected)
    quick = judge({"x": claim("faster", factor=2)}, later, GONE)
    assert (quick["low"].item(), quick["high"].item()) == (1, 1)
    single = {("c", "a"): a, ("c", "b"): Outcomes(None, b.hits[:1], b.seconds[:1])}
    assert verdict(single) == [REPRODUCED]
    for seed in (1, 4):
        apart = {("c", "a"): a, ("c", "b"): Outcomes((seed,), b.hits[:1], b.seconds[:1])}
        row = judge({"x": claim()}, apart, GONE).iloc[0]
        assert row["reason"] == "a and b have fewer than two seeds in common"
        assert row["verdict"] == NOT_RUN
    alone = {
        ("c", name): Outcomes(None, run.hits[:1], np.ones(1)) for name, run in (("a", a), ("b", b))
    }
    assert verdict(alone) == [REPRODUCED]


def test_speed_without_seconds_is_not_judged():
    runs = runs_of(a=0.8, b=0.8)
    runs["c", "b"] = Outcomes(SEEDS, runs["c", "b"].hits, np.array([9, np.nan, 9]))
    row = judge({"x": claim("faster", factor=2)}, runs, GONE).iloc[0]
    assert (row["verdict"], row["reason"]) == (NOT_RUN, "no seconds of training of a or b")


def test_an_error_names_the_corpus_and_the_methods():
    runs = runs_of(a=0.8, b=0.8)
    runs["c", "b"] = Outcomes(SEEDS, runs["c", "b"].hits[:, 1:], np.ones(3))
    with pytest.raises(PteError, match="c: a and b: compare: predictions of shapes"):
        verdict(runs)


def test_pairs_that_were_not_run_are_those_of_an_earlier_run_in_one_family():
    claims = {
        "x": claim(),
        "y": claim(right=("d",)),
        "z": claim("faster", right=("e",), factor=2),
        "w": claim(right=("f",), corpora=("c", "Wiki")),
    }
    earlier = judge(claims, runs_of(a=0.80, b=0.70, d=0.79, e=0.5), GONE)
    now = judge(claims, runs_of(a=0.80, d=0.70), GONE)
    assert now["verdict"].tolist()[:3] == [NOT_RUN, REPRODUCED, NOT_RUN]
    together = beside_earlier(now, earlier)
    both = [*PAIR, "seeds", "effect", "low", "high", "p"]
    for row, source in enumerate([earlier, now, earlier, now, now]):
        pd.testing.assert_series_equal(
            together.loc[row, both], source.loc[row, both], check_dtype=False
        )
    assert together["p_holm"].tolist()[:2] == holm(together["p"][:2].tolist()).tolist()
    assert together["verdict"].tolist() == [
        *(REPRODUCED, REPRODUCED, earlier["verdict"][2]),
        *(NOT_RUN, UNAVAILABLE),
    ]


def test_a_pair_of_an_earlier_run_may_need_more_beside_others():
    """The same p-value is one of a larger family."""
    claims = {"x": claim(), **{f"y{i}": claim(right=(f"d{i}",)) for i in range(40)}}
    alone = judge({"x": claims["x"]}, runs_of(a=0.80, b=0.755), GONE)
    assert alone["verdict"].tolist() == [REPRODUCED]
    equal = {f"d{i}": 0.8 for i in range(40)}
    together = beside_earlier(judge(claims, runs_of(a=0.80, **equal), GONE), alone)
    assert together["p"][0] == alone["p"][0]
    assert together["verdict"][0] == INCONCLUSIVE


def test_a_pair_is_that_of_more_seeds_and_of_the_same_hypothesis():
    fewer = {
        key: Outcomes(runs.seeds[:2], runs.hits[:2], runs.seconds[:2])
        for key, runs in runs_of(a=0.80, b=0.70).items()
    }
    now = judge({"x": claim()}, fewer, GONE)
    earlier = judge({"renamed": claim()}, runs_of(a=0.80, b=0.75), GONE)
    assert beside_earlier(now, earlier)["seeds"].tolist() == [3]
    assert beside_earlier(earlier, now) is earlier

    none = judge({"x": claim()}, {}, GONE)
    assert beside_earlier(none, earlier)["verdict"].tolist() == [REPRODUCED]
    for other in (
        claim("faster", factor=2),
        claim("not_above", margin=2),
        claim(right_with={"labelled": 10}),
        claim(right=("d",)),
    ):
        changed = judge({"x": other}, {}, GONE)
        assert beside_earlier(changed, earlier) is changed


def test_scores_without_their_corpus_are_an_error(tmp_path):
    run = {"corpus": "c", "method": "m", "setting": "paper", "seed": 1, "train_seconds": 1}
    (tmp_path / "x.json").write_text(json.dumps(run))
    save_array(tmp_path / "x.npy", np.zeros(2, np.int32))
    with pytest.raises(PteError, match="c: there are scores, but not the encoded corpus"):
        collect_runs([tmp_path / "x.json"], {}, "paper")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"relation": "between"}, "claims.x.relation: 'between' is not one of above, comparable,"),
        ({"relation": "json"}, "'json' is not one of above"),
        ({"relation": "faster"}, "claims.x: faster needs a factor; add it"),
        ({"relation": "faster", "factor": 2, "margin": 1}, "x.margin: faster has no margin"),
        ({"margin": 1}, "claims.x.margin: above has no margin; remove it"),
    ],
)
def test_a_claim_that_cannot_be_judged_is_an_error(changes, message):
    with pytest.raises(PteError, match=message):
        Claim.from_mapping(entry() | changes, "claims.yaml: claims.x")


def test_a_bound_is_given_or_that_of_the_relation():
    assert [claim(name).bound for name in ("above", "comparable", "not_above")] == [0, 1, 1]
    assert claim("comparable", margin=2).bound == 2
    assert claim("faster", factor=5).bound == 5


def test_a_plugin_adds_a_relation(tmp_path, monkeypatch):
    (tmp_path / "far_above.py").write_text(
        "from pte.claims.relations import Relation\n"
        "RELATION = Relation(\n"
        "    'far_above',\n"
        "    holds=lambda pair: pair.differs and pair.effect > pair.bound,\n"
        "    fails=lambda pair: pair.differs and pair.effect <= pair.bound,\n"
        "    bound_key='margin',\n"
        "    null=lambda effect, bound: bound,\n"
        ")\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PTE_PLUGINS", str(tmp_path))
    runs = runs_of(a=0.9, b=0.8)
    assert verdict(runs, relation="far_above", margin=5) == [REPRODUCED]
    assert verdict(runs, relation="far_above", margin=15) == [NOT_REPRODUCED]
    assert relation_modules(["above", "far_above", "far_above"]) == ["far_above"]
    with pytest.raises(PteError, match="far_above needs a margin"):
        claim("far_above")


def test_the_claims_of_a_plugin_are_a_family_of_their_own(runs_of_three):
    ours = {"x": claim(), "y": claim(right=("d",))}
    more = {f"p{i}": replace(claim("not_above", right=("e",)), source="mine") for i in range(2)}
    alone, together = (judge(claims, runs_of_three, GONE) for claims in (ours, ours | more))
    pd.testing.assert_frame_equal(together.iloc[:2], alone)
    assert together["claim"].tolist() == ["x", "y", "p0", "p1"]
    pd.testing.assert_frame_equal(
        together.iloc[2:].reset_index(drop=True), judge(more, runs_of_three, GONE)
    )
    as_ours = {name: replace(each, source="paper") for name, each in more.items()}
    joined = judge(ours | as_ours, runs_of_three, GONE)
    assert (joined["p_holm"].iloc[:2] > alone["p_holm"]).any()


def test_a_claim_is_judged_on_what_stands_in_for_a_corpus():
    said = claim(corpora=("c", "Wiki")).on_stand_ins({"Wiki": ["small", "other"], "RCV1": ["d"]})
    assert said.corpora == ("c", "small", "other")
    runs = runs_of(a=0.9, b=0.7)
    runs |= {("small", method): run for (_, method), run in runs.items()}
    frame = judge({"x": said}, runs, GONE | {"other": "it is in no mirror"})
    assert frame["verdict"].tolist() == [REPRODUCED, REPRODUCED, UNAVAILABLE]
    assert frame["stand_in"].fillna("none").tolist() == ["none", "Wiki", "Wiki"]
    assert frame["reason"].tolist()[1:] == [ON_A_STAND_IN, GONE["Wiki"]]
    assert pd.isna(frame["reason"][0])


def test_verdicts_on_stand_ins_change_no_other():
    """They are a family of their own, and lend no spread of seeds."""
    random = np.random.default_rng(0)
    runs = runs_of(a=0.80, b=0.775)
    alone = judge({"x": claim()}, runs, GONE)
    for i in range(40):
        shares = 0.7 + 0.03 * random.standard_normal((3, 1))
        hits = random.random((3, DOCUMENTS)) < shares
        runs |= {(f"s{i}", "a"): Outcomes(SEEDS, hits, np.ones(3)), (f"s{i}", "b"): runs["c", "b"]}
    stand_ins = {"Wiki": [f"s{i}" for i in range(40)]}
    both = judge({"x": claim(corpora=("Wiki", "c")).on_stand_ins(stand_ins)}, runs, GONE)
    same = alone.columns.drop(["reason", "stand_in"])
    found = both.tail(1).reset_index(drop=True)
    pd.testing.assert_frame_equal(found[same], alone[same], check_dtype=False)
    tested = both["p"][:40].tolist()
    assert both["p_holm"][:40].tolist() == holm(tested).tolist()
    assert both["p_holm"][40] == alone["p"][0]
    again = beside_earlier(judge({"x": claim()}, {}, GONE), both)
    assert again["p_holm"].tolist() == alone["p_holm"].tolist()
