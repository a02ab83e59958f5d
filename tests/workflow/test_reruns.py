"""An edit of any file makes again what depends on it, and nothing else.

`tests/unit/dependencies.yaml` says what that is; here Snakemake's own plan says it.
"""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
DEPENDENCIES = yaml.safe_load((ROOT / "tests/unit/dependencies.yaml").read_text("utf-8"))
FILES = {name: set(group["jobs"]) for group in DEPENDENCIES for name in group["files"]}
ELSEWHERE = (
    *("encode 20ng", "encode r8", "encode wiki", "encode dblp_titles"),
    "choose paragraph_vector",
    *("read_documents", "number_shard", "join_corpus", "network_shard", "join_network"),
    *("train_node", "join_nodes", "represent in_rounds", "score in_rounds"),
    *("represent equal_draws", "score equal_draws"),
)
"""Corpora with other readers than that of the tiny one, whose epochs of PVDM are given, and which
is not encoded in shards; and models of rows that the quickstart does not show."""
PARTS = 8
NOTHING = [name for name, jobs in FILES.items() if not jobs]
SOMETHING = [name for name, jobs in FILES.items() if jobs]


def path_of(name):
    """Where a file of the list lies in a checkout."""
    if name.startswith("../"):
        return Path("workflow", name.removeprefix("../"))
    return Path("src", "pte", name)


@pytest.fixture
def rules(finished):
    """The rules that made the finished checkout."""
    dry = finished.snakemake("--dry-run", "--forceall", "quickstart")
    return set(re.findall(r"^(\w+) +\d+$", dry.stdout, re.MULTILINE))


NEXT = {
    "fetch": {"encode"},
    "warm_up": {"network", "represent", "choose"},
    "encode": {"network", "neighbours", "represent", "choose", "subset", "score", "write_page"},
    "subset": {"network", "represent", "choose_classifier"},
    "network": {"represent", "choose"},
    "neighbours": {"represent"},
    "choose": {"represent"},
    "represent": {"choose_classifier", "score", "write_page"},
    "choose_classifier": {"score", "write_page"},
    "score": {"collect", "write_page"},
    "collect": {"comparison"},
    "comparison": {"comparison_figure", "times", "write_page"},
    "comparison_figure": {"write_page"},
    "times": {"write_page"},
    "write_page": {"quickstart"},
}
"""The rules that read what a rule writes."""


PREDICTING = ("cnn", "fasttext", "label_propagation", "majority", "nb_em", "pte_auto")
UNCLASSIFIED = {
    "neighbours",
    *(f"{rule} {name}" for rule in ("choose", "represent", "score") for name in PREDICTING),
}
"""Jobs of models that predict by themselves, so that no classifier is chosen for them."""


def afterwards(rules):
    """Rules, and all that read what they write, directly or not."""
    found, pending = set(), list(rules)
    while pending:
        rule = pending.pop()
        if rule not in found:
            found.add(rule)
            pending.extend(NEXT.get(rule, ()))
    return found


def expected(name, rules):
    """The rules that run after an edit of a file, of those of the quickstart."""
    jobs = FILES[name].difference(ELSEWHERE)
    of_rules = {job.partition(" ")[0] for job in jobs}
    named = {"page": "write_page", "collect_scores": "collect"}
    edited = {named.get(rule, rule) for rule in of_rules} & rules
    of_subsets = afterwards(edited & {"subset"}) - {"choose"}  # a classifier alone is chosen there
    found = afterwards(edited - {"subset"}) | of_subsets
    return found - {"choose_classifier"} if jobs <= UNCLASSIFIED else found


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
def test_each_edit_makes_again_what_depends_on_it(edited, rules, part):
    faults = {}
    for name in SOMETHING[part::PARTS]:
        path = edited.folder / path_of(name)
        text = path.read_bytes()
        comment = b"/* edited */" if path.suffix in (".css", ".js") else b"{# edited #}"
        path.write_bytes(text + (b"\nEDITED = 1\n" if path.suffix == ".py" else comment))
        found = set(edited.plan("quickstart"))
        path.write_bytes(text)
        if found != expected(name, rules):
            faults[name] = found, expected(name, rules)
    assert faults == {}


def test_what_no_result_depends_on_makes_nothing_again(edited):
    for name in NOTHING:
        with (edited.folder / path_of(name)).open("a", encoding="utf-8") as file:
            file.write("\nEDITED = 1\n")
    assert edited.plan("quickstart") == {}


def test_comments_in_scripts_make_nothing_again(edited):
    for path in (edited.folder / "workflow" / "scripts").glob("*.py"):
        path.write_text(f"# A comment.\n{path.read_text('utf-8')}", "utf-8")
    assert edited.plan("quickstart") == {}


def test_what_a_score_file_holds_is_written_again_when_its_script_is_edited(edited, edit):
    edit("src/pte/selection/scores.py", 'trained.get("epochs")', "None")
    plan = edited.plan("quickstart")
    assert plan["score"] > 0
    assert not plan.keys() & {"represent", "encode", "network"}


CHANGES = {
    "another classifier setting": (
        lambda config: config["protocols"]["chosen"].update(costs=[3]),
        {"choose_classifier", "score"},
    ),
    "rate": (
        lambda config: config["hyperparameters"].update(rate=0.05),
        {"represent", "choose"},
    ),
    "samples": (lambda config: config["samples"].update(tiny=100_000), {"represent"}),
    "choice of one method": (
        lambda config: config["choices"]["tiny"]["pvdm"].update(epochs=10),
        {"represent"},
    ),
    "caption": (
        lambda config: config["tables"]["quickstart"].update(caption="Other"),
        {"comparison", "times", "write_page"},
    ),
    "a curve": (
        lambda config: config["curves"]["labelled"].update(caption="Other"),
        {"write_page"},
    ),
}

BRIEF = ("rate", "choice of one method", "a curve")
"""Those of `CHANGES` that are looked at in every run of the tests: an object, a mapping, text."""


@pytest.mark.parametrize(
    "name",
    [name if name in BRIEF else pytest.param(name, marks=pytest.mark.long) for name in CHANGES],
)
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
