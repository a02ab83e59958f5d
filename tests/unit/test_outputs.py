"""Paths that a user names keep what they are: a link, a mode, a FIFO."""

import os
import stat
import threading

import numpy as np
import pytest

from pte.errors import PteError
from pte.keyed_vectors import KeyedVectors
from pte.outputs import output_file


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


@pytest.mark.parametrize("mode", [0o600, 0o664])
def test_a_file_keeps_its_mode(tmp_path, mode):
    path = tmp_path / "a.txt"
    path.write_text("old")
    path.chmod(mode)
    write(path, "new")
    assert path.read_text() == "new" and stat.S_IMODE(path.stat().st_mode) == mode


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


def test_no_folder_is_made(tmp_path):
    with pytest.raises(PteError, match="nowhere: no such folder; make it first"):
        write(tmp_path / "nowhere" / "a.txt", "text")
    assert list(tmp_path.iterdir()) == []
