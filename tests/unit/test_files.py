import hashlib
import stat

import pytest

from pte.errors import PteError
from pte.files import atomic_directory, atomic_file, read_json, sha256_of, write_json


def test_a_file_appears_when_the_block_succeeds(tmp_path):
    path = tmp_path / "new" / "folder" / "a.txt"
    with atomic_file(path) as temporary:
        temporary.write_text("all of it")
        assert not path.exists()
        assert (temporary.parent, temporary.suffix) == (path.parent, ".txt")
    assert path.read_text() == "all of it"
    assert list(path.parent.iterdir()) == [path]
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


@pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt])
def test_a_failed_file_leaves_what_was_there(tmp_path, failure):
    (tmp_path / "a.txt").write_text("old")
    with pytest.raises(failure), atomic_file(tmp_path / "a.txt") as temporary:
        temporary.write_text("half")
        raise failure
    assert (tmp_path / "a.txt").read_text() == "old"
    assert list(tmp_path.iterdir()) == [tmp_path / "a.txt"]


def test_a_directory_replaces_the_old_one_whole(tmp_path):
    path = tmp_path / "new" / "folder"
    for name in ("first", "second"):
        with atomic_directory(path) as temporary:
            (temporary / name).write_text(name)
        assert [entry.name for entry in path.iterdir()] == [name]
    assert list(path.parent.iterdir()) == [path]
    assert stat.S_IMODE(path.stat().st_mode) == 0o755


@pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt])
def test_a_failed_directory_leaves_what_was_there(tmp_path, failure):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "old").touch()
    with pytest.raises(failure), atomic_directory(tmp_path / "folder") as temporary:
        (temporary / "half").touch()
        raise failure
    assert [entry.name for entry in (tmp_path / "folder").iterdir()] == ["old"]
    assert list(tmp_path.iterdir()) == [tmp_path / "folder"]


def test_json_comes_back_equal_and_readable(tmp_path):
    value = {"name": "Récht", "numbers": [1, 0.5, None]}
    write_json(tmp_path / "a.json", value)
    assert read_json(tmp_path / "a.json") == value
    assert "Récht" in (tmp_path / "a.json").read_text("utf-8")


def test_json_that_cannot_be_written_leaves_nothing(tmp_path):
    with pytest.raises(TypeError):
        write_json(tmp_path / "a.json", {"value": object()})
    assert not list(tmp_path.iterdir())


def test_a_missing_json_file_is_named(tmp_path):
    with pytest.raises(PteError, match=r"a\.json: no such file"):
        read_json(tmp_path / "a.json")


def test_a_broken_json_file_is_named(tmp_path):
    (tmp_path / "a.json").write_text('{"half":')
    with pytest.raises(PteError, match=r"a\.json: not valid JSON"):
        read_json(tmp_path / "a.json")


def test_sha256_is_that_of_the_bytes(tmp_path):
    (tmp_path / "a").write_bytes(b"\x00\xff" * 1000)
    assert sha256_of(tmp_path / "a") == hashlib.sha256(b"\x00\xff" * 1000).hexdigest()
