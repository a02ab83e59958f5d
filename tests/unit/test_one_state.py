"""The runs of version 1.0 are of one state of the code, which a commit of the history has."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from pte_study.plan.fingerprint import state
from pte_study.store.reading import packed
from pte_study.store.stored_runs import read_store

ROOT = Path(__file__).parents[2]
RUNS = ROOT / "results" / "published" / "runs"


def git(*arguments):
    asked = ["git", "-C", ROOT, *arguments]
    return subprocess.run(asked, capture_output=True, text=True, check=False)


def is_whole():
    """Whether this is a clone with the whole history."""
    asked = ("rev-parse", "--is-shallow-repository")
    return shutil.which("git") is not None and git(*asked).stdout.strip() == "false"


@pytest.fixture(scope="module")
def made():
    """How each run was made."""
    stores = [read_store(path) for path in packed(RUNS).values()]
    return {run.name: run.made for store in stores for run in store.runs}


def commits_and_states(made):
    """The commits and the states that runs name, each with a run that names it."""
    commits, states = {}, {}
    for name, each in made.items():
        commits[each["machine"]["commit"]] = name
        for cost in filter(None, (each["cost"], each.get("fit_cost"))):
            states[cost["state"]] = name
    return commits, states


def test_all_runs_name_one_clean_commit_and_one_state(made):
    commits, states = commits_and_states(made)
    assert len(commits) == len(states) == 1, (commits, states)
    assert re.fullmatch("[0-9a-f]{40}", *commits)
    assert re.fullmatch("[0-9a-f]{16}", *states)


@pytest.mark.skipif(not is_whole(), reason="it needs git, and a clone with the whole history")
def test_the_commit_is_in_the_history_and_has_the_state(made):
    ((commit,), (found,)) = commits_and_states(made)
    assert git("merge-base", "--is-ancestor", commit, "HEAD").returncode == 0
    assert state(ROOT, commit) == found
