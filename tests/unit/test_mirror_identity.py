"""What a mirror holds, as planning sees it."""

from pathlib import Path

import pytest

from pte_study.fetching import mirror

SHA, OTHER = "a" * 64, "b" * 64


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "mirror"
    made.mkdir()
    (made / "x.gz").write_bytes(b"four")
    (made / "SHA256SUMS").write_text(f"{SHA} *x.gz\n")
    return made


@pytest.fixture
def archive(tmp_path):
    made = tmp_path / "archives" / "x.gz"
    made.parent.mkdir()
    made.write_bytes(b"four")
    return made


def test_a_listed_file_is_its_size_and_hash(folder, archive):
    assert mirror.identity(archive, folder) == {"size": 4, "sha256": SHA}
    (folder / "x.gz").touch()
    assert mirror.identity(archive, folder) == {"size": 4, "sha256": SHA}
    (folder / "x.gz").write_bytes(b"longer")
    assert mirror.identity(archive, folder) == {"size": 6, "sha256": SHA}


@pytest.mark.parametrize("sums", ["", f"{SHA}  y.gz\n", None])
def test_another_file_is_its_size_and_time(folder, archive, sums):
    (folder / "SHA256SUMS").write_text(sums) if sums else (folder / "SHA256SUMS").unlink()
    time = (folder / "x.gz").stat().st_mtime_ns
    assert mirror.identity(archive, folder) == {"size": 4, "time": time}


def test_without_a_mirror_it_is_what_was_fetched_last(folder, archive, tmp_path):
    assert mirror.identity(archive, None) is None
    mirror.note(archive, {"size": 4, "sha256": SHA}, SHA)
    for absent in (None, tmp_path / "nowhere", tmp_path):
        assert mirror.identity(archive, absent) == {"size": 4, "sha256": SHA}


def test_a_mirror_with_the_file_that_was_downloaded_changes_nothing(folder, archive):
    mirror.note(archive, None, SHA)
    assert mirror.identity(archive, folder) is None
    (folder / "SHA256SUMS").write_text(f"{OTHER}  x.gz\n")
    assert mirror.identity(archive, folder) == {"size": 4, "sha256": OTHER}


def test_a_mirror_that_cannot_be_looked_into_stops_no_planning(folder, archive, monkeypatch):
    mirror.note(archive, None, SHA)

    def refuse(self, **_):
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "is_file", refuse)
    assert not mirror.has(folder, "x.gz")
    assert mirror.seen(folder, "x.gz") is None


@pytest.mark.parametrize("broken", [b"{", b"[]", b"{}", b"\xff"])
def test_a_broken_note_is_none(folder, archive, broken):
    archive.with_name(".x.gz.json").write_bytes(broken)
    assert mirror.identity(archive, folder) == {"size": 4, "sha256": SHA}


def test_a_list_may_name_the_files_of_its_folder(folder):
    (folder / "SHA256SUMS").write_text(f"{SHA}  ./x.gz\n{OTHER} *./y.gz\n")
    assert mirror.listed_hashes(folder) == {"x.gz": SHA, "y.gz": OTHER}
