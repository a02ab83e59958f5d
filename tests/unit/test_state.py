"""The state of the code, which published runs name."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from made import NEEDS_GIT

from pte_study.plan.fingerprint import CHANGED, UNKNOWN, state
from pte_study.store.stored_runs import packed, read_store

ROOT = Path(__file__).parents[2]
RUNS = ROOT / "results" / "published" / "runs"

pytestmark = NEEDS_GIT


def git(checkout, *arguments):
    named = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    subprocess.run(["git", "-C", checkout, *named, *arguments], check=True, capture_output=True)


@pytest.fixture
def checkout(tmp_path):
    (tmp_path / "src").mkdir()
    for name in ("src/a.py", "config.yaml", "README.md"):
        (tmp_path / name).write_text("1\n")
    git(tmp_path, "init")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-m", "first")
    return tmp_path


def test_only_what_computes_makes_another_state(checkout):
    first = state(checkout)
    assert len(first) == 16
    (checkout / "README.md").write_text("2\n")
    assert state(checkout) == first
    git(checkout, "commit", "-am", "documents")
    assert state(checkout) == first
    (checkout / "src" / "a.py").write_text("2\n")
    git(checkout, "commit", "-am", "code")
    assert state(checkout) not in (first, CHANGED)
    assert state(checkout, "HEAD~1") == first


@pytest.mark.parametrize("name", ["src/a.py", "config.yaml", "src/new.py"])
def test_a_file_that_differs_or_is_new_has_no_state(checkout, name):
    (checkout / name).write_text("2\n")
    assert state(checkout) == CHANGED


def test_a_folder_without_history_has_no_state(tmp_path):
    assert state(tmp_path) == UNKNOWN
    git(tmp_path, "init")
    assert state(tmp_path) == UNKNOWN


def test_a_commit_that_is_not_there_has_no_state(checkout):
    assert state(checkout, "0" * 40) == UNKNOWN


def test_a_look_at_the_state_leaves_the_index_of_git_alone(checkout):
    index = checkout / ".git" / "index"
    os.utime(checkout / "src" / "a.py", (1, 1))
    before = index.read_bytes()
    assert state(checkout) not in (CHANGED, UNKNOWN)
    assert index.read_bytes() == before


def ask(*arguments):
    asked = ["git", "-C", ROOT, *arguments]
    return subprocess.run(asked, capture_output=True, text=True, check=False)


def is_whole():
    """Whether this is a clone with the whole history."""
    asked = ("rev-parse", "--is-shallow-repository")
    return shutil.which("git") is not None and ask(*asked).stdout.strip() == "false"


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
    assert ask("merge-base", "--is-ancestor", commit, "HEAD").returncode == 0
    assert state(ROOT, commit) == found
