"""The registry's files and those of plugins: one set of entries, and who wrote each."""

import json
from pathlib import Path

import pytest

from pte.errors import PteError
from pte_study.configuration.registry import joined, read

ROOT = Path(__file__).parents[2]
WORKFLOW = ROOT / "workflow"
ROW = "{label: R&D, group: extra, model: words.Bow}"
CLAIM = (
    'claims: {far: {section: "1", quotation: far, left: bow, right: [cnn], relation: above, '
    "corpora: [mr]}}"
)


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "mine"
    made.mkdir()
    return made


def test_each_entry_knows_its_file_and_its_plugin(folder):
    (folder / "methods.yaml").write_text(f"mine: {ROW}\n", "utf-8")
    (folder / "claims.yaml").write_text(CLAIM, "utf-8")
    methods = joined("methods.yaml", WORKFLOW, [folder])
    assert methods.where["bow"] == "methods.yaml: bow"
    assert methods.where["mine"] == f"{folder}/methods.yaml: mine"
    assert methods.sources == {"mine": "mine"}
    claims = joined("claims.yaml", WORKFLOW, [folder])
    assert claims.sources == {"claims.far": "mine"}
    assert claims.where["claims.far"] == f"{folder}/claims.yaml: claims.far"
    assert list(claims.entries["claims"])[-1] == "far"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("methods.yaml", "mine: {label: Mine}\n", "mine: 'group' is a required property"),
        ("methods.yaml", f"bow: {ROW}\n", "bow is there already; choose another name"),
        ("methods.yaml", "- mine\n", "it must hold a mapping of names to entries"),
        ("claims.yaml", "claims: {x: {section: 5}}\n", "claims.x"),
        ("claims.yaml", "claim: {}\n", "top level: unknown key"),
    ],
)
def test_a_fault_names_the_file_of_the_plugin(folder, name, text, message):
    (folder / name).write_text(text, "utf-8")
    with pytest.raises(PteError) as raised:
        joined(name, WORKFLOW, [folder])
    assert str(raised.value).startswith(f"{folder / name}: ")
    assert message in str(raised.value)


@pytest.mark.parametrize("names", [["paper"], ["mine", "other/mine"]])
def test_a_plugin_has_a_name_of_its_own(tmp_path, names, monkeypatch):
    folders = [tmp_path / name for name in names]
    for each in folders:
        each.mkdir(parents=True, exist_ok=True)
    with pytest.raises(PteError, match=r"plugins: .*: this name is taken; rename the folder"):
        joined("claims.yaml", WORKFLOW, folders)
    monkeypatch.chdir(folders[0].parent)
    (tmp_path / "claims.yaml").write_text(CLAIM, "utf-8")
    monkeypatch.chdir(tmp_path)
    assert joined("claims.yaml", WORKFLOW, [Path()]).sources == {"claims.far": tmp_path.name}


def test_a_further_archive_does_not_have_the_name_of_a_key_of_corpus_json(folder):
    entry = read(WORKFLOW / "registry" / "corpora.yaml")["corpora"]["mr"] | {"reader": "mine"}
    for role in ("topics", "counts"):
        corpora = {"mine": entry | {"files": {role: "rcv1-topics"}}}
        (folder / "corpora.yaml").write_text(json.dumps({"corpora": corpora}), "utf-8")
        if role == "topics":
            assert "mine" in joined("corpora.yaml", WORKFLOW, [folder]).entries["corpora"]
        else:
            with pytest.raises(PteError, match=r"corpora\.mine\.files: 'counts' should not be"):
                joined("corpora.yaml", WORKFLOW, [folder])
