"""An edit makes again what depends on it, and nothing else: Snakemake's own plan says what."""

import pytest

NEXT = {
    "fetch": {"encode"},
    "encode": {"network", "neighbours", "represent", "choose", "subset", "score", "write_page"},
    "subset": {"network", "represent", "choose_classifier"},
    "network": {"represent", "choose"},
    "neighbours": {"represent"},
    "choose": {"represent"},
    "represent": {"choose_classifier", "score", "write_page"},
    "choose_classifier": {"score", "write_page"},
    "score": {"comparison", "write_page"},
    "comparison": {"comparison_figure", "write_page"},
    "comparison_figure": {"write_page"},
    "write_page": {"quickstart"},
}
"""The rules that read what a rule writes."""


def afterwards(rules):
    """Rules, and all that read what they write, directly or not."""
    found, pending = set(), list(rules)
    while pending:
        rule = pending.pop()
        if rule not in found:
            found.add(rule)
            pending.extend(NEXT.get(rule, ()))
    return found


NOTHING = ("workflow/scripts/job.py", "src/pte/command/main.py")  # files that no result depends on

EDITS = {
    "src/pte_study/report/comparison.py": {"comparison", "comparison_figure"},
    "src/pte/evaluation/setting.py": {
        *("choose_classifier", "score", "choose", "represent", "neighbours")
    },
}
"""Files, and the rules that an edit of each makes again, without what reads their results."""


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_makes_again_what_depends_on_it(edited, name):
    with (edited.folder / name).open("a", encoding="utf-8") as file:
        file.write("\nEDITED = 1\n")
    assert edited.plan("quickstart").keys() == afterwards(EDITS[name])


def test_what_changes_no_result_makes_nothing_again(edited):
    """Files that no result depends on, comments, and docstrings."""
    for name in NOTHING:
        with (edited.folder / name).open("a", encoding="utf-8") as file:
            file.write("\nEDITED = 1\n")
    for path in (edited.folder / "workflow" / "scripts").glob("*.py"):
        path.write_text(f"# A comment.\n{path.read_text('utf-8')}", "utf-8")
    step = edited.folder / "src/pte/core/edges.py"
    step.write_text(step.read_text("utf-8").replace('"""', '"""Once more: ', 1), "utf-8")
    assert edited.plan("quickstart") == {}


CHANGES = {
    "rate": (
        lambda config: config["hyperparameters"].update(learning_rate=0.05),
        {"represent", "choose"},
    ),
    "samples": (lambda config: config["samples"].update(tiny=100_000), {"represent"}),
    "choice of one method": (
        lambda config: config["choices"]["tiny"]["pvdbow"].update(epochs=10),
        {"represent"},
    ),
    "caption": (
        lambda config: config["tables"]["quickstart"].update(caption="Other"),
        {"comparison", "write_page"},
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_of_the_configuration_makes_again_what_depends_on_it(finished, tmp_path, name):
    """Objects that are parameters are compared, too, and not only numbers and text."""
    change, rules = CHANGES[name]
    copy = finished.copy(tmp_path)
    copy.rewrite("config.yaml", change)
    found = afterwards(rules)
    if name == "samples":  # of the protocol that chooses no classifier
        found.remove("choose_classifier")
    assert copy.plan("quickstart").keys() == found


def test_a_new_title_of_a_corpus_encodes_nothing(finished, tmp_path):
    copy = finished.copy(tmp_path)
    copy.rewrite(
        "workflow/registry/corpora.yaml", lambda r: r["corpora"]["tiny"].update(title="New")
    )
    assert not copy.plan("quickstart").keys() & {"encode", "represent", "score"}


def test_another_recipe_encodes_again(finished, tmp_path):
    copy = finished.copy(tmp_path)
    copy.rewrite(
        "workflow/registry/corpora.yaml",
        lambda r: r["corpora"]["tiny"].update(class_names={"0": "zero"}),
    )
    assert copy.plan("quickstart").keys() == afterwards({"encode"})
