"""Where numbers come from: what was run, where, and what it took."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from made import NEEDS_GIT

from pte.files import read_json, write_json
from pte.machine import commit
from pte_study.report.origins import provenance
from pte_study.store import Store, StoredRun, write_store

ROOT = Path(__file__).parents[2]
WHOLE = "Fits, scores and the sensitivity experiment"


def cost(folder, made, seconds, processor, memory):
    """The file that says what a job took."""
    path = folder / "results" / "costs" / f"{made}.json"
    took = {"seconds": seconds, "processor_seconds": processor, "memory_mb": memory}
    write_json(path, took)
    return path


@pytest.fixture
def corpus(tmp_path):
    """The record of an encoded corpus."""
    corpus = tmp_path / "corpora" / "c"
    corpus.mkdir(parents=True)
    record = {
        "archive": {"file": "c.zip", "sha256": "a" * 64},
        "documents_sha256": "b" * 64,
        "counts": {"documents": 1234, "vocabulary": 99, "tokens": 2_500_000},
    }
    write_json(corpus / "corpus.json", record)
    return corpus


@pytest.mark.parametrize(("seconds", "said"), [(90, "1.5 minutes"), (9000, "2.5 hours")])
def test_hours_are_those_of_all_jobs(tmp_path, seconds, said):
    """Those of a short run are told in minutes."""
    costs = [cost(tmp_path, f"scores/c/m/paper/seed{i}", 1, seconds / 2, 1) for i in (1, 2)]
    assert provenance(tmp_path, [], costs)[0].startswith(f"{WHOLE} took {said} of")


def test_corpora_tell_all_archives_that_they_were_read_from(corpus, tmp_path):
    record = corpus / "corpus.json"
    topics = {"file": "topics.gz", "sha256": "d" * 64, "official": True}
    write_json(record, {**read_json(record), "topics": topics})
    row = provenance(tmp_path, [corpus], [])[1]["Texts"].iloc[0]
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
    said, tables = provenance(tmp_path, [tmp_path / "c.npz"], [])
    assert said.startswith(f"{WHOLE} took 1.5 hours")
    assert tables["Code and machine"]["which"].tolist() == ["aaaaaaaaaa, bbbbbbbbbb", "2"]
    assert tables["Texts"]["corpus"].tolist() == ["c"]
    assert tables["Work"]["number"].tolist() == ["1", "2"]


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
    said, tables = provenance(tmp_path, [], costs)
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


def test_all_published_runs_name_one_commit():
    told = (ROOT / "results" / "published" / "provenance.md").read_text("utf-8")
    assert re.search(r"\| commit \| [0-9a-f]{10} \|\n", told)
