"""What a person writes into the table of a review is learnt, kept and filled in."""

import csv
import json

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from openpyxl import load_workbook

from pte.command.main import app

WORDS = {"sport": ["team", "goal", "match"], "money": ["bank", "rate", "shares"]}
BOW = ("--method", "bow")


def run(*arguments, given=None, code=0):
    done = CliRunner().invoke(app, list(map(str, arguments)), input=given)
    assert done.exit_code == code, done.output
    return done


def write(path, rows):
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


def read(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def mails(tmp_path):
    """60 texts, 40 with a label; that of mail 7 is wrong."""
    rng, rows = np.random.default_rng(3), [("id", "text", "label")]
    for i in range(60):
        label = ("sport", "money")[i % 2]
        text = " ".join([*rng.choice(WORDS[label], 3), f"w{i}"])
        rows.append((f"m{i}", text, "sport" if i == 7 else label if i < 40 else ""))
    return write(tmp_path / "mails.csv", rows)


@pytest.mark.parametrize("ending", [".csv", ".xlsx", ".jsonl"])
def test_labels_that_a_person_wrote_are_learnt(mails, tmp_path, ending):
    table = tmp_path / f"review{ending}"
    said = run("review", mails, "--id", "id", *BOW, "--next", "10", "-o", table).stdout
    assert "10 texts to label next, 1 of them at random" in said
    assert f"pte evaluate {mails} --id id --reviewed {table}" in said
    kinds = {".csv": pd.read_csv, ".xlsx": pd.read_excel}
    found = kinds.get(ending, lambda path: pd.read_json(path, lines=True))(table)
    assert found["id"][0] == "m7" and found["row"][0] == 9
    assert found["label"].isna().all()
    written = ["money" if why == "label" else "sport" for why in found["why"]]
    found["label"] = pd.Series(written, dtype=object).where(found["id"] != "none")
    done = tmp_path / "done.csv"
    found.to_csv(done, index=False)
    options = (mails, "--id", "id", "--reviewed", done, *BOW)
    shown = json.loads(run("evaluate", *options, "--json", "--minutes", "0.001").stdout)
    assert shown["documents"]["labelled"] == 50
    assert shown["documents"]["chosen"] == 9
    assert shown["documents"]["tested"] == 41
    model = tmp_path / "m.npz"
    assert json.loads(run("fit", *options, "--json", "-o", model).stdout)["labelled"] == 50
    following = run("fit", *options, "-o", model).stdout
    assert f"pte predict {model} {mails} --id id --reviewed {done}" in following
    filled = tmp_path / "filled.csv"
    run("predict", model, mails, "--id", "id", "--reviewed", done, "-o", filled)
    labels = {row["id"]: row["label"] for row in read(filled)}
    assert labels["m7"] == "money" and all(labels.values())
    assert labels | dict(zip(found["id"], written, strict=True)) == labels


def test_the_workbook_lists_the_classes(mails, tmp_path):
    table = tmp_path / "review.xlsx"
    run("review", mails, "--id", "id", *BOW, "--next", "10", "-o", table)
    sheet, classes = load_workbook(table).worksheets
    assert [cell.value for cell in classes["A"]] == ["money", "sport"]
    (choice,) = sheet.data_validations.dataValidation
    assert str(choice.sqref).startswith("J2:J") and choice.formula1 == "classes!$A$1:$A$2"
    assert sheet["J1"].value == "label" and sheet.freeze_panes == "A2"
    sheet["J2"] = "money"  # as a person does, in the same workbook
    book = sheet.parent
    book.save(table)
    options = (mails, "--id", "id", "--reviewed", table, *BOW, "-o", tmp_path / "m.npz")
    assert "1 label written by a person" in run("fit", *options).stderr


def test_a_second_review_leaves_out_what_is_answered(mails, tmp_path):
    table, second = tmp_path / "review.csv", tmp_path / "second.csv"
    run("review", mails, "--id", "id", *BOW, "--next", "10", "-o", table)
    rows = read(table)
    rows[0]["label"] = "sports"  # a slip, in row 2 of the table
    write(table, [rows[0].keys(), *(row.values() for row in rows)])
    said = run("review", mails, "--id", "id", *BOW, "--reviewed", table, "-o", second).stderr
    assert "row 2: 'sports' is a new class; did you mean 'sport'?" in said
    again = read(second)
    assert "m7" not in {row["id"] for row in again}
    again[0]["label"] = "money"
    write(second, [again[0].keys(), *(row.values() for row in again)])
    both = ("--reviewed", table, "--reviewed", second)
    options = (mails, "--id", "id", *both, *BOW, "-o", tmp_path / "m.npz")
    learnt = json.loads(run("fit", *options, "--json").stdout)
    assert learnt["classes"] == ["money", "sport", "sports"] and learnt["labelled"] == 41
    reviewed = (mails, "--id", "id", "--reviewed", table)
    for command in (["review", *reviewed], ["fit", *reviewed], ["predict", options[-1], *reviewed]):
        refused = run(*command, "-o", table, code=1)
        assert "this file is read" in refused.stderr and read(table) == rows


def test_a_review_of_other_rows_is_refused(mails, tmp_path):
    table = tmp_path / "review.csv"
    run("review", mails, "--id", "id", *BOW, "-o", table)
    refused = run("fit", mails, "--reviewed", table, "-o", tmp_path / "m.npz", code=1).stderr
    assert "'m7' is no document; give the --id of the review" in refused
    rows = read(table)
    write(table, [rows[0], *([*{**row, "text": "other words"}.values()] for row in rows)])
    model = tmp_path / "m.npz"
    refused = run("fit", mails, "--id", "id", "--reviewed", table, "-o", model, code=1).stderr
    assert "is a document with another text" in refused


def test_labels_of_a_file_are_spelt_as_the_model_does(mails, tmp_path):
    model, filled = tmp_path / "m.npz", tmp_path / "filled.csv"
    run("fit", mails, *BOW, "-o", model)
    rows = [("text", "label"), ("a team", "Sport"), ("x", "sprot"), ("goal", "")]
    said = run("predict", model, write(tmp_path / "new.csv", rows), "-o", filled).stderr
    assert [row["label"] for row in read(filled)] == ["sport", "sprot", "sport"]
    assert "1 label is no class of the model: 'sprot'" in said
    assert "'Sport' as 'sport'" in said


def test_numbers_are_spelt_as_the_model_does(tmp_path):
    rows = [("text", "label"), *[("a team", "0"), ("a bank", "1")] * 10]
    model, filled = tmp_path / "m.npz", tmp_path / "filled.csv"
    run("fit", write(tmp_path / "a.csv", rows), *BOW, "-o", model)
    new = [("text", "label"), ("a team", "0.0"), ("a bank", "1.0"), ("a bank", "")]
    run("predict", model, write(tmp_path / "b.csv", new), "-o", filled)
    assert [row["label"] for row in read(filled)] == ["0", "1", "1"]


def test_a_promise_needs_enough_held_out_documents(mails, tmp_path):
    model = tmp_path / "m.npz"
    run("fit", mails, *BOW, "-o", model)
    ask = ("predict", model, mails, "--unlabelled", "--precision")
    assert "prove no threshold for 0.99" in run(*ask, "0.99", code=1).stderr
    done = run(*ask, "0.7")
    assert "least probability, by 40 held-out documents" in done.stderr
    assert "leave --threshold out" in run(*ask, "0.7", "--threshold", "0.5", code=2).stderr


def test_names_alone_are_enough_to_fill_in_labels(mails, tmp_path):
    names = [("class", "words"), ("sport", "team match"), ("sport", "goal"), ("money", "bank rate")]
    table, model = write(tmp_path / "names.csv", names), tmp_path / "m.npz"
    texts = write(tmp_path / "texts.csv", [("text",), *((row["text"],) for row in read(mails))])
    facts = json.loads(run("fit", texts, "--names", table, *BOW, "-o", model, "--json").stdout)
    assert facts["classes"] == ["money", "sport"] and facts["labelled"] == 0
    said = run("predict", model, "-", given="the goal of the team\nthe bank\n").stdout
    assert [line.split("\t")[1] for line in said.splitlines()] == ["sport", "money"]


def test_a_contest_and_its_model_take_the_same_names(mails, tmp_path):
    found = json.loads(run("evaluate", mails, *BOW, "--names", "labels", "--json").stdout)
    assert found["training"]["names"] == "labels"
    assert "--names labels" in found["advice"]["command"]
    said = run("fit", mails, "-o", tmp_path / "m.npz").stderr
    assert "--names labels, as" in said


@pytest.mark.parametrize("ending", [".csv", ".xlsx", ".tsv"])
def test_what_was_predicted_counts_as_no_label(mails, tmp_path, ending):
    """Not for a check, a contest or a fit, and a second prediction predicts it again."""
    model, filled, again = tmp_path / "m.npz", tmp_path / f"filled{ending}", tmp_path / "again.csv"
    run("fit", mails, *BOW, "-o", model)
    run("predict", model, mails, "-o", filled)
    facts = json.loads(run("check", filled, "--json").stdout)
    assert facts["unlabelled"] == 20
    shown = json.loads(run("evaluate", filled, *BOW, "--json").stdout)
    assert shown["documents"]["labelled"] == 40
    done = run("fit", filled, *BOW, "-o", tmp_path / "n.npz", "--json")
    assert json.loads(done.stdout)["labelled"] == 40
    assert "20 labels with a probability beside" in done.stderr
    assert "20 of 20 documents get a label" in run("predict", model, filled, "-o", again).stderr
    assert json.loads(run("check", filled, "--predicted", "--json").stdout)["unlabelled"] == 0


def test_columns_of_a_training_are_found_by_another_case(mails, tmp_path):
    model, other = tmp_path / "m.npz", tmp_path / "other.csv"
    run("fit", mails, *BOW, "-o", model)
    _, rest = mails.read_text().split("\n", 1)
    other.write_text(f"ID, Text ,LABEL\n{rest}")
    said = run("predict", model, other, "-o", tmp_path / "filled.csv").stderr
    assert "40 documents had a label; 20 of 20 documents get a label" in said
    header = (tmp_path / "filled.csv").read_text().split("\n")[0]
    assert header.rstrip() == "ID, Text ,LABEL,probability"


def test_a_row_that_is_named_is_explained_with_its_label(mails, tmp_path):
    model = tmp_path / "m.npz"
    run("fit", mails, *BOW, "-o", model)
    shown = run("explain", model, mails, "--label", "label", "--rows", "3,50").stdout
    assert {line.split("\t")[0] for line in shown.splitlines()[1:]} == {"3", "50"}
    refused = run("explain", model, mails, "--rows", "m7", code=1).stderr
    assert "no document row m7 is there to explain; they are 2, 3 and 58 more" in refused


def test_a_column_of_ids_is_proposed(mails):
    facts = json.loads(run("check", mails, "--json").stdout)
    assert facts["id"] == "rows are counted; no value of 'id' is there twice: --id id"
    assert json.loads(run("check", mails, "--id", "id", "--json").stdout)["id"] == "id (named)"
