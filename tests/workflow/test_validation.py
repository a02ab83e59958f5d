"""Faults in what a user writes: one message each, naming the file and the key."""

import pytest

CONFIG, METHODS, CORPORA = (
    "config.yaml",
    "workflow/registry/methods.yaml",
    "workflow/registry/corpora.yaml",
)
FAULTS = {
    "unknown key": (
        CONFIG,
        lambda c: c.update(sedes=[1]),
        "config.yaml: top level, or --config: unknown key 'sedes'; did you mean 'seeds'?",
    ),
    "unknown archive": (
        CORPORA,
        lambda r: r["corpora"]["tiny"].update(archive="tiyn"),
        "corpora.yaml: corpora.tiny.archive: 'tiyn' is not one of",
    ),
}
"""One of each kind of file: tests/unit/test_checks.py has all."""


@pytest.mark.parametrize("fault", FAULTS)
def test_fault_is_one_message_with_file_and_key(scratch, fault):
    path, change, message = FAULTS[fault]
    scratch.rewrite(path, change)
    run = scratch.snakemake("--dry-run", "quickstart")
    assert run.returncode != 0
    assert run.stdout.count(f"{path.split('/')[-1]}: ") == 1
    assert message in run.stdout
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


@pytest.mark.long
def test_archive_put_in_place_by_hand(scratch):
    archive = scratch.folder / "resources" / "archives" / "tiny.tar.gz"
    archive.parent.mkdir(parents=True)
    (scratch.mirror / "tiny.tar.gz").rename(archive)
    run = scratch.snakemake("resources/corpora/tiny")
    assert run.returncode == 0, run.stdout
    assert "fetch" not in run.stdout


@pytest.mark.long
def test_archive_with_other_documents(scratch):
    digest = "f" * 64
    scratch.rewrite(CORPORA, lambda r: r["corpora"]["tiny"].update(documents_sha256=digest))
    run = scratch.snakemake("resources/corpora/tiny")
    assert run.returncode != 0
    assert f"documents_sha256 is {digest}" in run.stdout
    assert not (scratch.folder / "resources" / "corpora" / "tiny").exists()
    assert "Traceback" not in run.stdout
