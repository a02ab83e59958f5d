"""Which files pages and tables are made of, from the project's own configuration."""

from dataclasses import replace
from pathlib import Path

import pytest
from made import configured

from pte.encoders import is_installed
from pte_study import paths
from pte_study.plan.claimed import Claimed
from pte_study.plan.costs import beside_scores, costs, shared_by
from pte_study.plan.exhibits import FEW_LABELS
from pte_study.plan.runs import Runs
from pte_study.plan.study import Study
from pte_study.plan.targets import lacking, page_inputs, page_items, published_parts

ROOT = Path(__file__).parents[2]


def runs_of(mirror="", **changes):
    values = configured()
    for key, change in changes.items():
        values[key] |= change
    return Runs(Study.load(values, ROOT / "workflow", mirror))


@pytest.fixture(scope="module")
def runs():
    return runs_of()


def test_costs_count_what_fits_share(runs):
    name = paths.SCORES.format(corpus="mr", method="pte_joint_shuffled", protocol="paper", seed=2)
    found = costs(runs, [name])
    expected = [
        *(
            "representations/mr/pte_joint_shuffled/paper/seed2",
            "scores/mr/pte_joint_shuffled/paper/seed2",
        ),
        *("corpora/mr", "networks/mr/given/ww", "networks/mr/given/wd"),
        "networks/mr/shuffled-2/wl",
    ]
    assert sorted(found) == sorted(f"results/costs/{made}.json" for made in expected)


@pytest.mark.parametrize(
    ("method", "shared"),
    [
        ("label_propagation", "neighbours/mr"),
        ("skipgram", "choices/mr/skipgram"),
        ("bow", None),
    ],
)
def test_neighbours_and_choices_have_costs_of_their_own(runs, method, shared):
    name = paths.SCORES.format(
        corpus="mr-labelled10-seed1", method=method, protocol="paper", seed=1
    )
    found = shared_by(runs.study, [name])
    made = {paths.cost(each).removeprefix("results/costs/") for each in found}
    assert made == ({"corpora/mr.json", f"{shared}.json"} if shared else set())


def test_the_page_of_provenance_counts_maps_and_the_sensitivity_experiment(runs):
    kinds = {Path(path).parts[2] for path in page_inputs(runs, "provenance")["costs"]}
    encoded = {"encoded"} if is_installed(str(runs.study.config.encoder)) else set()
    assert kinds == encoded | {
        *(
            "corpora",
            "networks",
            "neighbours",
            "choices",
            "classifiers",
            "representations",
            "scores",
        ),
        *("sensitivity", "maps", "claims"),
    }
    assert len(set(beside_scores(runs))) == len(beside_scores(runs))
    costs_there = page_inputs(runs, "provenance")["costs"]
    for made in ("maps/20ng/pte_wl/seed1", "claims/timed/imdb/pte_joint/seed1"):
        assert f"results/costs/{made}.json" in costs_there


def test_a_corpus_that_only_mirrors_have_is_planned_where_one_is_configured(runs, tmp_path):
    """Whatever lies in it, or in the folder of archives."""
    mirrored = runs_of(mirror=str(tmp_path))
    for name in ("dblp_titles", "wiki"):
        assert not runs.is_planned(name)
        assert name in runs.unavailable()
        assert mirrored.is_planned(name)
        assert name not in mirrored.unavailable()
    assert runs.is_planned("mr") and runs.is_planned("r8")
    assert not any(view.startswith("dblp_titles") for view in runs.curve_views("unlabelled"))
    assert any(view.startswith("dblp_titles") for view in mirrored.curve_views("unlabelled"))


def test_a_table_may_name_its_methods():
    table = {"corpora": ["mr"], "caption": "Two", "methods": ["bow", "line_ww"]}
    runs = runs_of(tables={"two": table})
    methods = [Path(file).parts[3] for file in runs.of_table("two")]
    assert list(dict.fromkeys(methods)) == ["bow", "line_ww"]
    others = [Path(file).parts[3] for file in runs.of_table("short")]
    assert list(dict.fromkeys(others)) == list(runs.study.config.methods)


@pytest.mark.parametrize(("named", "protocol"), [({}, "paper"), ({"protocol": "chosen"}, "chosen")])
def test_a_curve_is_by_one_protocol_but_methods_that_predict_have_one_run(named, protocol):
    shown = {"caption": "x", "along": "labelled", "methods": ["bow", "pte_joint", "nb_em"]}
    runs = runs_of(curves={"one": {**shown, **named, "corpora": {"mr": {"labelled": [10]}}}})
    protocols = {(path.parts[3], path.parts[4]) for path in map(Path, runs.of_curve("one"))}
    assert protocols == {("bow", protocol), ("pte_joint", protocol), ("nb_em", "paper")}


def test_claims_look_at_each_table_once(monkeypatch):
    """Each start of Snakemake names what all claims are judged on."""
    runs, asked, of_table = runs_of(), [], Runs.of_table

    def noted(self, table):
        asked.append(table)
        return of_table(self, table)

    monkeypatch.setattr(Runs, "of_table", noted)
    Claimed.by(runs).inputs()
    assert len(asked) == len(set(asked))


def test_one_claim_needs_its_own_scores_alone(runs):
    name, claim = next(iter(runs.study.registries.claims.items()))
    alone, all_claims = Claimed.by(runs, [name]), Claimed.by(runs)
    methods = {Path(each).parts[3] for each in alone.names()}
    assert methods == {*claim.left, *claim.right}
    assert set(alone.names()) < set(all_claims.names())
    assert alone.inputs()["runs"][:2] == [f"{alone.names()[0]}.{kind}" for kind in ("json", "npy")]


def test_a_claim_needs_the_scores_by_its_protocols_alone(runs):
    claim = replace(runs.study.registries.claims["joint_above_bow_on_long"], corpora=("r8",))

    def protocols(**given):
        scores = Claimed(runs, [replace(claim, **given)]).scores()
        return {Path(name).parts[4] for name in scores}

    assert protocols(protocols=("paper",)) == {"paper"}
    assert protocols(protocols=("chosen",)) == {"chosen"}
    assert protocols() == {"paper", "chosen"}


def test_several_figures_of_few_labels_have_titles_of_their_own():
    shown = {"along": "labelled", "protocol": "chosen", "methods": ["bow"]}
    more = {"caption": "More", **shown, "corpora": {"mr": {"labelled": [10, 100]}}}
    (alone,) = FEW_LABELS.made(runs_of())
    assert "of" not in FEW_LABELS.told(runs_of(), alone)
    runs = runs_of(curves={"more": more})
    assert {FEW_LABELS.told(runs, name)["of"] for name in FEW_LABELS.made(runs)} > {"More"}


def test_published_runs_are_found_in_their_files():
    made = runs_of()
    name, other = (made.of_table("short")[i] for i in (0, -1))
    runs = Runs(made.study, {name: paths.PUBLISHED_RUN.format(corpus="mr")})
    assert runs.had([other, name]) == [name]
    assert runs.files([name, other]) == runs.places(["mr"]) == ["results/published/runs/mr.npz"]
    assert runs.is_planned("mr") and not runs.is_planned("dblp")
    assert (runs.maps, runs.pictures, runs.curves) == ([], [], [])
    assert "table long" in lacking(runs) and lacking(made).startswith(
        "left out unless named: rcv1_"
    )


def test_rows_without_a_published_run_are_left_out(runs):
    file = paths.PUBLISHED_RUN.format(corpus="mr")
    published = Runs(runs.study, dict.fromkeys(runs.of_row("short", "bow"), file))
    assert [row.name for row in published.rows_of_table("short")] == ["bow"]
    assert [row.name for row in published.rows_of_curve("labelled")] == ["bow"]
    assert [row.name for row in runs.rows_of_table("short")] == list(runs.study.methods_of("short"))


def test_seconds_are_shown_where_two_methods_train(runs):
    shown = {
        Path(file).stem for item in page_items(runs, "times") for file in item["files"].values()
    }
    kept = {name for part in published_parts(runs).values() for name in (f.kept for f in part)}
    for table in runs.published:
        compares = table != "imdb_splits"  # its other method is the bag of words
        assert (table in shown) == (f"times-{table}.svg" in kept) == compares, table
