"""Faults in what a user writes: one message each, naming the file and the key."""


def test_fault_is_one_message_with_file_and_key(scratch):
    """One of many: tests/unit/test_checks.py has all."""
    scratch.rewrite("config.yaml", lambda c: c.update(sedes=[1]))
    said = scratch.refused("--dry-run", "quickstart")
    message = "config.yaml: top level: unknown key 'sedes'; did you mean 'seeds'?"
    assert said.count("config.yaml: ") == 1 and message in said


def test_archive_that_is_nowhere(scratch):
    """What else a source may lack is tested in tests/unit/test_fetch.py."""
    (scratch.mirror / "tiny.tar.gz").unlink()
    said = scratch.refused("resources/corpora/tiny")
    assert "cannot fetch tiny.tar.gz; sources tried:" in said
    assert f"mirror {scratch.mirror}: has no file tiny.tar.gz" in said
    assert "put the file by hand at resources/archives/tiny.tar.gz" in said


def test_archive_put_in_place_by_hand(scratch):
    archive = scratch.folder / "resources" / "archives" / "tiny.tar.gz"
    archive.parent.mkdir(parents=True)
    (scratch.mirror / "tiny.tar.gz").rename(archive)
    assert "fetch" not in scratch.plan("resources/corpora/tiny")
