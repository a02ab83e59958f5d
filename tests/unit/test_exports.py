"""Exports of tools that label texts are read by what they are."""

import json

import pytest

from pte.errors import PteError
from pte.tables.documents import read_labelled

TEXTS = ["late goal", "the rate", "a team", "no idea"]
LABELS = [("sport",), ("money",), ("sport",), ()]
PLAIN = [
    {"text": text, **({"label": labels[0]} if labels else {})}
    for text, labels in zip(TEXTS, LABELS, strict=True)
]


def studio(text, labels):
    choice = {"type": "choices", "value": {"choices": list(labels)}, "from_name": "topic"}
    cancelled = {"result": [{"value": {"choices": ["other"]}}], "was_cancelled": True}
    given = [{"result": [choice], "was_cancelled": False}] if labels else [cancelled]
    return {"id": len(text), "data": {"text": text}, "annotations": given, "predictions": []}


def prodigy(text, labels):
    options = [{"id": name, "text": name} for name in ("sport", "money")]
    answer = "accept" if labels else "reject"
    accepted = list(labels) or ["money"]
    return {"text": text, "options": options, "accept": accepted, "answer": answer}


def argilla(text, labels):
    given = {"label": [{"value": labels[0], "user_id": "u"}]} if labels else {}
    return {"id": text, "fields": {"text": text}, "responses": given, "status": "completed"}


EXPORTS = {
    "Label Studio": studio,
    "Prodigy": prodigy,
    "Argilla": argilla,
    "Argilla 1": lambda text, labels: {
        "inputs": {"text": text},
        "annotation": labels[0] if labels else "sport",
        "status": "Validated" if labels else "Default",
    },
    "spaCy": lambda text, labels: {
        "text": text,
        "cats": {name: float(name in labels) for name in ("sport", "money")},
    },
}
OBJECTS = {
    "data": {"version": "1", "data": PLAIN},
    "table": {"schema": {"fields": [{"name": "text"}]}, "data": PLAIN},
    "split": {
        "columns": ["text", "label"],
        "index": [0, 1, 2, 3],
        "data": [[row["text"], row.get("label")] for row in PLAIN],
    },
    "AskUbuntu": {"name": "x", "entities": [{"a": 1}], "sentences": PLAIN},
    "Rasa": {
        "rasa_nlu_data": {
            "common_examples": [
                {"text": each["text"], "label": each.get("label")} for each in PLAIN
            ],
            "lookup_tables": [{"name": "x"}],
        }
    },
    "CLINC": {
        "train": [[row["text"], row["label"]] for row in PLAIN[:2]],
        "val": [[row["text"], row.get("label")] for row in PLAIN[2:]],
    },
}


def check_read(path, **values):
    documents = read_labelled(str(path), {"text": "text", "label": "label", **values})
    assert [bytes(each).decode() for each in documents.texts] == TEXTS
    assert documents.named == LABELS


@pytest.mark.parametrize("ending", ["json", "jsonl"])
@pytest.mark.parametrize("name", EXPORTS)
def test_an_export_is_read(name, ending, tmp_path, capsys):
    rows = [EXPORTS[name](*each) for each in zip(TEXTS, LABELS, strict=True)]
    path = tmp_path / f"export.{ending}"
    lines = "\n".join(map(json.dumps, rows))
    path.write_text(json.dumps(rows) if ending == "json" else lines)
    check_read(path)
    assert f"read as an export of {name}" in capsys.readouterr().err


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("name", OBJECTS)
def test_an_object_that_holds_the_list_is_read(name, indent, tmp_path):
    path = tmp_path / "export.json"
    path.write_text(json.dumps(OBJECTS[name], indent=indent))
    check_read(path)


def test_lists_under_two_keys_are_not_chosen_among(tmp_path):
    path = tmp_path / "export.json"
    path.write_text(json.dumps({"old": PLAIN, "new": PLAIN}))
    with pytest.raises(PteError, match=r"lists of objects are under \['new', 'old'\]"):
        check_read(path)


def test_choices_in_a_cell_are_several_labels(tmp_path):
    path = tmp_path / "export.csv"
    cell = '"{""choices"":[""sport"",""money""]}"'
    path.write_text(f"text,label\nlate goal,{cell}\nthe rate,money\n")
    documents = read_labelled(str(path), {})
    assert documents.named == [("sport", "money"), ("money",)]


@pytest.mark.parametrize("joined", ["a#b", "a; other", "b|a"])
def test_labels_that_hold_several_are_noticed(joined):
    from collections import Counter

    from pte.tables.label_checks import label_findings

    other = joined.replace("a", "c").replace("other", "a")
    classes = Counter({"a": 9, "b": 9, joined: 4, other: 3})
    named = [(name,) for name in classes.elements()]
    found = {each.what: each.message for each in label_findings(named, classes, True)}
    assert "--separator" in found["joined_labels"]


def test_names_with_commas_and_slashes_are_no_several_labels():
    from collections import Counter

    from pte.tables.label_checks import label_findings

    classes = Counter({"signs, symptoms": 5, "Sci/Tech": 5, "eyes, ears": 5, "and/or": 5})
    named = [(name,) for name in classes.elements()]
    assert "joined_labels" not in {each.what for each in label_findings(named, classes, True)}


@pytest.mark.parametrize("part", ["dev", "val", "validation", "Train"])
def test_parts_for_choosing_train(part, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(f"text,label,split\na,x,train\nb,y,{part}\nc,x,test\n")
    assert read_labelled(str(path), {"split": "split"}).tests == [False, False, True]
