"""Verdicts on claims whose truth is known by construction."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from pte.errors import PteError
from pte.files import save_array, write_json
from pte_study.claims.claim import Claim, View, beside, sides, training, training_of
from pte_study.claims.evidence import RunFiles, judge_protocols, judged_with
from pte_study.claims.judging import judge
from pte_study.claims.pairing import (
    Kinds,
    Outcomes,
    collect_neighbours,
    collect_runs,
    collect_seconds,
    collect_trainings,
    collect_unavailable,
    difference,
)
from pte_study.claims.relations import relation_modules
from pte_study.claims.significance import Stratum, holm
from pte_study.claims.verdicts import (
    ANSWERS,
    INCONCLUSIVE,
    LEVEL_WITH,
    MEASURED,
    NOT_REPRODUCED,
    NOT_RUN,
    REPRODUCED,
    UNAVAILABLE,
    beside_earlier,
    of_claims,
)

DOCUMENTS = 2000
SEEDS = (1, 2, 3)
GONE = {"Wiki": "it is not published"}


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
        ("not_above", 0.81, 0.8, INCONCLUSIVE),
        ("comparable", 0.81, 0.8, INCONCLUSIVE),
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
    for runs, lacks in ((few, "seeds"), (spread, "seeds: about ")):
        row = judge({"x": claim()}, runs, GONE).iloc[0]
        assert row["verdict"] == INCONCLUSIVE
        assert lacks in row["reason"]
    alone = {key: Outcomes(None, run.points[:1]) for key, run in few.items()}
    row = judge({"x": claim()}, alone, GONE).iloc[0]
    assert row["reason"].startswith("lacks test documents: ")


def seconds(**values):
    return {
        (beside("c", "seconds"), name): Outcomes(SEEDS, np.log(each)[:, None].astype(np.float32))
        for name, each in values.items()
    }


@pytest.mark.parametrize(
    ("b", "expected"),
    [
        ([110, 120, 130], REPRODUCED),
        ([5, 10, 20], INCONCLUSIVE),
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


def test_the_best_of_several_methods_on_the_left_counts():
    runs = runs_of(a=0.8, best=0.9, b=0.85, better=0.95)
    for right, expected in [(["b"], REPRODUCED), (["b", "better"], NOT_REPRODUCED)]:
        several = judge({"x": claim(right=right, left=["a", "best"])}, runs, GONE)
        assert set(several["verdict"]) == {expected}
        assert len(several) == 2 * len(right)


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
    assert (family["verdict"] == INCONCLUSIVE).all()
    for name in ANSWERS:
        assert (family[f"{name}_holm"] == holm(family[name].tolist())).all()
    twice = {m: Outcomes((1, 2), np.repeat(runs["c", m].points, 2, axis=0)) for m in ("a", "b0")}
    parts = {(f"c-labelled{1 + i}", m): twice[m] for i in range(40) for m in twice}
    shares = claim(right=["b0"], corpora=["c", *(f"c-labelled{1 + i}" for i in range(40))])
    together = judge({"x": shares}, runs | parts, GONE)
    assert together["p_holm"][0] > alone["p_holm"][0]


def test_a_claim_about_many_methods_counts_once_in_its_family():
    runs = runs_of(a=0.80, b=0.775, d=0.7, e=0.6)
    frame = judge({"x": claim(right=["b", "d", "e"])}, runs, GONE)
    assert frame["p_holm"].tolist() == frame["p"].tolist()
    assert frame["p"].nunique() == 1


def test_false_claims_are_seldom_reproduced():
    """Families of methods that are equally good, but for what seeds do to some."""
    alarms = {REPRODUCED: 0, NOT_REPRODUCED: 0}
    for i in range(60):
        random = np.random.default_rng(i)
        runs = {}
        for method in range(12):
            shares = 0.7 + random.choice([0, 0.005, 0.02]) * random.standard_normal((3, 1))
            runs["c", f"m{method}"] = outcomes(random.random((3, 400)) < shares)
        claims = {
            f"x{left}": claim(left=f"m{left}", right=[f"m{left + 1}"]) for left in range(0, 12, 2)
        }
        verdicts = judge(claims, runs, GONE)["verdict"]
        for each in alarms:
            alarms[each] += (verdicts == each).any()
    assert max(alarms.values()) <= 0.05 * 60 + 3 * np.sqrt(60 * 0.05 * 0.95)


def test_what_two_claims_say_is_tested_once():
    runs = runs_of(a=0.80, b=0.775)
    twice = judge({"x": claim(), "y": claim()}, runs, GONE)
    assert (twice["p_holm"] == twice["p"]).all()
    other = judge({"x": claim(), "y": claim("not_above")}, runs, GONE)
    assert other["p_holm"].min() == pytest.approx(2 * other["p"].min())
    assert other["p"].nunique() == 2


def test_runs_are_read_in_the_order_of_seeds(tmp_path):
    truth = {"c": np.array([0, 1, 1], np.int32)}
    for seed, predicted, protocol in [
        (10, [0, 1, 1], "paper"),
        (2, [1, 1, 1], "paper"),
        (2, [0, 0, 0], "chosen"),
    ]:
        stem = tmp_path / f"{protocol}{seed}"
        run = {"corpus": "c", "method": "m", "protocol": protocol, "seed": seed}
        write_json(stem.with_suffix(".json"), run | {"train_seconds": seed})
        save_array(stem.with_suffix(".npy"), np.array(predicted, np.int32))
    gone = tmp_path / "gone.json"
    write_json(gone, run | {"unavailable": "not installed"})
    files = sorted(tmp_path.glob("*.json"))
    reasons = collect_unavailable(files)
    assert reasons == {("c", "m"): "not installed"}
    row = judge({"x": replace(claim(), left="m")}, {}, reasons).iloc[0]
    assert (row["verdict"], row["reason"]) == (UNAVAILABLE, "not installed")
    runs = collect_runs(files, truth, "paper")
    assert list(runs) == [("c", "m")]
    assert runs["c", "m"].seeds == (2, 10)
    assert runs["c", "m"].points.tolist() == [[0, 100, 100], [100, 100, 100]]


def test_subsets_of_all_seeds_are_one_corpus(tmp_path):
    for seed, corpus in [(1, "c-labelled10-seed1"), (2, "c-labelled10-seed2"), (1, "c")]:
        stem = tmp_path / f"{corpus}{seed}"
        run = {"corpus": corpus, "method": "m", "protocol": "paper", "seed": seed}
        write_json(stem.with_suffix(".json"), run | {"train_seconds": None})
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


def test_a_curve_is_the_mean_of_its_points():
    shares = {"c-labelled1": 0.5, "c-labelled10": 0.7, "c": 0.9}
    runs = {(name, "a"): runs_of(a=share)["c", "a"] for name, share in shares.items()}
    runs |= {(name, "b"): runs_of(b=0.7)["c", "b"] for name in shares}
    runs["c", "b"] = Outcomes(None, runs["c", "b"].points[:1])  # needs no seed with all labels
    curve = {"labelled": [1, 10, 100]}
    said = claim("comparable", left_with=curve, right_with=curve, margin=5)
    assert said.left_on("c").parts == ("c-labelled1", "c-labelled10", "c")
    frame = judge({"x": said}, runs, GONE)
    assert frame["effect"].item() == pytest.approx(0, abs=0.5)
    assert frame["verdict"].item() == REPRODUCED
    assert frame["left_on"].item() == "c-labelled1 & c-labelled10 & c"
    halves = claim(right=["a"], left_with={"labelled": 100}, right_with={"labelled": [1, 10]})
    assert judge({"x": halves}, runs, GONE)["effect"].item() == pytest.approx(30, abs=1)


def test_what_is_measured_beside_the_tables_has_one_protocol():
    claims = {
        "scores": claim(),
        "trained": claim(left_with={"default": "all"}, each={"dim": [50]}),
        "quick": claim("faster", factor=2),
        "near": claim(measure="neighbours"),
        "named": claim(protocols=["chosen"]),
    }
    assert list(judged_with(claims, "paper")) == ["scores", "trained", "quick", "near"]
    assert list(judged_with(claims, "chosen")) == ["scores", "named"]


def test_finished_trainings_are_compared(tmp_path):
    truth = {"c": np.zeros(DOCUMENTS, np.int32)}
    random = np.random.default_rng(0)
    for value, wrong in {"all": 0.2, "50": 0.2, "200": 0.6}.items():
        for seed in (3, 1, 2):
            folder = tmp_path / "c" / ("default" if value == "all" else "dim") / value
            folder.mkdir(parents=True, exist_ok=True)
            runs = [{"corpus": "c", "seed": seed, "part": part} for part in (0.5, 1)]
            write_json(folder / f"seed{seed}.json", {"runs": runs})
            on_the_way = np.ones(DOCUMENTS, bool)
            end = np.arange(DOCUMENTS) / DOCUMENTS + 0.01 * random.random(DOCUMENTS) < wrong
            rows = np.stack([on_the_way, end]).astype(np.int32)
            save_array(folder / f"seed{seed}.npy", rows)
    runs = collect_trainings(sorted(tmp_path.glob("**/*.json")), truth, "a")
    assert {name for name, _ in runs} == {"c, default all", "c, dim 50", "c, dim 200"}
    assert runs["c, default all", "a"].seeds == (1, 2, 3)
    for values, expected in {(50,): REPRODUCED, (50, 200): NOT_REPRODUCED}.items():
        said = claim("comparable", ["a"], left_with={"default": "all"}, each={"dim": values})
        assert set(judge({"x": said}, runs, GONE)["verdict"]) == {expected}
    views = [view for view, _ in sides([said], "training")]
    assert list(map(training_of, views))[1] == ("c", "dim", "50")
    assert training("c", "dim", 50) == views[1].name


def test_seconds_and_neighbours_are_collected(tmp_path):
    for seed in (2, 1):
        stem = tmp_path / "c" / "a" / f"seed{seed}"
        stem.parent.mkdir(parents=True, exist_ok=True)
        write_json(stem.with_suffix(".json"), {"seconds": 10.0 * seed})
        save_array(stem.with_suffix(".npy"), np.array([0, 1], np.int32))
    found = collect_seconds(sorted(tmp_path.glob("**/*.json")))
    assert np.exp(found["c, seconds", "a"].points).ravel() == pytest.approx([10, 20])
    truth = {"c": np.array([0, 0], np.int32)}
    found = collect_neighbours(sorted(tmp_path.glob("**/*.npy")), truth)
    assert found["c, neighbours", "a"].points.tolist() == [[100, 0], [100, 0]]


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


def test_each_metric_has_verdicts_and_families_of_its_own(tmp_path):
    """a finds the rare class, b never does; their micro-F1 is nearly the same."""
    truth = np.repeat([0, 1], [950, 50]).astype(np.int32)
    random = np.random.default_rng(0)
    files = []
    for seed in SEEDS:
        for method in "ab":
            predicted = np.where(random.random(1000) < 0.02, 1 - truth, truth).astype(np.int32)
            if method == "b":
                predicted = np.where(random.random(1000) < 0.001, 1 - truth, 0 * truth)
            stem = tmp_path / f"{method}{seed}"
            run = {"corpus": "c", "method": method, "protocol": "paper", "seed": seed}
            write_json(stem.with_suffix(".json"), run | {"train_seconds": 1})
            save_array(stem.with_suffix(".npy"), predicted.astype(np.int32))
            files.append(stem.with_suffix(".json"))
    known = {"c": truth}
    micro, macro = (collect_runs(files, known, "paper", (), m) for m in ("micro_f1", "macro_f1"))
    assert micro["c", "b"].points.mean() == pytest.approx(95, abs=0.5)
    assert macro["c", "b"].points.mean() == pytest.approx(48.7, abs=0.5)
    judged = judge({"x": claim()}, macro, GONE, metric="macro_f1")
    assert judged["verdict"].item() == REPRODUCED
    assert judged["metric"].item() == "macro_f1"


def test_evidence_takes_files_by_kind():
    evidence = RunFiles.of("pte_joint", {"scores": ["a.json"], "hits": ["a.npy"]})
    assert [path.name for path in evidence.scores] == ["a.json"]
    given = ({"x": claim()}, RunFiles("pte_joint"), ["paper", "chosen"], GONE, Kinds())
    frames = judge_protocols(*given)
    for frame in frames.values():
        assert frame["metric"].tolist() == ["micro_f1", "macro_f1"]
        assert set(frame["verdict"]) == {NOT_RUN}


@pytest.mark.parametrize("name", ["c", "c-labelled1"])
def test_an_error_says_that_documents_differ(name):
    runs = {(name, method): run for (_, method), run in runs_of(a=0.8, b=0.8).items()}
    runs[name, "b"] = Outcomes(SEEDS, runs[name, "b"].points[:, 1:])
    with pytest.raises(PteError, match="test documents"):
        verdict(runs, corpora=[name])


def test_pairs_that_were_not_run_are_those_of_an_earlier_run_in_one_family():
    claims = {
        "x": claim(),
        "y": claim(right=("d",)),
        "z": claim("faster", right=("e",), factor=2),
        "w": claim(right=("f",), corpora=("c", "Wiki")),
    }
    fast = seconds(a=[1.0, 1.1, 1.2], e=[9.0, 9.1, 9.2])
    earlier = judge(claims, runs_of(a=0.80, b=0.70, d=0.79, e=0.5) | fast, GONE)
    now = judge(claims, runs_of(a=0.80, d=0.70), GONE)
    assert now["verdict"].tolist()[:3] == [NOT_RUN, REPRODUCED, NOT_RUN]
    together = beside_earlier(now, earlier)
    for row, source in enumerate([earlier, now, earlier, now, now]):
        pd.testing.assert_series_equal(
            together.loc[row, MEASURED], source.loc[row, MEASURED], check_dtype=False
        )
    of_f1, of_seconds = together["p"].tolist()[:2], together["p"].tolist()[2]
    assert together["p_holm"].tolist()[:3] == [*holm(of_f1), of_seconds]
    assert together["verdict"].tolist() == [REPRODUCED] * 3 + [NOT_RUN, UNAVAILABLE]
    assert together["reason"].isna().tolist() == [True, True, True, False, False]


def test_a_pair_of_an_earlier_run_may_need_more_beside_others():
    """The same difference is one of a larger family."""
    claims = {"x": claim(), **{f"y{i}": claim(right=(f"d{i}",)) for i in range(40)}}
    shares = {"a": 0.80, "b": 0.7955}
    alone = judge({"x": claims["x"]}, runs_of(**shares), GONE)
    assert alone["verdict"].tolist() == [REPRODUCED]
    equal = {f"d{i}": 0.8 for i in range(40)}
    together = beside_earlier(judge(claims, runs_of(a=0.80, **equal), GONE), alone)
    assert together["p"][0] == alone["p"][0]
    assert together["p_holm"][0] > 30 * alone["p_holm"][0]


def test_a_pair_is_that_of_more_seeds_and_of_the_same_hypothesis():
    fewer = {key: run.of_seeds((1, 2)) for key, run in runs_of(a=0.80, b=0.70).items()}
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
        claim(beyond=["d"]),
    ):
        changed = judge({"x": other}, {}, GONE)
        assert beside_earlier(changed, earlier) is changed
    assert beside_earlier(none, earlier.drop(columns="error")) is none  # of other tests


def test_scores_without_their_corpus_are_an_error(tmp_path):
    run = {"corpus": "c", "method": "m", "protocol": "paper", "seed": 1, "train_seconds": 1}
    write_json(tmp_path / "x.json", run)
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
    named = ("above", "comparable", "not_above", "not_below")
    assert [claim(name).bound for name in named] == [0, 1, 1, 1]
    assert claim("comparable", margin=2).bound == 2
    assert claim("faster", factor=5).bound == 5


def test_a_plugin_adds_a_relation(tmp_path, monkeypatch):
    (tmp_path / "far_above.py").write_text(
        "from pte_study.claims.relations import Relation\n"
        "RELATION = Relation(\n"
        "    'far_above',\n"
        "    region=lambda bound: (bound, float('inf')),\n"
        "    bound_key='margin',\n"
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
    said = claim(corpora=("c", "Wiki")).on_stand_ins({"Wiki": ["small", "other"], "RCV1": ["d"]})
    assert said.corpora == ("c", "small", "other")
    runs = runs_of(a=0.9, b=0.7)
    alone = judge({"x": claim()}, runs, GONE)
    runs |= {("small", method): run for (_, method), run in runs.items()}
    frame = judge({"x": said}, runs, GONE | {"other": "it is in no mirror"})
    assert frame["verdict"].tolist() == [REPRODUCED, REPRODUCED, UNAVAILABLE]
    assert frame["stand_in"].fillna("none").tolist() == ["none", "Wiki", "Wiki"]
    assert frame["reason"].tolist()[2] == GONE["Wiki"]
    pd.testing.assert_frame_equal(frame.iloc[:1, :-2], alone.iloc[:, :-2], check_dtype=False)


def test_only_what_tables_show_is_judged_by_each_protocol():
    sides = ("pte_joint",), ("bow",)
    whole = Claim("5.2", "it is better", *sides, "above", ("c",))
    part = Claim("5.3", "it is better", *sides, "above", ("c-labelled10",))
    mean = replace(whole, left_with={"labelled": [1, 100]}, right_with={"labelled": [1, 100]})
    seconds = Claim("5.2", "it is faster", *sides, "faster", ("c",), measure="seconds")
    claims = {"whole": whole, "part": part, "mean": mean, "seconds": seconds}
    assert judged_with(claims, "paper") == claims
    assert judged_with(claims, "chosen") == {"whole": whole}
