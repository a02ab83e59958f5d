"""Corpora of the paper in their official files: planned where the files are, and else named."""

from pathlib import Path

import pandas as pd
import pytest

from pte_study import paths
from pte_study.configuration.registry import read
from pte_study.plan.study import Study
from pte_study.report.summaries import reference_scores
from pte_study.store import corpus_of

ROOT = Path(__file__).parents[2]
RCV1 = ["rcv1_corporate", "rcv1_economics", "rcv1_government", "rcv1_market"]


@pytest.fixture
def study(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mirror").mkdir()
    return Study.load(read(ROOT / "config.yaml"), ROOT / "workflow", str(tmp_path / "mirror"))


def put(study, *corpora):
    for corpus in corpora:
        for name in study.registries.corpora[corpus].roles().values():
            (study.mirror / study.registries.archives[name].file).touch()


@pytest.mark.parametrize(("words", "is_said"), [("-n all", True), ("-n", True), ("-n mr", False)])
def test_who_asks_for_one_corpus_is_not_told_of_others(study, words, is_said, capsys):
    study.say_what_is_left_out(words.split())
    assert ("left out" in capsys.readouterr().err) == is_said


def test_without_the_files_one_line_names_them(study):
    assert study.left_out() == (
        "left out unless named: rcv1_corporate, rcv1_economics, rcv1_government, rcv1_market, "
        f"wiki_2010, twitter, whose files are not in the mirror {study.mirror}"
    )
    assert not any(name.startswith("official") for name in study.tables)
    assert "is in no mirror" in study.unavailable()["rcv1_corporate"]


def test_with_the_files_tables_and_claims_have_the_papers_corpora(study):
    put(study, *RCV1, "twitter")
    assert {"official_rcv1", "official_twitter"} < set(study.tables)
    assert "official_wiki" not in study.tables and "rcv1" not in study.left_out()
    assert {*RCV1, "twitter"} < set(map(corpus_of, study.of_claims(study.claims())))
    names = study.of_claims(study.claims(["joint_above_bow_on_long"]))
    run = {"corpus": RCV1[0], "method": "bow", "protocol": "paper"}
    assert paths.SCORES.format(**run, seed=study.config.seeds[0]) in names
    claim = study.registries.claims["joint_above_bow_on_long"]
    assert set(RCV1) < set(claim.corpora) and not {*RCV1} & {*claim.stand_in_for}


def test_a_file_that_was_fetched_is_there(study):
    put(study, *RCV1)
    archive = study.registries.archives["rcv1-topics"]
    (study.mirror / archive.file).unlink()
    assert study.lacking("rcv1_market") == [archive]
    Path(paths.archive(archive.file)).parent.mkdir(parents=True)
    Path(paths.archive(archive.file)).touch()
    assert study.lacking("rcv1_market") == []


def test_the_papers_scores_stand_beside_its_corpora_and_not_beside_stand_ins(study):
    registry = ROOT / "workflow" / "registry"
    files = (registry / "paper_results.csv", registry / "third_party_results.csv")
    found = reference_scores(*files, study.stand_ins, study.official_rows)
    pte = found[found["method"] == "pte_joint"].set_index("corpus")["micro_f1"]
    assert pte[RCV1].tolist() == [79.20, 87.05, 79.63, 96.19]
    assert (pte["wiki_2010"], pte["twitter"]) == (82.51, 75.21)
    assert "wiki" not in pte.index and not pd.isna(pte["20ng"])


def test_claims_on_mr_have_all_thirds_and_more_seeds_where_the_configuration_says_so(study):
    (study.mirror / "SHA256SUMS").touch()
    names = study.of_claims(study.claims(["pvdm_below_pvdbow_on_short"]))
    for corpus in ("mr", "mr_second", "mr_third"):
        run = {"corpus": corpus, "method": "pvdm", "protocol": "paper"}
        assert {paths.SCORES.format(**run, seed=seed) for seed in study.config.seeds} < set(names)
    curves = study.of_claims(study.claims(["joint_above_pretrained_cnn"]))
    assert not any("mr_second" in name for name in curves)
    part = {"method": "cnn_pretrain", "protocol": "paper"}
    last = study.config.seeds[0] + 8
    ends = [last, last + 1]
    few = [paths.SCORES.format(corpus=f"mr-labelled1-seed{s}", seed=s, **part) for s in ends]
    assert [name in curves for name in few] == [True, False]
    assert few[0] not in study.of_curve("labelled")


def test_every_declared_number_of_seeds_is_more_than_tables_have(study):
    sides = study.compared_pairs(study.claims())
    for part, many in study.config.more_seeds.items():
        for method, seeds in many.items():
            if ", " not in part:
                assert (part, method) in sides
            assert seeds > 3 and seeds != len(study.curve_seeds)
