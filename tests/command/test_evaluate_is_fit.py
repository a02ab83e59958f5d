"""The promise of the contest: its score is the score of the model that `pte fit` writes."""

import csv
import json
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from distributed import LocalCluster

from pte.classify.registry import methods
from pte.classify.result import Contest
from pte.command.main import app

PAGE = Path(__file__).parents[2] / "docs" / "own-text.md"
SMALL = ["--label", "topic", "--dim", "8", "--samples", "20000", "--seed", "7"]
EVERY = ["bow", "nb_em", "pte_joint", "cnn_pretrain", "encoder", "random"]


def run(*arguments):
    done = CliRunner().invoke(app, list(map(str, arguments)))
    assert done.exit_code == 0, done.output
    return done.stdout


def rows_of(several):
    """Rows of a text, its labels, and its part: words of three topics, mixed so that some err.

    Some rows for training have no label. Two texts are empty, and two have words that no training
    document has. A third of the test documents have new words beside them, like those of a topic.
    """
    random = np.random.default_rng(5)
    rows = []
    for i in range(130):
        topic = int(random.integers(3))
        own = [f"t{topic}w{word}" for word in random.integers(0, 12, 3)]
        noise = [f"t{random.integers(3)}w{word}" for word in random.integers(0, 12, 2)]
        any_word = [f"any{word}" for word in random.integers(0, 15, 4)]
        labels = f"topic {topic}"
        if several and random.random() < 0.4:
            labels += f";topic {(topic + 1) % 3}"
        part = "test" if i % 3 == 0 else "train"
        known = part == "test" or random.random() < 0.6
        new = [f"t{(topic + 1) % 3}w{i}new"] * 3 if i % 9 == 0 else []
        rows.append((" ".join([*own, *noise, *any_word, *new]), labels if known else "", part))
    strange = [("", "train"), ("", "test"), ("qwerty zxcvb", "test"), ("zxcvb", "test")]
    return [*rows, *((text, "topic 1", part) for text, part in strange)]


def vectors_of(rows):
    """What an encoder may make of texts: counts of the words of topics, and a little else."""
    return np.array(
        [
            [text.count(f"t{topic}w") + len(text) * (topic + 2) % 7 / 2 for topic in range(3)]
            for text, *_ in rows
        ]
    )


def write(path, rows, columns):
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([columns, *rows])
    return path


def evaluated_and_fitted(rows, method, folder, monkeypatch, options=()):
    """Return the row of a method's contest, what it predicted there, and what its model predicts.

    Predictions are sets of labels.
    """
    several = any(";" in labels for _, labels, _ in rows)
    given = [*SMALL, *options, *(("--separator", ";") if several else ())]
    trials = []
    add = Contest.add
    monkeypatch.setattr(Contest, "add", lambda self, each: (trials.append(each), add(self, each)))
    table = write(folder / "all.csv", rows, ("text", "topic", "part"))
    with_all, with_train, with_test = ([] for _ in range(3))
    if methods()[method].encoded:
        parts = {"all": rows} | {p: [r for r in rows if r[2] == p] for p in ("train", "test")}
        for name, some in parts.items():
            np.save(folder / f"{name}.npy", vectors_of(some))
        with_all, with_train, with_test = (("--vectors", folder / f"{n}.npy") for n in parts)
    is_control = method == "majority" or not methods()[method].contest
    names = ["bow", method] if is_control else [method]  # a control cannot be alone
    asked = [word for name in names for word in ("--method", name)]
    found = json.loads(
        run(
            *("evaluate", table, *given, *asked, "--split", "part", "--json", *with_all),
            *("--jobs", "1", "--minutes", "0.001"),
        )
    )
    classes = np.array([each["class"] for each in found["classes"]])
    (tested,) = (each for each in trials if each.method == method and each.share == 1)
    contest = [set(np.atleast_1d(classes[each])) for each in tested.predicted]

    train = write(folder / "train.csv", [r[:2] for r in rows if r[2] == "train"], ("text", "topic"))
    test = write(folder / "test.csv", [r[:1] for r in rows if r[2] == "test"], ("text",))
    run("fit", train, *given, "--method", method, "--output", folder / "model.npz", *with_train)
    lines = run("predict", folder / "model.npz", test, "--json", *with_test).splitlines()
    labels = [json.loads(line)["label"] for line in lines]
    model = [set(each) if several else {each} for each in labels]
    (row,) = (each for each in found["methods"] if each["method"] == method)
    return row, contest, model


def micro_f1(rows, predicted):
    """Micro-F1 of sets of labels, in percent, as its definition says."""
    true = [set(labels.split(";")) for _, labels, part in rows if part == "test"]
    right = sum(len(a & b) for a, b in zip(true, predicted, strict=True))
    return 200 * right / sum(len(a) + len(b) for a, b in zip(true, predicted, strict=True))


@pytest.mark.parametrize("method", EVERY)
def test_the_score_of_a_contest_is_that_of_the_model(method, tmp_path, monkeypatch):
    rows = rows_of(several=False)
    row, contest, model = evaluated_and_fitted(rows, method, tmp_path, monkeypatch)
    assert contest == model
    assert row["micro_f1"] == pytest.approx(micro_f1(rows, model), abs=1e-9)
    assert Counter(map(len, model)) == {1: len(model)}
    if methods()[method].contest:
        assert 20 < row["micro_f1"] < 100  # some err, so that the comparison can fail


@pytest.mark.parametrize("method", ["bow", "pte_joint"])
def test_so_it_is_where_documents_have_several_labels(method, tmp_path, monkeypatch):
    rows = rows_of(several=True)
    row, contest, model = evaluated_and_fitted(rows, method, tmp_path, monkeypatch)
    assert contest == model
    assert row["micro_f1"] == pytest.approx(micro_f1(rows, model), abs=1e-9)
    assert 20 < row["micro_f1"] < 100


@pytest.mark.parametrize("method", ["pte_auto"])
def test_so_it_is_where_the_samples_are_chosen(method, tmp_path, monkeypatch):
    rows = rows_of(several=False)
    chosen = ("--samples", "chosen")
    row, contest, model = evaluated_and_fitted(rows, method, tmp_path, monkeypatch, chosen)
    assert contest == model
    assert all(each["samples"] for each in row["chosen"])


def test_dask_spreads_a_contest_as_the_page_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("pte.classify.trial.ALONE", 0)
    table = write(Path("tickets.csv"), rows_of(several=False), ("text", "topic", "part"))
    given = ["--method", "bow", "--method", "nb_em", *SMALL, "--folds", "3", "--minutes", "0.001"]
    run("evaluate", table, *given, "--jobs", "1")
    kept = Path("tickets.csv.contest.json")
    alone = json.loads(kept.read_text("utf-8"))["methods"]
    kept.unlink()
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), flags=re.DOTALL)
    with LocalCluster(1, 2, processes=False, dashboard_address=None) as cluster:
        code = code.replace("scheduler:8786", cluster.scheduler_address)
        exec(code.replace('"64"', f'"2", *{given}'))
    spread = json.loads(kept.read_text("utf-8"))["methods"]
    assert [each | {"seconds": 0} for each in spread] == [each | {"seconds": 0} for each in alone]
