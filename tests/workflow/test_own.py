"""`snakemake own`: the contest on a text of a user's own, as jobs; docs/own-text.md, run."""

import csv
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pte_study.configuration.own import from_command_line

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "docs" / "own-text.md").read_text("utf-8")
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TOPICS = ("earn", "<b>trade</b>", "=ship")
BRIEF = "0.2"
"""Minutes in which few methods take part, as their expected costs say."""


def texts(n, seed=0):
    """Pairs of a topic and a text that its words tell; every fourth topic is not known."""
    random = np.random.default_rng(seed)
    rows = []
    for i, which in enumerate(random.integers(0, len(TOPICS), n)):
        words = [f"t{which}w{word}" for word in random.integers(0, 9, 4)]
        words += [f"any{word}" for word in random.integers(0, 20, 8)]
        rows.append((TOPICS[which] if i % 4 else "", " ".join(words)))
    return rows


def write_table(path, rows, columns=("stars", "review")):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([columns, *rows])


def write_folders(path, rows):
    for i, (topic, text) in enumerate(rows):
        folder = path / (re.sub("[^a-z]", "", topic) or "unlabelled")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{i}.txt").write_text(text, "utf-8")


@pytest.fixture
def own(scratch):
    """A checkout with texts: a table, a table with several labels, folders and JSON Lines."""
    rows = texts(90, 1)
    write_table(scratch.folder / "reviews.csv", rows)
    write_table(scratch.folder / "news.csv", rows, ("topic", "text"))
    several = [(f"{a};other" if a and len(b) % 3 else a, b) for a, b in rows]
    write_table(scratch.folder / "several.csv", several)
    write_folders(scratch.folder / "mails", rows)
    with (scratch.folder / "late.jsonl").open("w", encoding="utf-8") as file:
        for i, (topic, text) in enumerate(texts(150)):
            labels = [topic, "other"] if i > 120 and topic else topic
            print(json.dumps({"text": text, "label": labels}), file=file)
    return scratch


def bash(checkout, block):
    """Run a block of commands as a user would."""
    env = checkout.environment({}) | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    }
    return subprocess.run(
        ["bash", "-ec", block],
        cwd=checkout.folder,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@pytest.mark.long
def test_every_command_of_the_documentation_runs(own):
    blocks = [block for kind, block in BLOCK.findall(DOCUMENT) if kind == ""]
    commands = [block for block in blocks if block.startswith("snakemake")]
    assert commands
    said = []
    for block in commands:
        command = block.replace("--config ", f"--config minutes={BRIEF} ")
        run = bash(own, command.replace("--cores all", "--cores 2"))
        assert run.returncode == 0, run.stdout
        said.append(run.stdout)
    assert "\nUse " in said[0]
    assert "Page: results/own/reviews/index.html" in said[0]
    made = own.folder / "results" / "own" / "reviews"
    assert {path.name for path in made.iterdir()} == {"contest.json", "index.html", "trials"}
    page = (made / "index.html").read_text("utf-8")
    assert "<b>trade" not in page
    assert "&lt;b&gt;trade&lt;/b&gt;" in page
    found = json.loads((made / "contest.json").read_text("utf-8"))
    scores = {row["method"]: row["micro_f1"] for row in found["methods"]}
    assert scores["bow"] > 80 > scores["majority"]

    config = ["--config", "corpus=reviews.csv", "text=review", "label=stars", f"minutes={BRIEF}"]
    assert own.plan("own", *config) == {"own": 1}
    with (own.folder / "reviews.csv").open("a", encoding="utf-8") as file:
        file.write(f"{TOPICS[0]},one more review\n")
    plan = own.plan("own", *config)
    assert plan["own_page"] == 1
    assert plan["own_trial"] >= len(scores)


SAME = (
    *("file", "sha256", "seed", "documents", "several_labels", "classes", "folds", "curve"),
    *("group", "merged_labels", "warnings"),
)
OF_A_METHOD = (
    *("method", "micro_f1", "micro_f1_interval", "macro_f1", "macro_f1_interval", "difference"),
    *("difference_interval", "as_good", "chosen", "per_class", "confusions", "confusion"),
)


COLUMNS = {"text": "review", "label": "stars"}
GIVEN = {
    "reviews.csv": COLUMNS | {"seed": "3"},
    "several.csv": COLUMNS | {"separator": ";", "same": "other=earn"},
    "mails": {},
    "late.jsonl": {},
}


@pytest.mark.long
def test_jobs_and_one_process_give_the_same_answer(own):
    entries = {}
    for file, keys in GIVEN.items():
        entries |= from_command_line({"corpus": file, "minutes": BRIEF, **keys})["own"]
    own.rewrite("config.yaml", lambda config: config.update(own=entries))
    own.succeeds("own")
    for file, keys in GIVEN.items():
        compare(own, file, keys)


def compare(own, file, keys):
    """The answer of the jobs about a file, and that of `pte evaluate`."""
    name = file.partition(".")[0]
    jobs = json.loads((own.folder / "results/own" / name / "contest.json").read_text("utf-8"))
    options = [word for key, value in keys.items() for word in (f"--{key}", value)]
    command = ["pte", "evaluate", file, "--minutes", BRIEF, "--dim", "16", "--threads", "2"]
    run = bash(own, shlex.join([*command, *options]))
    assert run.returncode == 0, run.stdout
    kept = json.loads((own.folder / f"{file}.contest.json").read_text("utf-8"))
    assert [jobs[key] for key in SAME] == [kept[key] for key in SAME]
    assert {row["method"] for row in jobs["methods"]} >= {"bow", "pte_joint"}
    for ours, theirs in zip(by_name(jobs["methods"]), by_name(kept["methods"]), strict=True):
        assert [ours[key] for key in OF_A_METHOD] == [theirs[key] for key in OF_A_METHOD]
    assert why(jobs) == why(kept)
    for key in ("method", "best", "sure", "more_labels", "command"):
        assert jobs["advice"][key] == kept["advice"][key]


def by_name(rows):
    return sorted(rows, key=lambda row: row["method"])


def why(result):
    return {each["method"]: each["why"] for each in result["not_run"]}


@pytest.mark.long
def test_entries_of_the_configuration_are_planned(own):
    (entry,) = (block for kind, block in BLOCK.findall(DOCUMENT) if kind == "yaml")
    config = own.folder / "config.yaml"
    config.write_text(config.read_text("utf-8").replace("own: {}\n", "") + entry, "utf-8")
    plan = own.plan("own")
    assert plan["own_page"] == 2
    write_folders(own.folder / "mails", [("earn", "more words")])
    assert own.plan("own")["own_page"] == 2


@pytest.mark.long
def test_a_fault_is_one_message(own):
    """One of many: tests/unit/test_own_config.py has all."""
    said = own.refused("--dry-run", "own", "--config", "corpus=reviews.csv", "text=txt")
    assert "reviews.csv: no column 'txt' for `text`; there are 'stars', 'review'" in said
