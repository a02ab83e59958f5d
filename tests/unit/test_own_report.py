"""The page of a user's own text and the files beside it."""

import csv
import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from pte.corpora.document import Document
from pte.corpora.encode import encode
from pte.corpora.encoded import TEST, TRAIN, to_lines
from pte.corpora.tokenise import TOKENISERS
from pte.errors import PteError
from pte.evaluation import liblinear
from pte.evaluation.metrics import score
from pte.evaluation.record import Run, Scored, Spent, write_score, write_unavailable
from pte.evaluation.setting import ClassifierChoice
from pte.files import read_json, write_json
from pte.selection.unlabelled import Predicted, predict_unlabelled
from pte.spreadsheets import spreadsheet_safe, without_guard
from pte.training.contract import ONE_LABEL, ORDER_LOST
from pte_study.configuration.entries import Row
from pte_study.report import own_intervals as own_intervals_module
from pte_study.report.own_classes import class_cells, confusion_cells
from pte_study.report.own_confusions import confused_pairs
from pte_study.report.own_contest import contest, seconds_of
from pte_study.report.own_excerpts import HEAVIEST, LENGTH, TextFile, excerpts
from pte_study.report.own_files import write_classes, write_predictions, write_vectors
from pte_study.report.own_intervals import intervals, own_intervals
from pte_study.report.own_page import (
    Shown,
    predictions_section,
    untested,
    verdict_section,
    why_another,
    write_own_page,
)
from pte_study.report.own_scores import idle, said, scores_cells, write_contest
from pte_study.report.own_verdict import verdict
from pte_study.report.own_warnings import warnings
from pte_study.report.own_words import class_centres, common_words, nearest
from pte_study.report.provenance import Gathered

HOSTILE = ("<script>alert(1)</script>", "=cmd|' /C calc'!A0", r"\input{x}", "$x_1$")
ROWS = (
    Row("majority", "majority class", "", "control"),
    Row("bow", "BOW", "", "baseline"),
    Row("cnn", "CNN", "", "predictive"),
    Row("pte_joint", "PTE(joint)", "", "predictive"),
    Row("fasttext", "fastText", "", "extra"),
)


def documents(classes, train, test, unlabelled=0):
    """Documents whose class is told by a word of its own."""
    made = []
    for part, n in ((TRAIN, train), (TEST, test)):
        made += [
            Document(f"word{i} all this".encode(), name, part)
            for i, name in enumerate(classes)
            for _ in range(n)
        ]
    more = [Document(b"=word0 all", None, TRAIN) for _ in range(unlabelled)]
    return made + more


def with_ids(corpus):
    return replace(corpus, id_lines=to_lines(f"d{i}" for i in range(corpus.n_documents)))


def as_written(path, corpus):
    """A file of the documents with other white space, and with what tokenisers drop."""
    lines = [
        json.dumps({"id": name, "text": f"{text}\n(**Why?**)"})
        for name, text in zip(corpus.ids, corpus.beginnings(), strict=True)
    ]
    path.write_text("\n".join(lines), "utf-8")
    return TextFile(path, "json_lines", {"text": "text", "label": "", "id": "id"})


@pytest.fixture(scope="module", params=[("good", "bad"), HOSTILE], ids=["plain", "hostile"])
def corpus(request):
    found = with_ids(encode(documents(request.param, 12, 6, 3), TOKENISERS["whitespace"]))
    return replace(found, meta=found.meta | {"archive": {"file": "a.csv", "sha256": "0" * 64}})


def write_run(folder, corpus, row, predicted):
    truth = np.asarray(corpus.labels[corpus.documents(TEST)])
    stem = folder / "results" / "scores" / "mine" / row.name / "chosen" / "seed1"
    run = Run("mine", row.name, "chosen", 1)
    if predicted is None:
        write_unavailable(stem, run, "not installed: pip install pte[fasttext]")
    else:
        choice = ClassifierChoice(10.0) if row.name in ("bow", "pte_joint") else None
        found = Scored(predicted, score(truth, predicted, corpus.classes), choice, 0.5)
        write_score(stem, run, Spent(5, 1.0), found)
    return stem.with_name("seed1.json")


@pytest.fixture(scope="module")
def files(tmp_path_factory, corpus):
    """Score files: BOW errs once, CNN never, PTE(joint) on half, fastText is not there.

    Tests share them and only read them.
    """
    folder = tmp_path_factory.mktemp("scores")
    truth = np.array(corpus.labels[corpus.documents(TEST)])
    once, half = truth.copy(), truth.copy()
    once[0] = (once[0] + 1) % corpus.n_classes
    half[::2] = (half[::2] + 1) % corpus.n_classes
    predicted = [np.zeros_like(truth), once, truth, half, None]
    return {
        row: write_run(folder, corpus, row, each) for row, each in zip(ROWS, predicted, strict=True)
    }


SECONDS = {"majority": 1.0, "bow": 3.0, "cnn": 40.0, "pte_joint": 20.0, "fasttext": 0.5}


def test_the_best_and_those_within_noise_of_it(corpus, files):
    found = contest(corpus, files, SECONDS)
    frame = found.frame.set_index("method")
    assert found.best == "cnn"
    assert found.cheapest == "bow"
    assert frame["as_good"].to_dict() == {
        "majority": False,
        "bow": True,
        "cnn": True,
        "pte_joint": False,
        "fasttext": False,
    }
    assert frame.loc["pte_joint", "high"] < 0
    assert (
        frame.loc["bow", "low"] < frame.loc["bow", "difference"] < frame.loc["bow", "high"] + 1e-9
    )
    lines = " ".join(verdict(found))
    assert lines.startswith("Use BOW: ")
    assert "CNN has the highest score, 100.0\N{NO-BREAK SPACE}%" in lines
    assert "BOW is within noise of it" in lines
    assert "Why BOW: of the methods that cannot be told apart, it scores best among" in lines
    assert "those that take at most 10 seconds." in lines


def test_seconds_that_nobody_notices_do_not_decide(corpus, files):
    soon = contest(corpus, files, SECONDS | {"bow": 1.0, "cnn": 9.0})
    assert soon.cheapest == "cnn"
    little = contest(corpus, files, SECONDS | {"bow": 11.0, "cnn": 22.0})
    assert little.cheapest == "cnn"
    much = contest(corpus, files, SECONDS | {"bow": 11.0, "cnn": 23.0})
    assert much.cheapest == "bow"
    assert "at most 22 seconds, twice as long as the quickest." in " ".join(verdict(much))


def test_of_methods_that_score_alike_the_quicker_one_is_best(corpus, tmp_path):
    truth = np.array(corpus.labels[corpus.documents(TEST)])
    alike = {row: write_run(tmp_path, corpus, row, truth) for row in ROWS[1:]}
    found = contest(corpus, alike, SECONDS)
    assert (found.best, found.cheapest) == ("fasttext", "fasttext")
    assert "It has the highest score." in " ".join(verdict(found))


def test_a_lone_winner_is_said_to_be_one(corpus, files):
    few = {row: path for row, path in files.items() if row.name in ("cnn", "pte_joint")}
    lines = verdict(contest(corpus, few, SECONDS))
    assert lines[0].startswith("Use CNN: 100.0\N{NO-BREAK SPACE}%")
    assert "No other method comes within noise of it." in lines


def test_without_a_score_there_is_one_error(corpus, files):
    none = {row: path for row, path in files.items() if row.name in ("fasttext", "majority")}
    with pytest.raises(PteError, match="no method has a score"):
        contest(corpus, none, SECONDS)


def test_intervals_are_those_of_a_normal_approximation():
    rng = np.random.default_rng(1)
    truth = np.zeros(2000, np.int32)
    better, worse = (rng.random(2000) > 0.1).astype(int), (rng.random(2000) > 0.2).astype(int)
    low, high = intervals(truth, {"a": 1 - better, "b": 1 - worse}, "a")["b"]
    wins = 100.0 * (worse - better)
    error = 1.96 * wins.std() / 2000**0.5
    assert low == pytest.approx(wins.mean() - error, abs=0.25)
    assert high == pytest.approx(wins.mean() + error, abs=0.25)


def test_the_interval_of_a_score_is_that_of_wilson():
    truth = np.zeros(240, np.int32)
    most, all_right = np.repeat([0, 1], [173, 67]), truth
    found = own_intervals(truth, {"most": most, "all": all_right})
    assert found["most"] == pytest.approx((66.1, 77.4), abs=0.1)
    assert found["all"] == pytest.approx((98.4, 100), abs=0.1)


def test_the_interval_of_a_score_over_several_labels(monkeypatch):
    monkeypatch.setattr(own_intervals_module, "DRAWS", 500)
    truth = np.ones((200, 2), bool)
    said = truth.copy()
    said[:60] = False
    low, high = own_intervals(truth, {"a": said})["a"]
    assert low < 200 * 280 / 680 < high
    assert 5 < high - low < 15


def test_the_verdict_has_the_interval_and_counts_copies(corpus, files):
    found = contest(corpus, files, SECONDS)
    lines, n = verdict(found), found.documents
    score = "91.7\N{NO-BREAK SPACE}% (65–99)" if n == 12 else "95.8\N{NO-BREAK SPACE}% (80–99)"
    assert f"{score} of {n} test documents right" in lines[0]
    assert "95 % interval" in lines[1]
    assert f"{n} test documents are copies of a training document, word for word" in lines[2]
    one = " ".join(verdict(replace(found, copies=1)))
    assert "1 test document is a copy of a training document, word for word" in one
    assert "copies" not in " ".join(verdict(replace(found, copies=0)))
    narrow = found.frame.assign(micro_f1_low=95.0, micro_f1_high=96.5)
    assert "(95.0–96.5)" in verdict(replace(found, frame=narrow))[0]


def test_the_file_and_the_page_show_the_same_seconds(tmp_path, corpus, files):
    cost = tmp_path / "cost.json"
    write_json(cost, {"seconds": 5.5512})
    found = contest(corpus, files, seconds_of({name: [str(cost)] for name in SECONDS}))
    write_contest(found, ["bow"], tmp_path)
    (shown,) = set(scores_cells(pd.read_csv(tmp_path / "scores.csv"))["seconds"])
    assert shown == "5.6"
    assert "| 5.6 |" in (tmp_path / "scores.md").read_text("utf-8")


def test_intervals_of_documents_with_several_labels(monkeypatch):
    monkeypatch.setattr(own_intervals_module, "DRAWS", 100)
    truth = np.array([[1, 0, 1], [0, 1, 0]] * 50, bool)
    found = intervals(truth, {"a": truth.astype(np.uint8), "b": ~truth}, "a")
    assert found["a"] == (0, 0)
    assert found["b"] == (-100, -100)


def test_seconds_are_those_of_all_jobs(tmp_path):
    for name, seconds in (("fit", 2.5), ("score", 0.5)):
        write_json(tmp_path / f"{name}.json", {"seconds": seconds})
    needed = {"a": [str(tmp_path / "fit.json"), str(tmp_path / "score.json")], "b": []}
    assert seconds_of(needed) == {"a": 3.0, "b": 0}


def test_the_table_names_what_has_no_score(corpus, files):
    cells = scores_cells(contest(corpus, files, SECONDS).frame).set_index("method")
    assert list(cells.index)[:2] == ["CNN", "BOW"]
    assert cells.loc["CNN", "micro-F1"] == "**100.00**"
    assert cells.loc["fastText", "micro-F1"].startswith("not installed")


@pytest.mark.parametrize("reason", [ONE_LABEL, ORDER_LOST])
def test_methods_that_cannot_run_share_a_sentence(corpus, files, tmp_path, reason):
    found = contest(corpus, files, SECONDS)
    found.frame.loc[found.frame["method"] == "fasttext", "unavailable"] = reason
    assert "fastText" not in list(scores_cells(found.frame)["method"])
    (said,) = idle(found.frame)
    assert said.startswith("Not run, because ") and said.endswith(": fastText.")
    write_contest(found, ["bow"], tmp_path)
    assert said in (tmp_path / "scores.md").read_text("utf-8")
    assert reason in (tmp_path / "scores.csv").read_text("utf-8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory, corpus, files):
    """A finished page, which tests share and only read."""
    base = tmp_path_factory.mktemp("page")
    made = base / "results" / "own" / "mine"
    vectors = np.random.default_rng(0).standard_normal((corpus.n_words, 4)).astype(np.float32)
    write_contest(contest(corpus, files, SECONDS), ["bow", "pte_joint"], made)
    text = as_written(base / "text.jsonl", corpus)
    asked = np.flatnonzero(corpus.labels < 0)
    sure = np.array([1 / corpus.n_classes, 0.75, 0.75])
    guesses = Predicted(asked, np.arange(asked.size, dtype=np.int32) % 2, sure)
    write_predictions(corpus, guesses, made, text)
    write_vectors(corpus, vectors, made)
    curve = []
    for share in (10, 50):
        for name in ("bow", "pte_joint"):
            path = base / f"{share}-{name}.json"
            values = {"corpus": f"mine-labelled{share}-seed1", "method": name, "seed": 1}
            write_json(path, values | {"protocol": "chosen", "micro_f1": 50.0, "macro_f1": 40.0})
            curve.append(path)
    shown = Shown(
        corpus=corpus,
        text=text,
        scores=list(files.values()),
        curve=curve,
        curve_rows=[ROWS[1], ROWS[3]],
        vectors=vectors,
        vectors_of="pte_joint",
        here=Gathered({"commit": "abc"}, {}, ()),
        file="<i>mine</i>.csv",
        minutes=1,
        samples_limit=3_000_000,
        left_out={"PVDM": 100.0},
        order_lost=False,
        labels={row.name: row.label for row in ROWS},
    )
    write_own_page(shown, made)
    return made


def test_labels_reach_the_page_as_text(folder, corpus):
    page = (folder / "index.html").read_text("utf-8")
    assert "<script>alert" not in page
    assert "<i>mine" not in page
    if corpus.classes[0] not in ("good", "bad"):
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
        assert r"\input{x}" in page
        assert "$x_1$" in page
        assert "&#39;=cmd" not in page
    for title in ("On your text", "Methods", "With fewer labels", "Classes", "Confusions", "Words"):
        assert f">{title} <a class=" in page
    assert "Left out, because they were not expected to fit into 1 minute, with" in page
    assert "PVDM (100 s)" in page


def test_the_page_says_nothing_of_the_study(folder):
    page = (folder / "index.html").read_text("utf-8")
    for word in ("sensitivity", "Archives of a mirror", "piece", "over seeds", "the paper"):
        assert word not in page


def test_no_cell_of_a_csv_is_a_formula(folder):
    for name in ("predictions", "per_class", "confusion", "scores"):
        with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))
        assert len(rows) > 1
        text = [cell for row in rows for cell in row]
        assert not [c for c in text if c[:1] in "=+@" and c], name


def test_predictions_name_documents_and_beginnings(folder, corpus):
    frame = pd.read_csv(folder / "predictions.csv")
    assert len(frame) == 3
    assert list(frame["confidence"])[1:] == [0.75] * 2
    assert frame["beginning"].iloc[0] == "'=word0 all (**Why?**)"


def test_a_document_without_a_known_word_gets_no_label(folder, corpus):
    frame = pd.read_csv(folder / "predictions.csv", keep_default_na=False)
    assert list(frame.loc[0, ["label", "confidence"]]) == ["", ""]
    assert all(frame["label"][1:])
    page = (folder / "index.html").read_text("utf-8")
    assert "BOW predicts the labels of 2 documents. It knows no word of 1 more from other" in page
    assert page.count("=word0 all (**Why?**)") == 2


def test_vectors_can_be_read_again(folder, corpus):
    saved = np.load(folder / "vectors.npz")
    lines = (folder / "vectors.txt").read_text("utf-8").splitlines()
    assert lines[0] == f"{corpus.n_words} 4"
    assert lines[1].split()[0] == saved["words"][0] == corpus.words[0].decode()
    assert np.allclose(
        [float(x) for x in lines[1].split()[1:]], saved["word_vectors"][0], rtol=1e-5
    )
    first = corpus.counts[[0]] @ saved["word_vectors"] / corpus.counts[[0]].sum()
    assert np.allclose(saved["document_vectors"][0], first, rtol=1e-5)


def test_the_terminal_gets_the_verdict_and_the_page(folder):
    lines = said(folder / "index.html").splitlines()
    assert lines[0].startswith("mine: Use BOW: ")
    assert lines[-1] == f"Page: {folder / 'index.html'}"


def test_the_predictor_has_a_classifier(folder):
    kept = read_json(folder / "verdict.json")
    assert (kept["recommended"], kept["predictor"]) == ("bow", "bow")
    assert kept["choice"] == {"c": 10.0, "unit_length": False}


def test_another_method_predicts_where_the_recommended_one_cannot(tmp_path, corpus, files):
    found = contest(corpus, files, SECONDS | {"cnn": 0.1})
    assert found.cheapest == "cnn"
    write_contest(found, ["bow", "pte_joint"], tmp_path)
    kept = read_json(tmp_path / "verdict.json")
    assert kept["predictor"] == "bow"
    (said,) = why_another(kept, tmp_path)
    assert said.startswith("CNN gives no confidence, so the best of the methods that do takes its")
    assert said.endswith(f"BOW, with a micro-F1 of {found.frame['micro_f1'][1]:.1f}.")
    assert why_another(kept | {"predictor": "cnn"}, tmp_path) == []


def test_documents_without_a_label_are_predicted(corpus):
    features = np.zeros((corpus.n_documents, corpus.n_classes), np.float32)
    labels = np.array(corpus.labels)
    features[labels >= 0, labels[labels >= 0]] = 1
    features[labels < 0, 1] = 1
    found = predict_unlabelled(corpus, features, {"c": 10.0, "unit_length": False})
    assert list(found.classes) == [1, 1, 1]
    assert ((found.confidence > 1 / corpus.n_classes) & (found.confidence < 1)).all()


@pytest.fixture
def several():
    """Documents of the classes a, b and a with c; c is nowhere the first. Two have no label."""
    made = []
    for i in range(60):
        part = TEST if i % 4 == 3 else TRAIN
        labels = (("a",), ("b",), ("a", "c"))[i % 3]
        text = " ".join(["the", *(f"is{name}" for name in labels)])
        made.append(Document(text.encode(), labels[0], part, labels[1:]))
    made += [Document(b"the isb", None, TRAIN), Document(b"the isa isc", None, TRAIN)]
    return encode(made, TOKENISERS["whitespace"])


def features_of_words(corpus):
    return np.asarray(corpus.counts.toarray(), np.float32)


def test_documents_of_several_labels_are_predicted(several, tmp_path):
    found = predict_unlabelled(several, features_of_words(several), {"c": 10.0})
    assert found.documents.tolist() == [60, 61]
    assert found.classes.tolist() == [[False, True, False], [True, False, True]]
    assert ((found.confidence > 0.5) & (found.confidence < 1)).all()
    write_predictions(several, found, tmp_path, None, "|")
    assert list(pd.read_csv(tmp_path / "predictions.csv")["label"]) == ["b", "a|c"]


def test_a_document_that_shares_no_word_gets_no_label(tmp_path):
    texts = (b"the isb", b"alone lonely", b"")
    made = [Document(f"the is{name}".encode(), name, TRAIN) for name in "ab"]
    corpus = encode(
        [*made, *(Document(text, None, TRAIN) for text in texts)], TOKENISERS["whitespace"]
    )
    guesses = Predicted(np.array([2, 3, 4]), np.array([1, 1, 1], np.int32), np.full(3, 0.8))
    write_predictions(corpus, guesses, tmp_path, None)
    frame = pd.read_csv(tmp_path / "predictions.csv", keep_default_na=False)
    assert list(frame["label"]) == ["b", "", ""]
    assert list(frame["confidence"]) == ["0.80", "", ""]


def test_a_document_may_have_none_of_several_classes(several, tmp_path):
    guesses = Predicted(np.array([60]), np.zeros((1, 3), bool), np.array([0.6]))
    write_predictions(several, guesses, tmp_path, None)
    frame = pd.read_csv(tmp_path / "predictions.csv", keep_default_na=False)
    assert list(frame["label"]) == [""]
    assert list(frame["confidence"]) == [0.6]


def test_the_page_counts_several_labels_and_empty_predictions(several, tmp_path):
    shown = SimpleNamespace(corpus=several, text=None)
    labels = {"labels": {"bow": "BOW"}, "predictor": "bow", "recommended": "bow"}
    section = verdict_section(shown, labels | {"said": ["Use BOW."]})
    assert section.text[-1].endswith(" 20 documents have several labels.")
    guesses = Predicted(np.array([60, 61]), np.array([[0, 0, 0], [1, 0, 1]], bool), np.full(2, 0.6))
    write_predictions(several, guesses, tmp_path, None)
    section = predictions_section(shown, labels, tmp_path)
    assert "2 documents. Empty labels, where no class is likely: 1. predictions" in section.text[0]
    assert list(section.tables[""]["heaviest words"]) == ["isb the", "isc isa the"]


def test_the_confidence_is_that_in_the_least_certain_class(several):
    features = features_of_words(several)
    known = np.flatnonzero((several.split == TRAIN) & (several.labels >= 0))
    weights = liblinear.fit_each(features[known], several.targets(known), 10.0).weights
    odds = np.abs(features[60:] @ weights).min(axis=1)
    found = predict_unlabelled(several, features, {"c": 10.0})
    assert found.confidence == pytest.approx(1 / (1 + np.exp(-odds)))


def test_further_labels_count_as_the_first_does(several):
    vectors = np.eye(several.n_words, dtype=np.float32)
    near = nearest(vectors, class_centres(several, vectors), np.arange(several.n_words))
    assert [several.words[words[0]] for words in near[1:]] == [b"isb", b"isc"]
    rows = [{"class": n, "precision": 1, "recall": 1, "f1": 1, "documents": 5} for n in "abc"]
    cells = class_cells(rows, several).set_index("class")
    assert cells["labelled for training"].to_dict() == {"a": "30", "b": "15", "c": "15"}
    assert "fewer than" not in " ".join(warnings(several, False, 200))


def test_the_verdict_on_several_labels_speaks_of_labels(corpus, files):
    runs = {row: path for row, path in files.items() if row.name != "cnn"}
    found = replace(contest(corpus, runs, SECONDS), several=True)
    lines = verdict(found)
    assert "micro-F1 is" in lines[0]
    assert "over the labels of" in lines[0]
    frame = found.frame.assign(micro_f1=found.frame["micro_f1"].where(found.frame.index > 0))
    assert "nan" not in " ".join(verdict(replace(found, frame=frame)))


def test_no_document_without_a_label_is_no_fault():
    full = encode(documents(("a", "b"), 4, 2), TOKENISERS["whitespace"])
    features = np.zeros((full.n_documents, 2), np.float32)
    assert predict_unlabelled(full, features, {"c": 1.0}).documents.size == 0


@pytest.mark.parametrize("text", ["=1+1", "+1+1", "-1-1", "@x", "\tx", "\rx", "\nx"])
def test_a_formula_becomes_text(text):
    assert spreadsheet_safe(text).startswith("'")
    assert "\n" not in spreadsheet_safe(text)


@pytest.mark.parametrize("text", ["a = b, «c»", "-1", "+1", "-0.5"])
def test_other_text_and_numbers_stay(text):
    assert spreadsheet_safe(text) == without_guard(text) == text


@pytest.mark.parametrize("text", ["=1+1", "@x", "'a'"])
def test_readers_see_what_was_guarded(text):
    assert without_guard(spreadsheet_safe(text)) == text


def test_confused_pairs_have_an_example(tmp_path):
    found = with_ids(encode(documents(("a", "b", "c"), 4, 4), TOKENISERS["whitespace"]))
    text = as_written(tmp_path / "text.jsonl", found)
    predicted = np.array(found.labels[found.documents(TEST)])
    predicted[:3], predicted[4] = 1, 2
    cells = confused_pairs(found, predicted, text)
    assert list(cells["true class"] + cells["taken for"] + cells["documents"]) == ["ab3", "bc1"]
    assert cells["one begins"].iloc[0] == "word0 all this (**Why?**)"
    assert confused_pairs(found, np.asarray(found.labels[found.documents(TEST)]), text).empty
    words = confused_pairs(found, predicted, None)["one has these words"].iloc[0]
    assert words == "word0 all this"


def test_beginnings_are_short_lines(tmp_path):
    made = [Document(b"a b", "x", TRAIN), Document(b"c", "y", TRAIN), Document(b"d", "x", TRAIN)]
    corpus = with_ids(encode(made, TOKENISERS["whitespace"]))
    lines = [{"id": "d0", "text": "\n Daemon to \t LOCK\nfiles,\u00ab!\u00bb"}]
    lines += [{"id": "d1", "text": "ö" * 5000}]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    text = TextFile(tmp_path / "a.jsonl", "json_lines", {"text": "text", "label": "", "id": "id"})
    first, second, third = excerpts(corpus, np.arange(3), text)
    assert first == "Daemon to LOCK files,«!»"
    assert second == "ö" * (LENGTH - 1) + "…"
    assert third == ""
    assert excerpts(corpus, np.arange(0), text) == []


def test_bags_of_words_show_each_heavy_word_once():
    texts = [b"the the the sh sh sh sh name", b" ".join(b"w%d" % i for i in range(30)), b""]
    made = [Document(text, "a", TRAIN) for text in (*texts, b"the", b"the", b"the")]
    corpus = encode(made, TOKENISERS["whitespace"])
    first, second, third = excerpts(corpus, np.arange(3), None)
    assert first == "sh the name"
    assert len(second.split()) == HEAVIEST
    assert third == ""


def test_a_large_matrix_is_not_on_the_page():
    assert confusion_cells([[1] * 21] * 21, [str(i) for i in range(21)]) is None
    assert confusion_cells([[3, 0], [1, 2]], ["a", "b"]).to_numpy().tolist() == [
        ["a", "**3**", ""],
        ["b", "1", "**2**"],
    ]


def test_several_labels_have_no_confusion(tmp_path):
    row = {"class": "a", "precision": 1.0, "recall": 1.0, "f1": 1.0, "documents": 2}
    write_classes({"per_class": [row], "confusion": None}, ["a"], tmp_path)
    assert "several labels" in (tmp_path / "confusion.csv").read_text()


def test_a_class_without_test_documents_has_no_score():
    rows = [
        {"class": "a", "precision": 0.0, "recall": 0.0, "f1": 0.0, "documents": 0},
        {"class": "b", "precision": 0.0, "recall": 0.0, "f1": 0.0, "documents": 3},
    ]
    cells = class_cells(rows)
    assert list(cells["class"]) == ["b", "a"]
    assert list(cells["F1"]) == list(cells["recall"]) == ["0.0", "—"]
    (said,) = untested(rows)
    assert said.startswith("1 class has no test document: a. The F1 there is unknown")
    assert untested(rows[1:]) == ()


def test_classes_come_with_their_training_documents(corpus):
    rows = [
        {"class": name, "precision": 1, "recall": 1, "f1": f1, "documents": 6}
        for f1, name in enumerate(corpus.classes)
    ]
    cells = class_cells(rows, corpus)
    assert list(cells["class"]) == list(reversed(corpus.classes))
    assert set(cells["labelled for training"]) == {"12"}


def test_nearest_words_and_centres():
    found = encode(documents(("a", "b", "c"), 5, 1), TOKENISERS["whitespace"])
    vectors = np.eye(found.n_words, dtype=np.float32)
    every = np.arange(found.n_words)
    near = nearest(vectors, class_centres(found, vectors), every)
    assert [found.words[words[0]] for words in near] == [b"word0", b"word1", b"word2"]
    points = np.array([[1, 0], [1, 0.1], [0, 1], [0.9, 0]], np.float32)
    assert nearest(points, points[:1], np.array([0, 1, 2]))[0] == [0, 1, 2]
    left = nearest(points, points[:1], np.array([0, 1, 2]), [0])
    assert left[0][:2] == [1, 2]


def test_rare_words_are_no_neighbours():
    found = encode(
        [Document(b"a b c d e f g h i", "x", TRAIN)] * 5 + [Document(b"a rare", "y", TRAIN)],
        TOKENISERS["whitespace"],
    )
    assert b"rare" in found.words
    assert b"rare" not in [found.words[word] for word in common_words(found)]
    few = encode(documents(("a", "b"), 2, 1), TOKENISERS["whitespace"])
    assert common_words(few).size == few.n_words


def test_warnings_say_what_to_look_at():
    made = documents(("a", "b"), 9, 1)
    made += [Document(b"word0 all", "a", TRAIN) for _ in range(100)]
    made += [Document(b"", "a", TRAIN), Document(b"unknown", "a", TEST)]
    found = encode(made, TOKENISERS["whitespace"])
    found = replace(found, meta=found.meta | {"warnings": ["Letters were dropped."]})
    lines = " ".join(warnings(found, True, 3))
    for part in (
        "Letters were dropped.",
        "counts of words and not their order",
        "only 3 test documents",
        "1 document has no word",
        "1 test document has no word that",
        "1 class has fewer than 10 labelled training documents: b.",
        "of the labels are a",
    ):
        assert part in lines


def test_nothing_wrong_is_no_warning():
    made = [
        Document(f"{name} {part} {i}".encode(), name, part)
        for name in "ab"
        for part, n in ((TRAIN, 20), (TEST, 60))
        for i in range(n)
    ]
    found = encode(made, TOKENISERS["whitespace"])
    assert warnings(found, False, 120) == ()
