"""Faults in what a user writes: one message each, naming the file and the key."""

METHODS = "workflow/registry/methods.yaml"


def test_fault_is_one_message_with_file_and_key(scratch):
    """One of many: tests/unit/test_checks.py has all."""
    scratch.rewrite("config.yaml", lambda c: c.update(sedes=[1]))
    run = scratch.snakemake("--dry-run", "quickstart")
    assert run.returncode != 0
    message = "config.yaml: top level, or --config: unknown key 'sedes'; did you mean 'seeds'?"
    assert run.stdout.count("config.yaml: ") == 1 and message in run.stdout
    assert "Traceback" not in run.stdout


def test_file_that_is_not_yaml(scratch):
    (scratch.folder / METHODS).write_text("bow: [\n", "utf-8")
    run = scratch.snakemake("--dry-run", "quickstart")
    assert run.returncode != 0
    assert "methods.yaml: not valid YAML" in run.stdout
    assert "Traceback" not in run.stdout


def test_archive_that_is_nowhere(scratch):
    """What else a source may lack is tested in tests/unit/test_fetch.py."""
    (scratch.mirror / "tiny.tar.gz").unlink()
    run = scratch.snakemake("resources/corpora/tiny")
    assert run.returncode != 0
    assert "cannot fetch tiny.tar.gz; sources tried:" in run.stdout
    assert f"mirror {scratch.mirror}: has no file tiny.tar.gz" in run.stdout
    assert "put the file by hand at resources/archives/tiny.tar.gz" in run.stdout
    assert "Traceback" not in run.stdout


def test_archive_put_in_place_by_hand(scratch):
    archive = scratch.folder / "resources" / "archives" / "tiny.tar.gz"
    archive.parent.mkdir(parents=True)
    (scratch.mirror / "tiny.tar.gz").rename(archive)
    assert "fetch" not in scratch.plan("resources/corpora/tiny")
