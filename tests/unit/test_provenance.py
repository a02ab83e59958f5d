"""Where numbers come from: what was run, where, and what it took."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from made import NEEDS_GIT

from pte.files import read_json, write_json
from pte.machine import commit
from pte_study.configuration.config import CHOSEN, PAPER
from pte_study.report.provenance import hours, provenance, searches
from pte_study.report.publish import study_here
from pte_study.store.stored_runs import Store, StoredRun, write_store

ROOT = Path(__file__).parents[2]
WHOLE = "Fits, scores and the sensitivity experiment"


def cost(folder, made, seconds, processor, memory):
    """The file that says what a job took."""
    path = folder / "results" / "costs" / f"{made}.json"
    took = {"seconds": seconds, "processor_seconds": processor, "memory_mb": memory}
    write_json(path, took)
    return path


@pytest.fixture
def run(tmp_path):
    """The record of an encoded corpus, and what fits took."""
    corpus = tmp_path / "corpora" / "c"
    corpus.mkdir(parents=True)
    record = {
        "archive": {"file": "c.zip", "sha256": "a" * 64},
        "documents_sha256": "b" * 64,
        "counts": {"documents": 1234, "vocabulary": 99, "tokens": 2_500_000},
    }
    write_json(corpus / "corpus.json", record)
    costs = [
        cost(tmp_path, f"representations/c/{method}/paper/seed{n}", s + 0.4, 2 * s + 0.4, 100 * s)
        for method, seconds in {"late": [5], "early": [10, 30, 20]}.items()
        for n, s in enumerate(seconds, 1)
    ]
    return corpus, costs


def test_runs_tell_the_median_of_seconds_and_the_most_memory(run, tmp_path):
    labels = {"early": "Early", "late": "Late"}
    score = cost(tmp_path, "scores/c/early/paper/seed1", 7, 7, 9000)
    cells = provenance(tmp_path, [], [*run[1], score], labels)[1]["Runs"]
    assert cells["method"].tolist() == ["Early", "Late"]
    assert cells["seeds"].tolist() == ["3", "1"]
    assert cells["seconds"].tolist() == ["20", "5.4"]
    assert cells["MB"].tolist() == ["3,000", "500"]
    assert cells["of processor"].tolist() == ["40", "10"]


@pytest.mark.parametrize(("seconds", "said"), [(90, "1.5 minutes"), (9000, "2.5 hours")])
def test_hours_are_those_of_all_jobs(tmp_path, seconds, said):
    """Those of a short run are told in minutes."""
    costs = [cost(tmp_path, f"scores/c/m/paper/seed{i}", 1, seconds / 2, 1) for i in (1, 2)]
    assert provenance(tmp_path, [], costs, {})[0].startswith(f"{WHOLE} took {said} of")


def test_corpora_tell_all_archives_that_they_were_read_from(run, tmp_path):
    record = run[0] / "corpus.json"
    topics = {"file": "topics.gz", "sha256": "d" * 64, "official": True}
    write_json(record, {**read_json(record), "topics": topics})
    row = provenance(tmp_path, [run[0]], [], {})[1]["Texts"].iloc[0]
    assert row["archive"] == "c.zip, topics.gz"
    assert row["sha256 of the archive"] == f"{'a' * 16}, {'d' * 16}"


@NEEDS_GIT
def test_an_installed_package_does_not_have_the_commit_of_the_repository_around_it(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    who = ["-c", "user.name=me", "-c", "user.email=me@example.org"]
    for asked in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "mine"]):
        subprocess.run(["git", *asked], cwd=tmp_path, check=True)
    (installed := tmp_path / "site-packages").mkdir()
    (installed / "module.py").write_text("")
    assert len(commit(tmp_path)) == 40
    assert commit(installed) == "unknown"


def test_published_runs_tell_where_they_come_from(tmp_path):
    """A fit of two scores is one job; what differs between machines is listed."""
    corpus = {
        "archive": {"file": "c.zip", "sha256": "a" * 64},
        "documents_sha256": "b" * 64,
        "counts": {"documents": 1, "vocabulary": 9, "tokens": 9},
    }
    took = {"seconds": 5.0, "processor_seconds": 1800.0, "memory_mb": 7.0}
    fit = {"fit": "results/representations/c/m/paper/seed1", "fit_cost": took}
    runs = [
        StoredRun(
            f"results/scores/c/m/{protocol}/seed1",
            {},
            {**fit, "cost": took, "machine": {"commit": letter * 40, "cores": "2"}},
            np.ones((1, 3), np.bool_),
        )
        for protocol, letter in (("paper", "a"), ("chosen", "b"))
    ]
    write_store(Store(corpus, tuple(runs)), tmp_path / "c.npz")
    said, tables = provenance(tmp_path, [tmp_path / "c.npz"], [], {"m": "M"})
    assert said.startswith(f"{WHOLE} took 1.5 hours")
    assert tables["Code and machine"]["which"].tolist() == ["aaaaaaaaaa, bbbbbbbbbb", "2"]
    assert tables["Texts"]["corpus"].tolist() == ["c"]
    assert tables["Work"]["number"].tolist() == ["1", "2"]
    assert tables["Runs"]["seeds"].tolist() == ["1"]


def test_work_has_hours_of_every_kind_of_job(tmp_path):
    """Also of what methods share, which no row of runs and no sum of hours has."""
    made = {
        "corpora/c": 1,
        "networks/c/given/ww": 2,
        "networks/c-labelled1-seed1/given/ww": 4,
        "neighbours/c": 3,
        "choices/c/m": 5,
        "representations/c/m/paper/seed1": 6,
        "scores/c/m/paper/seed1": 7,
        "sensitivity/runs/c/dim/25/seed1": 8,
        "claims/timed/c/m/seed1": 2,
        "claims/neighbours/c/m/seed1": 1,
        "claims/training_neighbours/c/m/seed1": 4,
        "maps/c/m/seed1": 9,
    }
    costs = [cost(tmp_path, name, 1, 3600 * n, 10 * n) for name, n in made.items()]
    said, tables = provenance(tmp_path, [], costs, {"m": "M"})
    assert said.startswith(f"{WHOLE} took 21.0 hours")
    work = tables["Work"]
    assert work["hours of the processor"].map(float).tolist() == [1, 6, 3, 5, 6, 7, 8, 2, 1, 4, 9]
    assert work["number"].tolist() == ["1", "2", *["1"] * 9]
    assert work["MB"].map(int).tolist() == [10, 40, 30, 50, 60, 70, 80, 20, 10, 40, 90]
    assert work["jobs that"].is_unique


def test_the_peak_of_a_process_is_its_own_and_not_that_of_what_started_it():
    child = "from pte.machine import peak_memory; print(peak_memory())"
    parent = (
        "import subprocess, sys; held = b'x' * 200_000_000\n"
        f"subprocess.run([sys.executable, '-c', {child!r}], check=True)"
    )
    run = subprocess.run([sys.executable, "-c", parent], capture_output=True, text=True, check=True)
    assert 1e6 < int(run.stdout) < 100e6


def test_a_fit_counts_once_and_a_score_each_time(tmp_path):
    def took(processor):
        return {"seconds": 1.0, "memory_mb": 1.0, "processor_seconds": processor}

    def run(name, **made):
        return StoredRun(f"results/scores/{name}", {}, made, np.ones((1, 3), np.bool_))

    def fit(corpus, processor):
        name = f"results/representations/{corpus}/x/paper/seed1"
        return {"fit": name, "fit_cost": took(processor)}

    of_a = fit("a", 3600.0) | {"cost": took(900.0)}
    stores = {
        "a": (run("a/x/paper/seed1", **of_a), run("a/x/chosen/seed1", **of_a)),
        "b": (run("b/x/paper/seed1", **fit("b", 1800.0)), run("b/y/paper/seed1")),
    }
    for name, runs in stores.items():
        write_store(Store({"documents_sha256": "a" * 64}, runs), tmp_path / f"{name}.npz")
    searched = pd.DataFrame({"corpus": ["b", "b"], "processor_seconds": [1800.0, 3600.0]})
    found = hours(sorted(tmp_path.glob("*.npz")), searched)
    assert found.to_dict("list") == {
        "corpus": ["a", "b", "all"],
        "runs": [2, 2, 4],
        "fits": [1, 1, 2],
        "processor_hours": [1.5, 0.5, 2.0],
        "searches": [0, 2, 2],
        "search_hours": [0.0, 1.5, 1.5],
        "two_core_hours": [0.75, 1.0, 1.75],
    }


OF_JOINT = ["results/choices/mr/pte_joint.json"]
HIDDEN = ["results/representations/mr-hidden-seed{0}/pte_joint/chosen/seed{0}"]


@pytest.fixture(scope="module")
def study():
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        return study_here()


@pytest.mark.parametrize(
    ("method", "protocol", "made"),
    [
        ("pte_joint", PAPER, []),
        ("pte_joint", CHOSEN, [*OF_JOINT, *HIDDEN, "results/classifiers/mr/pte_joint/chosen.json"]),
        (
            "pte_joint_bow",
            CHOSEN,
            [*OF_JOINT, *HIDDEN, "results/classifiers/mr/pte_joint_bow/chosen.json"],
        ),
        ("bow", CHOSEN, ["results/classifiers/mr/bow/chosen.json"]),
        ("pte_auto", PAPER, []),
        ("pte_auto", CHOSEN, []),
        ("cnn_pretrain", CHOSEN, []),
        ("pte_joint_shuffled", CHOSEN, []),
    ],
)
def test_the_searches_of_a_method_are_those_that_its_scores_need(study, method, protocol, made):
    seed = study.config.seeds[0]
    made = [name.format(seed) for name in made]
    assert study.searched_for("mr", method, protocol) == made


def test_searches_of_here_replace_published_ones(study, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    published = Path("searches.csv")
    few = f"mr-labelled10-seed{study.config.seeds[0]}"
    assert searches(study, published).empty
    cost(tmp_path, "choices/mr/pte_joint", 6.0, 3.0, 9.0)
    of_few = cost(tmp_path, f"choices/{few}/pte_joint", 8.0, 4.0, 9.0)
    first = searches(study, published)
    assert first["made"].tolist() == [f"choices/{few}/pte_joint", "choices/mr/pte_joint"]
    assert first["corpus"].tolist() == ["mr", "mr"]
    first.to_csv(published, index=False)
    of_few.unlink()
    cost(tmp_path, "choices/mr/pte_joint", 10.0, 5.0, 9.0)
    others = "mr,choices/mr/pte_auto,1,1,1\nother,choices/other/pte_joint,1.0,2.0,3.0\n"
    published.write_text(published.read_text() + others)
    both = searches(study, published)
    assert both["made"].tolist()[:2] == first["made"].tolist()
    assert both["made"].tolist()[2:] == ["choices/other/pte_joint"]
    both = both[both["corpus"] == "mr"]
    assert both["processor_seconds"].tolist() == [4.0, 5.0]
    assert both["seconds"].tolist() == [8.0, 10.0]
