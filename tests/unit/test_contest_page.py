"""The page of a contest: what it shows, what it leaves out, and that nothing gets out of it."""

import re
from copy import deepcopy
from html.parser import HTMLParser
from pathlib import Path
from unittest import mock

import numpy as np
import pytest

from pte.classify import page as page_module
from pte.classify.page import FIRST, page_of, write_page
from pte.errors import PteError

HOSTILE = "<script>alert('1')</script> & \"x\" onload=1"
ALL_SECTIONS = [
    "Look at these first",
    *("Methods", "How sure", "More labels", "Classes", "Confusions", "Where this comes from"),
]
VOID = {"meta"}
REVIEWS = "1 star", "2 stars", "3 stars", "4 stars", "5 stars"
TOPICS = "economy", "elections", "football", "health", "research", "theatre"


def method(name, label, micro, macro, seconds, **more):
    """A method 6.5 points on both sides of its micro-F1; 66.6 is the best."""
    behind = round(micro - 66.6, 1)
    best = {"difference": 0.0, "difference_interval": [0.0, 0.0], "as_good": True}
    other = {
        "difference": behind,
        "difference_interval": [round(behind - 4.1, 1), round(behind + 4.3, 1)],
        "as_good": behind + 4.3 >= 0,
    }
    return {
        "method": name,
        "label": label,
        "control": False,
        "micro_f1": micro,
        "micro_f1_interval": [round(micro - 6.8, 1), round(micro + 6.1, 1)],
        "macro_f1": macro,
        "macro_f1_interval": [round(macro - 7.3, 1), round(macro + 6.9, 1)],
        **(other if behind else best),
        "seconds": seconds,
        "chosen": [{"c": 10.0}],
        "per_class": [],
        "confusions": [],
    } | more


def per_class(names, first=48.2):
    """The scores of classes, each better than the one before."""
    return [
        {
            "class": name,
            "precision": round(first + 2 + 31.7 * i / len(names), 1),
            "recall": round(first - 1 + 32.9 * i / len(names), 1),
            "f1": round(first + 32 * i / len(names), 1),
            "documents": 40 + 7 * i,
        }
        for i, name in enumerate(names)
    ]


EXAMPLES = [
    {"id": "17", "text": "Quiet room, friendly staff, and the breakfast was very good."},
    {"id": "1203", "text": "We stayed four nights in May. The bed was soft and the street noisy…"},
]
CONFUSIONS = [
    {"true": true, "predicted": said, "documents": n, "examples": examples}
    for true, said, n, examples in (
        ("4 stars", "5 stars", 14, EXAMPLES),
        ("2 stars", "1 star", 9, [{"id": "88", "text": "Not what the pictures show."}]),
        ("3 stars", "4 stars", 6, []),
    )
]

MAJORITY = {
    "control": True,
    "as_good": False,
    "chosen": [],
    "per_class": [
        {"class": name, "precision": p, "recall": r, "f1": f1, "documents": 40}
        for name, p, r, f1 in [(each, 0.0, 0.0, 0.0) for each in REVIEWS[:-1]]
        + [(REVIEWS[-1], 23.5, 100.0, 38.1)]
    ],
}


def scored(name, label, *scores, **more):
    return method(name, label, *scores, per_class=per_class(REVIEWS, scores[1] - 15), **more)


@pytest.fixture
def reviews():
    """The contest on a file of reviews, of which few have a label."""
    curve = zip((25, 50, 100, 200), (41.2, 48.8, 56.9, 64.1), strict=True)
    return {
        "format": 1,
        "file": "reviews.csv",
        "date": "2026-11-26T12:00:00+00:00",
        "seed": 1,
        "documents": {"all": 5200, "labelled": 200, "unlabelled": 5000, "tested": 200}
        | {"empty": 2, "without_known_word": 3},
        "several_labels": False,
        "classes": [{"class": name, "documents": 40} for name in REVIEWS],
        "folds": {"kind": "stratified", "folds": 5, "repeats": 2},
        "methods": [
            scored(
                "pte_auto",
                "PTE(auto)",
                66.6,
                61.0,
                8.6,
                chosen=[{"c": 1.0, "samples": 12000000}, {"c": 2.0}],
            ),
            scored("pte_joint_bow", "PTE(joint)+BOW", 65.9, 60.2, 14.2),
            scored("bow", "BOW", 64.1, 58.7, 0.4, confusions=CONFUSIONS),
            scored("bow_pairs", "BOW with pairs", 63.8, 58.1, 1.1),
            scored("nb_em", "NB+EM", 61.2, 54.4, 2.3, chosen=[]),
            scored(
                "fasttext", "fastText", 57.0, 50.1, 31.5, chosen=[{"epochs": 25, "bigrams": True}]
            ),
            scored("pvdbow", "PVDBOW", 52.8, 46.0, 22.0),
            scored("line", "LINE(Gww+Gwd)", 49.9, 43.7, 18.9),
            method("majority", "majority class", 23.5, 7.6, 0.0, **MAJORITY),
        ],
        "not_run": [
            {"method": "cnn", "label": "CNN", "why": "it does not fit into 5 minutes"},
            {"method": "glove", "label": "GloVe", "why": "its package is not installed"},
        ],
        "advice": {
            "method": "bow",
            "label": "BOW",
            "best": "pte_auto",
            "sure": False,
            "more_labels": 340,
            "lead": "Use BOW: 64.1 % of 200 test documents are right (57.3–70.2), and it learns "
            "in half a second.",
            "sentences": [
                "PTE(auto) has the highest score, 66.6 %, in 8.6 seconds. The test documents "
                "cannot tell it from BOW.",
                "With about 340 more labelled documents they could.",
                "To name the largest class every time would be right for 23.5 %.",
            ],
            "command": "pte fit reviews.csv --label stars --method bow -o reviews.npz",
        },
        "curve": [{"labels": n, "micro_f1": score} for n, score in curve],
        "expected": {
            "labels": 200,
            "micro_f1": 67.2,
            "micro_f1_interval": [60.1, 73.0],
            "sentence": "`pte fit` learns from all 200: expect about 67.2 %.",
        },
        "forecast": {
            "labels": 400,
            "micro_f1": 70.1,
            "sentence": "Twice as many labels would bring BOW to a micro-F1 of about 70.1.",
        },
        "dropped": [
            {"method": "svm", "label": "SVM", "micro_f1": 50.2, "documents": 80, "best": 66.1}
        ],
        "not_asked": ["Skip-gram", "PVDM"],
        "sure": {
            "log_loss": 0.876,
            "levels": [
                {"probability": p, "documents": n, "right": right, "unlabelled": 20 * n}
                for p, n, right in (
                    (0.5, 150, 71.3),
                    (0.7, 60, 84.7),
                    (0.8, 9, 91.2),
                    (0.9, 0, None),
                )
            ],
            "bins": [
                {"documents": 20, "probability": 38.5 + 6 * i, "right": 35.0 + 6.5 * i}
                for i in range(10)
            ],
        },
        "warnings": [
            "3 test documents have no word that a training document has.",
            "2 documents have no word.",
        ],
        "made": {
            "version": "0.1.0",
            "commit": "34a942b",
            "machine": "AMD EPYC 7B13, 2 processors",
            "python": "3.11.5",
        },
    }


@pytest.fixture
def topics(reviews):
    """The contest on messages that may have several topics; one of them is not tested."""
    methods = [
        method("bow", "BOW", 66.6, 64.3, 1.9, per_class=per_class(TOPICS)),
        method("pte_joint", "PTE(joint)", 59.0, 55.5, 140.4, per_class=per_class(TOPICS, 41)),
        method("majority", "majority class", 30.3, 12.0, 0.0, control=True, as_good=False),
    ]
    for each in methods[:2]:
        each["per_class"][2] |= {"documents": 0, "precision": 0.0, "recall": 0.0, "f1": 0.0}
    return reviews | {
        "file": "messages.jsonl",
        "several_labels": True,
        "sure": None,
        "dropped": [],
        "classes": [{"class": name, "documents": 300} for name in TOPICS],
        "folds": {"kind": "given", "folds": 1, "repeats": 1},
        "documents": reviews["documents"] | {"all": 12345, "tested": 2100, "labelled": 12345},
        "methods": methods,
        "not_run": [],
        "advice": {
            "method": "bow",
            "label": "BOW",
            "best": "bow",
            "sure": True,
            "more_labels": None,
            "lead": "Use BOW: its micro-F1 over the labels of 2,100 test documents is 66.6, and no "
            "other method comes near it.",
            "sentences": [],
            "command": "pte fit messages.jsonl --label topics --method bow -o messages.npz",
        },
        "curve": [],
        "expected": None,
        "forecast": None,
        "warnings": [],
    }


class Element:
    """An element of a page, with what is inside."""

    def __init__(self, name, given=()):
        self.name, self.given, self.inside = name, dict(given), []

    def all(self, *names):
        """The elements below that have one of these names, in the order of the page."""
        found = []
        for each in self.inside:
            if isinstance(each, Element):
                found += [each] if each.name in names or not names else []
                found += each.all(*names)
        return found

    @property
    def text(self):
        return "".join(each if isinstance(each, str) else each.text for each in self.inside)


class Reader(HTMLParser):
    """Reads a page into a tree. It fails where elements do not nest."""

    def __init__(self, page):
        super().__init__()
        self.open = [Element("page")]
        self.feed(page)
        self.close()
        (self.root,) = self.open

    def handle_starttag(self, tag, attrs):
        self.open[-1].inside.append(Element(tag, attrs))
        if tag not in VOID:
            self.open.append(self.open[-1].inside[-1])

    def handle_endtag(self, tag):
        assert self.open.pop().name == tag

    def handle_data(self, data):
        self.open[-1].inside.append(data)


def drawn(contest):
    """The page of a contest."""
    return Reader(page_of(contest)).root


def read(contest):
    """The page without its pictures, which take most of the time."""
    nothing = dict.fromkeys(("methods_chart", "curve_chart"), lambda *_: "")
    with mock.patch.multiple(page_module, **nothing):
        return drawn(contest)


def titles(root):
    return [each.text for each in root.all("h2")]


def section(root, title):
    return [s for s in root.all("section") if [h.text for h in s.all("h2")] == [title]][-1]


def table(root, label):
    """The cells of the table with this label, as text: a list for each row, the header first."""
    (found,) = [div for div in root.all("div") if div.given.get("aria-label") == label]
    return [[cell.text for cell in line.all("th", "td")] for line in found.all("tr")]


def summaries(root):
    return [each.text for each in root.all("summary")]


@pytest.fixture(params=["reviews", "topics"])
def contest(request):
    return request.getfixturevalue(request.param)


def with_classes(contest, many):
    """The same contest with so many classes."""
    names = [f"class number {i}" for i in range(many)]
    methods = [each | {"per_class": per_class(names)} for each in contest["methods"]]
    return contest | {
        "classes": [{"class": name, "documents": 10} for name in names],
        "methods": methods,
    }


def hostile(value, key=""):
    """The same JSON, in which every text that people or files can give is an attack."""
    if isinstance(value, dict):
        return {name: hostile(each, name) for name, each in value.items()}
    if isinstance(value, list):
        return [hostile(each, key) for each in value]
    fixed = key in ("date", "kind", "method", "best")
    return value + HOSTILE if isinstance(value, str) and not fixed else value


def test_the_first_screen_says_what_to_do(contest):
    answer = drawn(contest).all("main")[0].all("section")[0]
    lead, command = answer.all("p")[0], answer.all("pre")[0]
    assert (lead.text, command.text) == (contest["advice"]["lead"], contest["advice"]["command"])
    said = [each.text for each in answer.all("p")]
    assert [each for each in said if each in contest["advice"]["sentences"]] == contest["advice"][
        "sentences"
    ]
    assert f"{contest['documents']['tested']:,} test documents" in answer.all("figcaption")[0].text
    assert len(answer.all("svg")) == 1


def test_everything_is_shown_where_there_is_something(reviews, topics):
    assert titles(read(reviews)) == ALL_SECTIONS
    assert titles(read(topics)) == ["Methods", "Classes", "Where this comes from"]


@pytest.mark.parametrize(
    ("key", "nothing", "title"),
    [
        ("warnings", [], "Look at these first"),
        ("curve", [], "More labels"),
        ("several_labels", True, "Confusions"),
    ],
)
def test_what_is_not_there_has_no_section(reviews, key, nothing, title):
    root = read(reviews | {key: nothing})
    assert titles(root) == [each for each in ALL_SECTIONS if each != title]
    assert title not in [link.text for link in root.all("a")]


def test_headings_ids_links_and_headers_of_tables_are_in_order(contest):
    root = read(contest)
    heads = [each.name for each in root.all("h1", "h2", "h3", "h4", "h5", "h6")]
    assert heads[0] == "h1" and set(heads[1:]) == {"h2"}
    (body,) = root.all("body")
    assert [e.name for e in body.inside if isinstance(e, Element)] == ["header", "main"]
    (nav,) = body.all("nav")
    assert nav.given["aria-label"]
    assert root.all("html")[0].given["lang"] == "en"
    assert contest["file"] in root.all("title")[0].text

    ids = [each.given["id"] for each in root.all() if "id" in each.given]
    assert len(ids) == len(set(ids))
    asked = [each.given["href"].removeprefix("#") for each in root.all("a")]
    for each in root.all():
        asked += each.given.get("aria-labelledby", "").split()
    assert asked and set(asked) <= set(ids)

    assert len(root.all("table")) > 2
    for each in root.all("table"):
        head, *lines = each.all("tr")
        assert {cell.given["scope"] for cell in head.all("th")} == {"col"}
        for line in lines:
            first, *others = line.all("th", "td")
            assert first.given["scope"] == "row"
            assert [cell.name for cell in others] == ["td"] * (len(head.all("th")) - 1)


def test_pictures_have_a_title_and_a_description_with_the_numbers(reviews):
    for picture in drawn(reviews).all("svg"):
        title, told = picture.all("title")[0], picture.all("desc")[0]
        assert picture.given["role"] == "img"
        named = f"{title.given['id']} {told.given['id']}"
        assert picture.given["aria-labelledby"] == named
        if title.text == "right against sure":
            assert told.text.startswith("35 right of 38; 42 right of 44")
            assert dots(picture).size == 10 and (np.diff(dots(picture)) > 0).all()
        elif title.text == "micro-F1 with fewer labels":
            assert told.text.endswith("56.9 with 100 labels; 64.1 with 200 labels")
        else:
            assert {"BOW", "PTE(auto)", "64.1"} <= set(re.findall(r"[\w.()]+", told.text))


def test_the_page_needs_nothing_else(contest):
    page = page_of(hostile(contest))
    root = Reader(page).root
    assert not root.all("script", "link", "img", "iframe", "object", "form")
    given = {name for each in root.all() for name in each.given}
    assert not {"src", "srcset", "action", "data"} & given
    assert not [name for name in given if name.startswith("on")]
    (style,) = root.all("style")
    assert not re.search(r"@import|url\(|https?:", style.text)
    (policy,) = [each for each in root.all("meta") if "http-equiv" in each.given]
    assert policy.given["content"].startswith("default-src 'none'")


def test_every_text_is_escaped(reviews):
    attacked = hostile(reviews)
    page = page_of(attacked)
    assert "<script" not in page
    root = Reader(page).root
    assert root.all("pre")[0].text == attacked["advice"]["command"]
    assert attacked["file"] in root.all("h1")[0].text
    assert [each.text for each in section(root, "Look at these first").all("li")] == attacked[
        "warnings"
    ]
    (first, *_) = table(root, "Confusions")[1:]
    (example, *_) = attacked["methods"][2]["confusions"][0]["examples"]
    assert example["text"] in first[3] and example["id"] in first[3]
    told = section(root, "Where this comes from").text
    assert all(attacked["made"][key] in told for key in ("version", "commit", "machine", "python"))


def test_the_table_of_methods_has_the_numbers_of_the_contest(reviews):
    lines = table(read(reviews), "All methods")
    assert lines[1] == ["PTE(auto)", "66.6 59.8–72.7", "61.0 53.7–67.9", "best ", "8.6"]
    assert lines[3] == [
        *("BOW advised", "64.1 57.3–70.2", "58.7 51.4–65.6", "−2.5 −6.6 to +1.8", "0.4")
    ]
    assert [line[0] for line in lines[1:-1]] == [
        each["label"] + (" advised" if each["method"] == "bow" else "")
        for each in reviews["methods"][:-1]
    ]
    assert lines[-1][0] == "majority class control"
    for line, each in zip(lines[1:], reviews["methods"], strict=True):
        assert line[1].split()[0] == str(each["micro_f1"])
        assert line[2].split()[0] == str(each["macro_f1"])


def dots(picture):
    """The places of the dots of a picture, across, in their order."""
    return np.array([float(each.given["x"]) for each in picture.all("use")])


def test_dots_stand_where_the_axis_says(reviews):
    picture = drawn(reviews).all("svg")[0]
    rivals = [each for each in reviews["methods"] if not each["control"]]
    shown = [each.text for each in picture.all("text")]
    assert {f"{each['label']}  {each['micro_f1']:.1f}" for each in rivals} <= set(shown)
    places, scores = dots(picture), [each["micro_f1"] for each in rivals]
    slope, height = np.polyfit(scores, places, 1)
    assert slope > 0 and height + slope * np.array(scores) == pytest.approx(places, abs=0.01)


def test_a_control_is_a_dashed_line_or_an_arrow(reviews):
    reviews |= {"curve": [], "expected": None, "forecast": None, "sure": None}
    picture = str(page_of(reviews))
    assert "stroke-dasharray" in picture and " majority class 23.5" in picture
    reviews["methods"][-1]["micro_f1"] = 3.2
    picture = page_of(reviews)
    assert "stroke-dasharray" not in picture and "← majority class 3.2" in picture


def test_a_contest_of_one_method_without_a_control_has_a_picture(topics):
    topics["methods"][0] |= {"micro_f1": 100.0, "micro_f1_interval": [100.0, 100.0]}
    root = drawn(topics | {"methods": topics["methods"][:1]})
    assert dots(root).size == 1
    assert [line[0] for line in table(root, "All methods")] == ["method", "BOW advised"]


def test_methods_that_did_not_run_are_folded_with_the_reason(reviews, topics):
    methods = section(read(reviews), "Methods")
    assert summaries(methods) == [
        *("What was chosen", "1 method was dropped on the way", "2 methods were not run")
    ]
    assert table(methods, "Dropped")[1] == ["SVM", "50.2", "80", "66.1"]
    assert "--all: Skip-gram, PVDM." in methods.text
    told = [each.text for each in methods.all("li")]
    assert told == [f"{each['label']}: {each['why']}" for each in reviews["not_run"]]
    one = read(reviews | {"not_run": reviews["not_run"][:1]})
    assert "1 method was not run" in summaries(one)
    assert summaries(section(read(topics), "Methods")) == ["What was chosen"]


def test_the_page_says_how_sure_predictions_are(reviews, topics):
    lines = table(section(read(reviews), "How sure"), "How sure")
    assert lines[1] == ["at least 0.5", "150", "71.3", "3,000"]
    assert lines[-1] == ["at least 0.9", "0", "", "0"]
    reviews["documents"]["unlabelled"] = 0
    assert "without a label" not in table(read(reviews), "How sure")[0]
    assert "How sure" not in page_of(topics)


def test_what_was_chosen_is_told(reviews):
    lines = table(read(reviews), "What was chosen")[1:]
    assert ["PTE(auto)", "C = 1.0, edges = 12,000,000; C = 2.0"] in lines
    assert ["fastText", "epochs = 25, bigrams = yes"] in lines
    assert "NB+EM" not in [line[0] for line in lines]
    for each in reviews["methods"]:
        each["chosen"] = []
    assert "What was chosen" not in summaries(read(reviews))


def test_no_line_ends_within_an_option(reviews):
    reviews["warnings"] = ["read as cp1252 -- is that so? Else: --encoding …"]
    reviews["advice"]["command"] = "pte fit a--b.csv --label stars"
    page = read(reviews)
    kept = [each.text for each in page.all("span") if each.given.get("class") == "option"]
    assert kept == ["--label", "--encoding"]
    texts = [each.text for each in (*page.all("code"), *page.all("li"))]
    assert {reviews["advice"]["command"], reviews["warnings"][0]} <= set(texts)


def test_the_curve_of_the_advised_method_has_a_dashed_forecast(reviews):
    found = section(drawn(reviews), "More labels")
    places = dots(found)
    assert places.size == 4 + 2  # of the line, and of the forecast
    assert np.diff(places[:4]) == pytest.approx(np.full(3, places[1] - places[0]), abs=0.01)
    ahead = [reviews["expected"]["sentence"], reviews["forecast"]["sentence"]]
    assert [each.text for each in found.all("p")[:2]] == ahead
    without = section(drawn(reviews | {"expected": None, "forecast": None}), "More labels")
    assert "Dashed" in found.text and "Dashed" not in without.text and dots(without).size == 4


def test_a_curve_may_have_one_number_of_labels(reviews):
    curve = reviews["curve"]
    one = section(
        drawn(reviews | {"curve": curve[:1], "expected": None, "forecast": None}), "More labels"
    )
    assert dots(one).size == 1


def test_classes_begin_with_the_lowest_f1(reviews):
    lines = table(read(reviews), "Classes")
    assert lines[1] == ["1 star", "43.7", "45.7", "42.7", "40"]
    assert [float(line[1]) for line in lines[1:]] == sorted(float(line[1]) for line in lines[1:])
    every = table(read(reviews), "F1")
    assert every[0] == ["class", *(each["label"] for each in reviews["methods"])]
    assert every[1][:4] == ["1 star", "46.0", "45.2", "43.7"]
    assert [line[-1] for line in every[1:]] == ["0.0", "0.0", "0.0", "0.0", "38.1"]


def test_a_class_without_a_test_document_has_no_score(topics):
    root = read(topics)
    assert table(root, "Classes")[-1] == ["football", "—", "—", "—", "0"]
    assert table(root, "F1")[-1] == ["football", "—", "—", "—"]
    assert "1 class has no test document." in section(root, "Classes").text
    topics["methods"][0]["per_class"][0]["documents"] = 0
    assert "2 classes have no test document." in section(read(topics), "Classes").text


def test_confused_classes_come_with_beginnings_of_documents(reviews):
    lines = table(read(reviews), "Confusions")[1:]
    assert [line[:3] for line in lines] == [
        ["4 stars", "5 stars", "14"],
        ["2 stars", "1 star", "9"],
        ["3 stars", "4 stars", "6"],
    ]
    first, second = reviews["methods"][2]["confusions"][0]["examples"]
    (examples,) = [line[3] for line in lines[:1]]
    assert examples == f"17: {first['text']}1203: {second['text']}"
    assert lines[2][3] == ""


def test_no_confusion_is_told_in_a_sentence(reviews):
    reviews["methods"][2] |= {"confusions": []}
    found = section(read(reviews), "Confusions")
    assert "predicts the class of every test document right" in found.text
    assert not found.all("table")


def test_of_many_classes_the_first_are_shown_and_the_others_folded(reviews):
    root = read(with_classes(reviews, 30))
    found = section(root, "Classes")
    assert len(table(found, "Classes")) == FIRST + 1
    assert len(table(found, "Classes, the others")) == 30 - FIRST + 1
    assert f"The other {30 - FIRST}" in summaries(found)


@pytest.mark.parametrize(
    ("kind", "folds", "repeats", "told"),
    [
        ("stratified", 5, 2, ["into 5 parts, with the same shares", "This was done 2 times"]),
        ("grouped", 3, 1, ["into 3 parts, with all documents of a group in the same one"]),
        ("given", 1, 1, ["The file says which documents are for the test."]),
    ],
)
def test_folds_are_told_in_words(reviews, kind, folds, repeats, told):
    given = {"kind": kind, "folds": folds, "repeats": repeats}
    found = section(read(reviews | {"folds": given}), "Where this comes from").text
    for each in told:
        assert each in found
    assert ("This was done" in found) == (repeats > 1)


def test_where_it_comes_from_is_told(reviews):
    found = section(read(reviews), "Where this comes from")
    names = [each.text for each in found.all("dt")]
    told = dict(zip(names, [each.text for each in found.all("dd")], strict=True))
    assert told["Documents"] == "5,200, of which 200 have a label and 5,000 have none"
    assert told["Empty documents"] == "2"
    assert told["Documents without a known word"] == "3"
    assert told["Made"] == "26 November 2026, 12:00 UTC"
    assert told["By"] == "pte 0.1.0 (commit 34a942b), Python 3.11.5"
    assert told["Seed"] == "1"
    reviews["made"]["commit"] = None
    assert "pte 0.1.0, Python 3.11.5" in section(read(reviews), "Where this comes from").text


def test_readers_see_no_words_of_the_program(contest):
    (body,) = read(contest).all("body")
    assert not re.search(r"\bT\b|to the best\b(?! method)|sorts|None|nan|True|False", body.text)


def test_the_file_is_written_and_the_contest_stays(reviews, tmp_path):
    before = deepcopy(reviews)
    write_page(reviews, tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text("utf-8") == page_of(reviews)
    assert reviews == before
    with pytest.raises(PteError, match="no such folder"):
        write_page(reviews, tmp_path / "nowhere" / "page.html")


def test_what_is_no_unicode_is_written_all_the_same(reviews, tmp_path):
    write_page(reviews | {"warnings": ["half a letter: \ud83d"]}, tmp_path / "page.html")
    assert "half a letter: ?" in (tmp_path / "page.html").read_text("utf-8")


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one, other):
    dark, light = sorted([luminance(one), luminance(other)])
    return (light + 0.05) / (dark + 0.05)


def test_letters_and_marks_stand_out_on_light_and_on_dark_paper():
    style = Path(page_module.__file__).with_name("page.css").read_text("utf-8")
    modes = [
        dict(re.findall(r"--([\w]+): (#\w{6})", rules))
        for rules in re.findall(r":root \{([^}]*--ink[^}]*)\}", style)
    ]
    assert len(modes) == 2 and modes[0].keys() == modes[1].keys()
    for mode in modes:
        for name in mode.keys() - {"paper", "line", "soft"}:
            needed = 3 if name == "grey" else 4.5
            assert contrast(mode[name], mode["paper"]) >= needed, name
        assert contrast(mode["ink"], mode["soft"]) >= 7
