"""Paths that a user names keep what they are: a link, a mode, a FIFO."""

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from pte.errors import PteError
from pte.files import check_output, output_file
from pte.keyed_vectors import KeyedVectors


def write(path, text):
    with output_file(path) as temporary:
        temporary.write_text(text)


def test_a_link_stays_and_its_target_is_replaced(tmp_path):
    target, link = tmp_path / "there" / "a.txt", tmp_path / "link.txt"
    target.parent.mkdir()
    link.symlink_to(target)
    for text in ("new", "newer"):  # at first, the link leads nowhere
        write(link, text)
        assert link.is_symlink() and target.read_text() == text
    assert list(target.parent.iterdir()) == [target]


def test_what_stands_in_standard_output_stays(tmp_path):
    """Standard output is a file here, to which others write before and after."""
    lines = """
from pathlib import Path
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


def test_the_name_that_a_user_gives_says_how_a_file_is_compressed(tmp_path):
    (tmp_path / "link.gz").symlink_to(tmp_path / "store.dat")
    with output_file(tmp_path / "link.gz") as temporary:
        assert temporary.suffix == ".gz"
        temporary.write_text("")
    assert (tmp_path / "store.dat").exists()


@pytest.mark.parametrize("mode", [0o600, 0o664])
def test_a_file_keeps_its_mode(tmp_path, mode):
    path = tmp_path / "a.txt"
    path.write_text("old")
    path.chmod(mode)
    write(path, "new")
    assert path.read_text() == "new" and stat.S_IMODE(path.stat().st_mode) == mode


def test_nobody_else_can_read_a_file_for_an_instant(tmp_path, monkeypatch):
    path, modes = tmp_path / "a.txt", []
    path.write_text("old")
    path.chmod(0o600)

    def replace(self, target, moved=Path.replace):
        moved(self, target)
        modes.append(stat.S_IMODE(target.stat().st_mode))

    monkeypatch.setattr(Path, "replace", replace)
    write(path, "new")
    assert modes == [0o600]


def test_a_fifo_is_written_to(tmp_path):
    path, found = tmp_path / "fifo.bin", []
    os.mkfifo(path)
    reader = threading.Thread(target=lambda: found.append(path.read_bytes()))
    reader.start()
    KeyedVectors(("a",), np.ones((1, 2), np.float32)).to_word2vec(path)
    reader.join(10)
    assert found == [b"1 2\na 1 1\n"]
    assert stat.S_ISFIFO(path.stat().st_mode) and list(tmp_path.iterdir()) == [path]


def test_a_failure_leaves_what_was_there(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    with pytest.raises(ValueError), output_file(path) as temporary:
        temporary.write_text("half")
        raise ValueError
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


def test_a_new_file_has_the_mode_that_the_user_wants(tmp_path):
    before = os.umask(0o027)
    try:
        write(tmp_path / "a.txt", "new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a.txt").stat().st_mode) == 0o640


def test_all_names_of_a_file_get_its_new_content(tmp_path):
    (tmp_path / "a.txt").write_text("old")
    os.link(tmp_path / "a.txt", tmp_path / "b.txt")
    write(tmp_path / "b.txt", "new")
    assert (tmp_path / "a.txt").read_text() == "new"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_a_file_keeps_its_owner(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    os.chown(path, 12, 34)
    path.chmod(0o660)
    write(path, "new")
    state = path.stat()
    assert (state.st_uid, state.st_gid, stat.S_IMODE(state.st_mode)) == (12, 34, 0o660)


@pytest.mark.parametrize("name", ["x" * 250, "я" * 120, f"a.{'x' * 240}"])
def test_a_long_name_is_written(tmp_path, name):
    for text in ("new", "newer"):
        write(tmp_path / name, text)
        assert (tmp_path / name).read_text() == text
    assert len(list(tmp_path.iterdir())) == 1


def test_what_cannot_be_written_is_refused_at_once(tmp_path, monkeypatch):
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    for path, said in ((loop, "leads to itself"), (tmp_path / ("x" * 300), "too long")):
        with pytest.raises(PteError, match=said):
            check_output(path)
    check_output(tmp_path / "a.txt")
    (tmp_path / "old").touch()
    with pytest.raises(PteError, match="this is a folder; name a file"):
        check_output(tmp_path)
    with pytest.raises(PteError, match="/proc: nothing can be written there"):
        check_output(Path("/proc/new"))
    monkeypatch.setattr(os, "access", lambda path, how: False)  # root may write everything
    with pytest.raises(PteError, match="it may not be written"):
        check_output(tmp_path / "old")


def test_no_folder_is_made(tmp_path):
    with pytest.raises(PteError, match="nowhere: no such folder; make it first"):
        write(tmp_path / "nowhere" / "a.txt", "text")
    assert list(tmp_path.iterdir()) == []
