"""An edit makes again what depends on it, and nothing else: Snakemake's own plan says what."""

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


def test_an_edit_makes_again_what_depends_on_it(edited):
    """tests/unit/test_dependencies.py has more."""
    with (edited.folder / "src/pte_study/report/comparison.py").open("a", encoding="utf-8") as file:
        file.write("\nEDITED = 1\n")
    assert edited.plan("quickstart").keys() == afterwards({"comparison", "comparison_figure"})


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


def test_a_change_of_a_value_makes_again_what_depends_on_it(finished, tmp_path):
    """Objects that are parameters are compared, too, and not only numbers and text."""
    copy = finished.copy(tmp_path)
    copy.rewrite("config.yaml", lambda config: config["hyperparameters"].update(learning_rate=0.05))
    assert copy.plan("quickstart").keys() == afterwards({"represent", "choose"})


def test_a_new_title_or_caption_trains_nothing(finished, tmp_path):
    copy = finished.copy(tmp_path)
    copy.rewrite("config.yaml", lambda c: c["tables"]["quickstart"].update(caption="Other"))
    copy.rewrite(
        "workflow/registry/corpora.yaml", lambda r: r["corpora"]["tiny"].update(title="New")
    )
    assert copy.plan("quickstart").keys() == afterwards({"comparison", "write_page"})


def test_another_recipe_encodes_again(finished, tmp_path):
    copy = finished.copy(tmp_path)
    copy.rewrite(
        "workflow/registry/corpora.yaml",
        lambda r: r["corpora"]["tiny"].update(class_names={"0": "zero"}),
    )
    assert copy.plan("quickstart").keys() == afterwards({"encode"})
