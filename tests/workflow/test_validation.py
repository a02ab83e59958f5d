"""Faults in what a user writes: one message each, naming the file and the key."""

import pytest

CONFIG, METHODS, CORPORA, CLAIMS = (
    "config.yaml",
    "workflow/registry/methods.yaml",
    "workflow/registry/corpora.yaml",
    "workflow/registry/claims.yaml",
)
FAULTS = {
    "unknown key": (
        CONFIG,
        lambda c: c.update(sedes=[1]),
        "config.yaml: top level: Additional properties are not allowed ('sedes' was unexpected)",
    ),
    "wrong type": (
        CONFIG,
        lambda c: c.update(seeds="one"),
        "config.yaml: seeds: 'one' is not of type 'array'",
    ),
    "table of an unknown corpus": (
        CONFIG,
        lambda c: c["tables"]["quickstart"].update(corpora=["tiyn"]),
        "config.yaml: tables.quickstart.corpora: 'tiyn' is not one of 20ng, dblp",
    ),
    "unknown method": (
        CONFIG,
        lambda c: c["methods"].append("pte_jiont"),
        "config.yaml: methods: 'pte_jiont' is not one of bow, cnn",
    ),
    "samples of an unknown corpus": (
        CONFIG,
        lambda c: c["samples"].update(tiyn=5),
        "config.yaml: samples: 'tiyn' is not one of 20ng, dblp",
    ),
    "curve of an unknown method": (
        CONFIG,
        lambda c: c["curves"]["labelled"]["methods"].__setitem__(0, "pte_jiont"),
        "config.yaml: curves.labelled.methods: 'pte_jiont' is not one of bow, cnn",
    ),
    "more labels than there are": (
        CONFIG,
        lambda c: c["curves"]["labelled"]["corpora"]["mr"].update(labelled=[150]),
        "config.yaml: curves.labelled.corpora.mr.labelled.0: 150 is greater than",
    ),
    "curve along two things": (
        CONFIG,
        lambda c: c["curves"]["labelled"]["corpora"]["mr"].update(unlabelled=[0, 50]),
        "config.yaml: curves.labelled.corpora.mr: the curve is along labelled; give one value of "
        "unlabelled",
    ),
    "map of a method without word vectors": (
        CONFIG,
        lambda c: c["maps"].update({"mr": ["bow"]}),
        "config.yaml: maps.mr: 'bow' is not one of line_wd",
    ),
    "sensitivity on an unknown corpus": (
        CONFIG,
        lambda c: c["sensitivity"].update(corpora=["tiyn"]),
        "config.yaml: sensitivity.corpora: 'tiyn' is not one of 20ng, dblp",
    ),
    "sensitivity looked at in no order": (
        CONFIG,
        lambda c: c["sensitivity"].update(looks=[0.5, 0.25, 1]),
        "config.yaml: sensitivity.looks: [0.5, 0.25, 1] must rise to 1",
    ),
    "claim about an unknown method": (
        CLAIMS,
        lambda c: c["claims"]["faster_than_cnn"].update(right=["lstm"]),
        "claims.yaml: faster_than_cnn: 'lstm' is not one of bow, cnn",
    ),
    "claim without its factor": (
        CLAIMS,
        lambda c: c["claims"]["faster_than_cnn"].pop("factor"),
        "claims.yaml: claims.faster_than_cnn: 'factor' is a required property",
    ),
    "method without phases": (
        METHODS,
        lambda m: m["line_ww"].pop("phases"),
        "methods.yaml: line_ww: 'phases' is a required property",
    ),
    "network that does not exist": (
        METHODS,
        lambda m: m["line_ww"].update(phases=[["wx"]]),
        "methods.yaml: line_ww.phases.0.0: 'wx' is not one of",
    ),
    "features of a method without vectors": (
        METHODS,
        lambda m: m["pte_joint_unit"].update(vectors="bow"),
        "methods.yaml: pte_joint_unit.vectors: 'bow' is not one of line_wd",
    ),
    "hash that is none": (
        CORPORA,
        lambda r: r["corpora"]["tiny"].update(documents_sha256="abc"),
        "corpora.yaml: corpora.tiny.documents_sha256: 'abc' does not match",
    ),
    "unknown archive": (
        CORPORA,
        lambda r: r["corpora"]["tiny"].update(archive="tiyn"),
        "corpora.yaml: corpora.tiny.archive: 'tiyn' is not one of",
    ),
    "unknown archive of labels": (
        CORPORA,
        lambda r: r["corpora"]["wiki"].update(labels="tiyn"),
        "corpora.yaml: corpora.wiki.labels: 'tiyn' is not one of",
    ),
    "reader without its archive of labels": (
        CORPORA,
        lambda r: r["corpora"]["wiki"].pop("labels"),
        "corpora.yaml: corpora.wiki: 'labels' is a required property",
    ),
    "option that the reader needs": (
        CORPORA,
        lambda r: r["corpora"]["tiny"].update(options={}),
        "corpora.yaml: corpora.tiny.options: 'folder' is a required property",
    ),
}


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
    run = scratch.snakemake("resources/corpora/tiny")
    assert run.returncode == 0, run.stdout
    assert "fetch" not in run.stdout


def test_mirror_that_contradicts_its_sums(scratch):
    (scratch.mirror / "SHA256SUMS").write_text(f"{'0' * 64}  tiny.tar.gz\n", "utf-8")
    run = scratch.snakemake("resources/corpora/tiny")
    assert run.returncode != 0
    assert f"tiny.tar.gz has the wrong sha256: SHA256SUMS says {'0' * 64}" in run.stdout
    assert not (scratch.folder / "resources" / "archives" / "tiny.tar.gz").exists()
    assert "Traceback" not in run.stdout


def test_archive_with_other_documents(scratch):
    digest = "f" * 64
    scratch.rewrite(CORPORA, lambda r: r["corpora"]["tiny"].update(documents_sha256=digest))
    run = scratch.snakemake("resources/corpora/tiny")
    assert run.returncode != 0
    assert f"documents_sha256 is {digest}" in run.stdout
    assert not (scratch.folder / "resources" / "corpora" / "tiny").exists()
    assert "Traceback" not in run.stdout
