"""The state of the code, which published runs name."""

import os
import subprocess

import pytest
from made import NEEDS_GIT

from pte_study.plan.fingerprint import CHANGED, UNKNOWN, state

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
