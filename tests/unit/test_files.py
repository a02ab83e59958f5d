"""Files appear whole or not at all, and what a user names keeps its mode, links and kind."""

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from pte.errors import PteError
from pte.files import (
    atomic_directory,
    atomic_file,
    check_output,
    output_file,
    read_json,
    write_json,
)
from pte.keyed_vectors import KeyedVectors


def put(path, text, opened=output_file):
    with opened(path) as temporary:
        (temporary / "part" if temporary.is_dir() else temporary).write_text(text)


def mode_of(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_a_file_appears_when_the_block_succeeds(tmp_path):
    path = tmp_path / "new" / "folder" / "a.txt"
    with atomic_file(path) as temporary:
        temporary.write_text("all of it")
        assert not path.exists()
        assert (temporary.parent, temporary.suffix) == (path.parent, ".txt")
    assert path.read_text() == "all of it" and list(path.parent.iterdir()) == [path]
    assert mode_of(path) == 0o644


def test_a_directory_replaces_the_old_one_whole(tmp_path):
    path = tmp_path / "new" / "folder"
    for name in ("first", "second"):
        with atomic_directory(path) as temporary:
            (temporary / name).write_text(name)
        assert [entry.name for entry in path.iterdir()] == [name]
    assert list(path.parent.iterdir()) == [path] and mode_of(path) == 0o755


@pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt])
@pytest.mark.parametrize("opened", [atomic_file, atomic_directory, output_file])
def test_a_failure_leaves_what_was_there(tmp_path, opened, failure):
    path = tmp_path / "a.txt"
    put(path, "old", opened)
    with pytest.raises(failure), opened(path) as temporary:
        (temporary / "part" if temporary.is_dir() else temporary).write_text("half")
        raise failure
    assert (path / "part" if path.is_dir() else path).read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_json_comes_back_equal_and_readable(tmp_path):
    value = {"name": "Récht", "numbers": [1, 0.5, None]}
    write_json(tmp_path / "a.json", value)
    assert read_json(tmp_path / "a.json") == value
    assert "Récht" in (tmp_path / "a.json").read_text("utf-8")
    with pytest.raises(TypeError):
        write_json(tmp_path / "b.json", {"value": object()})
    (tmp_path / "c.json").write_text('{"half":')
    for name, said in (("b", r"b\.json: no such file"), ("c", r"c\.json: not valid JSON")):
        with pytest.raises(PteError, match=said):
            read_json(tmp_path / f"{name}.json")
    assert len(list(tmp_path.iterdir())) == 2


def test_a_link_stays_and_its_target_is_replaced(tmp_path):
    target, link = tmp_path / "there" / "a.dat", tmp_path / "link.gz"
    target.parent.mkdir()
    link.symlink_to(target)
    for text in ("new", "newer"):  # at first, the link leads nowhere
        with output_file(link) as temporary:
            assert temporary.suffix == ".gz"  # the user's name says how it is compressed
            temporary.write_text(text)
        assert link.is_symlink() and target.read_text() == text
    assert list(target.parent.iterdir()) == [target]


def test_what_stands_in_standard_output_stays(tmp_path):
    """Standard output is a file here, to which others write before and after."""
    lines = """
from pte.files import output_file

print("first")
with output_file("/dev/stdout") as temporary:
    temporary.write_text("made\\n")
print("last")
"""
    (tmp_path / "all.txt").write_text("earlier\n")
    with (tmp_path / "all.txt").open("a") as sink:
        subprocess.run([sys.executable, "-c", lines], stdout=sink, check=True)
    assert (tmp_path / "all.txt").read_text() == "earlier\nfirst\nmade\nlast\n"


def test_an_error_names_the_file_of_the_user(tmp_path):
    wrong = pytest.raises(PteError, match=f"^{tmp_path}/a.txt: it is wrong$")
    with wrong, output_file(tmp_path / "a.txt") as temporary:
        raise PteError(f"{temporary}: it is wrong")


@pytest.mark.parametrize("mode", [0o600, 0o664])
def test_a_file_keeps_its_mode_and_is_never_open_to_others(tmp_path, monkeypatch, mode):
    path, modes = tmp_path / "a.txt", []
    path.write_text("old")
    path.chmod(mode)

    def replace(self, target, moved=Path.replace):
        moved(self, target)
        modes.append(mode_of(target))

    monkeypatch.setattr(Path, "replace", replace)
    put(path, "new")
    assert path.read_text() == "new" and modes == [mode]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_a_file_keeps_its_owner(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    os.chown(path, 12, 34)
    path.chmod(0o660)
    put(path, "new")
    state = path.stat()
    assert (state.st_uid, state.st_gid, stat.S_IMODE(state.st_mode)) == (12, 34, 0o660)


def test_a_fifo_and_all_names_of_a_file_are_written_to(tmp_path):
    path, found = tmp_path / "fifo.bin", []
    os.mkfifo(path)
    reader = threading.Thread(target=lambda: found.append(path.read_bytes()))
    reader.start()
    KeyedVectors(("a",), np.ones((1, 2), np.float32)).to_word2vec(path)
    reader.join(10)
    assert found == [b"1 2\na 1 1\n"]
    assert stat.S_ISFIFO(path.stat().st_mode) and list(tmp_path.iterdir()) == [path]
    (tmp_path / "a.txt").write_text("old")
    os.link(tmp_path / "a.txt", tmp_path / "b.txt")
    put(tmp_path / "b.txt", "new")
    assert (tmp_path / "a.txt").read_text() == "new"


def test_what_cannot_be_written_is_refused_at_once(tmp_path, monkeypatch):
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    (tmp_path / "old").touch()
    for path, said in (
        (loop, "nothing can be written there"),
        (tmp_path / ("x" * 300), "too long"),
        (tmp_path, "this is a folder; name a file"),
        (Path("/proc/new"), "/proc/new: nothing can be written there"),
        (tmp_path / "nowhere" / "a.txt", "nowhere: no such folder; make it first"),
    ):
        with pytest.raises(PteError, match=said):
            check_output(path)
    check_output(tmp_path / "a.txt")
    monkeypatch.setattr(os, "access", lambda path, how: False)  # root may write everything
    with pytest.raises(PteError, match="it may not be written"):
        check_output(tmp_path / "old")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["loop", "old"]
