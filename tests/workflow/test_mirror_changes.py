"""An archive of the mirror that changes is fetched anew, and all that depends on it runs again."""

import tarfile

import pytest
from made import tar_of

from pte.corpora.encode_entry import documents_sha256
from pte.corpora.readers import read


def replace_archive(checkout, suffix=b" new"):
    """Another word at the end of each line of text; returns the hash of the documents."""
    path = checkout.mirror / "tiny.tar.gz"
    with tarfile.open(path) as tar:
        members = {each.name: tar.extractfile(each).read() for each in tar}
    for name, content in members.items():
        if "text" in name:
            members[name] = content.replace(b"\n", suffix + b"\n")
    tar_of(path, members)
    (checkout.mirror / "SHA256SUMS").unlink()
    checkout.listed(path)
    return documents_sha256(read(path, "parallel_lines", {"folder": "tiny"}))


def enter(checkout, digest):
    checkout.rewrite(
        "workflow/registry/corpora.yaml",
        lambda registry: registry["corpora"]["tiny"].update(documents_sha256=digest),
    )


ENCODED = "resources/corpora/tiny"


@pytest.mark.long
def test_a_new_archive_in_the_mirror_is_trained_on(finished, tmp_path):
    copy = finished.copy(tmp_path)
    assert copy.plan("quickstart") == {}
    digest = replace_archive(copy)
    assert {"fetch", "encode", "network", "represent", "score"} <= copy.plan("quickstart").keys()

    copy.refused(ENCODED)
    said = (copy.folder / "logs/encode/tiny.log").read_text("utf-8")
    assert digest in said

    enter(copy, digest)
    copy.succeeds(ENCODED)
    words = (copy.folder / ENCODED / "vocabulary.txt").read_bytes().split()
    assert b"new" in words
    assert copy.plan(ENCODED) == {}
    assert {"network", "represent", "score"} <= copy.plan("quickstart").keys()


def test_the_same_archive_in_another_mirror_changes_nothing(finished, tmp_path):
    copy = finished.copy(tmp_path)
    (copy.mirror / "tiny.tar.gz").touch()
    assert copy.plan("quickstart") == {}
    without = copy.snakemake("--dry-run", "quickstart", PTE_MIRROR="")
    assert "Nothing to be done" in without.stdout, without.stdout


def test_a_mirror_that_is_no_folder_stops_nothing_that_is_done(finished, tmp_path):
    copy = finished.copy(tmp_path)
    nowhere = str(tmp_path / "nowhere")
    plan = copy.snakemake("--dry-run", "quickstart", PTE_MIRROR=nowhere)
    assert "Nothing to be done" in plan.stdout, plan.stdout
