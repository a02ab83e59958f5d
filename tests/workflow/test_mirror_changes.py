"""An archive of the mirror that changes is fetched anew, and all that depends on it runs again."""

import hashlib
import tarfile
from io import BytesIO

import pytest

from pte.corpora.encode_entry import documents_sha256
from pte.corpora.reading import read


def replace_archive(checkout, suffix=b" new"):
    """Another word at the end of each line of text; returns the hash of the documents."""
    path = checkout.mirror / "tiny.tar.gz"
    with tarfile.open(path) as tar:
        members = {each.name: tar.extractfile(each).read() for each in tar}
    with tarfile.open(path, "w:gz") as tar:
        for name, content in members.items():
            text = content.replace(b"\n", suffix + b"\n") if "text" in name else content
            member = tarfile.TarInfo(name)
            member.size = len(text)
            tar.addfile(member, BytesIO(text))
    list_hash(checkout)
    return documents_sha256(read(path, "parallel_lines", {"folder": "tiny"}))


def list_hash(checkout):
    digest = hashlib.sha256((checkout.mirror / "tiny.tar.gz").read_bytes()).hexdigest()
    (checkout.mirror / "SHA256SUMS").write_text(f"{digest}  tiny.tar.gz\n", "utf-8")


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

    refused = copy.snakemake(ENCODED)
    assert refused.returncode != 0
    said = (copy.folder / "logs/encode/tiny.log").read_text("utf-8")
    assert digest in said
    assert "tiny.tar.gz has changed" in (copy.folder / "logs/fetch/tiny.tar.gz.log").read_text(
        "utf-8"
    )

    enter(copy, digest)
    run = copy.snakemake(ENCODED)
    assert run.returncode == 0, run.stdout
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
