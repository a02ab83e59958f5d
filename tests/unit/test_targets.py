"""Which files pages and tables are made of, from the project's own configuration."""

from dataclasses import replace
from pathlib import Path

import pytest
from made import configured

from pte_study import paths
from pte_study.plan.study import PAGES, Study

ROOT = Path(__file__).parents[2]


def study_of(mirror="", **changes):
    values = configured()
    for key, change in changes.items():
        values[key] |= change
    return Study.load(values, ROOT / "workflow", mirror)


@pytest.fixture(scope="module")
def study():
    return study_of()


def test_the_page_of_provenance_comes_after_all_others(study):
    shown = study.page_inputs("provenance")["shown"]
    others = [study.page_inputs(page)["shown"] for page in PAGES if page != "provenance"]
    assert {*shown} == {file for each in others for file in each}
    assert len({*shown}) == len(shown)
    for made in ("maps/20ng.csv", "sensitivity/dim.csv", "claims/claims.csv"):
        assert f"results/{made}" in shown


def test_a_corpus_that_only_mirrors_have_is_planned_where_one_is_configured(study, tmp_path):
    """Whatever lies in it, or in the folder of archives."""
    mirrored = study_of(mirror=str(tmp_path))
    for name in ("dblp_titles", "wiki"):
        assert not study.is_planned(name)
        assert name in study.unavailable()
        assert mirrored.is_planned(name)
        assert name not in mirrored.unavailable()
    assert study.is_planned("mr") and study.is_planned("r8")
    assert not any(view.startswith("dblp_titles") for view in study.curve_views("unlabelled"))
    assert any(view.startswith("dblp_titles") for view in mirrored.curve_views("unlabelled"))


def test_a_table_may_name_its_methods():
    table = {"corpora": ["mr"], "caption": "Two", "methods": ["bow", "line_ww"]}
    study = study_of(tables={"two": table})
    methods = [Path(file).parts[3] for file in study.of_table("two")]
    assert list(dict.fromkeys(methods)) == ["bow", "line_ww"]
    others = [Path(file).parts[3] for file in study.of_table("short")]
    assert list(dict.fromkeys(others)) == list(study.config.methods)


@pytest.mark.parametrize(("named", "protocol"), [({}, "paper"), ({"protocol": "chosen"}, "chosen")])
def test_a_curve_is_by_one_protocol_but_methods_that_predict_have_one_run(named, protocol):
    shown = {"caption": "x", "along": "labelled", "methods": ["bow", "pte_joint", "nb_em"]}
    study = study_of(curves={"one": {**shown, **named, "corpora": {"mr": {"labelled": [10]}}}})
    protocols = {(path.parts[3], path.parts[4]) for path in map(Path, study.of_curve("one"))}
    assert protocols == {("bow", protocol), ("pte_joint", protocol), ("nb_em", "paper")}


def test_one_claim_needs_its_own_scores_alone(study):
    claim = study.claims()[0]
    alone = study.of_claims([claim])
    methods = {Path(each).parts[3] for each in alone}
    assert methods == {*claim.left, *claim.right}
    assert set(alone) < set(study.of_claims(study.claims()))
    files = study.claim_inputs([claim])["runs"]
    assert files[:2] == [f"{alone[0]}.{kind}" for kind in ("json", "npy")]


def test_a_claim_needs_the_scores_by_its_protocols_alone(study):
    claim = replace(study.registries.claims["joint_above_bow_on_long"], corpora=("r8",))

    def protocols(**given):
        scores = study.claim_scores([replace(claim, **given)])
        return {Path(name).parts[4] for name in scores}

    assert protocols(protocols=("paper",)) == {"paper"}
    assert protocols(protocols=("chosen",)) == {"chosen"}
    assert protocols() == {"paper", "chosen"}


def test_published_runs_are_found_in_their_files():
    made = study_of()
    name, other = (made.of_table("short")[i] for i in (0, -1))
    study = replace(made, held={name: paths.PUBLISHED_RUN.format(corpus="mr")})
    assert study.had([other, name]) == [name]
    assert study.files([name, other]) == study.places(["mr"]) == ["results/published/runs/mr.npz"]
    assert study.is_planned("mr") and not study.is_planned("dblp")
    assert (study.maps, study.pictures, study.curves) == ([], [], [])
    assert "dblp_titles" in made.unavailable() and "dblp_titles" not in study.unavailable()
    assert "table long" in study.left_out() and made.left_out().startswith(
        "left out unless named: rcv1_"
    )


def test_rows_without_a_published_run_are_left_out(study):
    file = paths.PUBLISHED_RUN.format(corpus="mr")
    published = replace(study, held=dict.fromkeys(study.of_row("short", "bow"), file))
    assert [row.name for row in published.rows_of_table("short")] == ["bow"]
    assert [row.name for row in published.rows_of_curve("labelled")] == ["bow"]
    assert [row.name for row in study.rows_of_table("short")] == list(study.methods_of("short"))
