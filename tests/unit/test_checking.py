"""What is said of documents before anything is learnt from them."""

import json
import re
from dataclasses import replace

import pytest

from pte.errors import PteError
from pte.tables.checks import check
from pte.tables.documents import Documents, Finding, merges_of


def documents(labels, texts=None, tests=None, **more):
    """Documents with the given labels, each with a text of its own if none are given."""
    texts = texts or [f"some text about {i}" for i in range(len(labels))]
    return Documents(
        [text.encode() for text in texts],
        [() if label is None else (label,) for label in labels],
        [str(i) for i in range(1, len(labels) + 1)],
        tests=tests,
        **more,
    )


def found(given, *options, **more):
    return {each.what: each for each in check(given, *options, **more).findings}


AB = ["a", "b"] * 10


def test_good_documents_have_no_findings():
    checked = check(documents(AB))
    assert checked.findings == () and checked.is_usable
    assert (checked.documents, checked.unlabelled, checked.empty) == (20, 0, 0)
    assert list(check(documents(["b", *AB, None])).classes.items()) == [("b", 11), ("a", 10)]


def test_all_of_it_goes_into_json_and_what_a_reader_found_comes_first():
    given = documents([*AB, "none"], findings=(Finding("table", "it is odd"),))
    kept = json.loads(json.dumps(check(given).to_mapping()))
    assert (kept["usable"], kept["classes"]["none"]) == (True, 1)
    assert [each["what"] for each in kept["findings"]] == ["table", "single", "odd_label"]


@pytest.mark.parametrize(
    ("labels", "what", "said"),
    [
        ([*AB, "none", "none"], "odd_label", "'none' is a class.* or JSON: --missing none"),
        ([*AB, "-1", "-1"], "odd_label", "--missing -1"),
        ([*AB, "NaN", "NaN"], "odd_label", "'NaN' is a class"),
        ([*AB, "rare"], "single", "1 class has one document only: 'rare'"),
        (
            ["News", "news"] * 9,
            "case",
            r"only by case: 'News' \(9\) and 'news' \(9\); .*: --ignore-case",
        ),
        (["a", "b", "c", "a|b", "b| c"] * 2, "joined_labels", r"hold '\|'.*--separator '\|'"),
        (["a", "b", "a/b", "b/a", "c/d"] * 2, "joined_labels", "--separator '/'"),
        (["a b", "a  b", "c"] * 9, "writing", r"writing: 'a  b' \(9\) and 'a b' \(9\)"),
        (
            ["sport"] * 9 + ["sport\u200b"] * 8,
            "writing",
            r"only by spaces or writing: 'sport' \(9\) and 'sport\\u200b' \(8\); .*"
            r"--same \$'sport\\u200b=sport'",
        ),
        (["caf\u00e9"] * 9 + ["cafe\u0301"] * 8, "writing", r"--same \$'cafe\\u0301=caf\u00e9'"),
        (["\uff53port", "sport"] * 9, "writing", "'sport=\uff53port'|'\uff53port=sport'"),
        (["1"] * 9 + ["1.0"] * 8 + ["0"], "writing", "'1' .9. and '1.0' .8..*--same '1.0=1'"),
        (["a b"] * 9 + ["a\u00a0b"] * 8, "writing", r"--same \$'a\\u00a0b=a b'"),
        (["1e2"] * 9 + ["100"] * 8 + ["0"], "writing", "'100' .8. and '1e2' .9."),
        (["['a']", "['a', 'b']"] * 9, "label_lists", r"look like lists, such as .*: --separator …"),
        (
            ["student"] * 60 + ["studen"] * 3 + ["teacher"] * 5,
            "slips",
            r"by one letter .* 'studen' \(3\) and 'student' \(60\);.*--same 'studen=student'",
        ),
    ],
)
def test_what_is_suspicious_in_labels_is_said(labels, what, said):
    findings = found(documents(labels))
    assert not findings[what].refuse
    with pytest.raises(AssertionError, match=said):
        raise AssertionError(findings[what].message)


@pytest.mark.parametrize(
    "labels", [["a", "b", "c/d", "e/f"], ["a", "b", "a/b"], ["sci/med", "sci/space", "sci/med/x"]]
)
def test_a_character_in_a_label_alone_is_no_separator(labels):
    assert "joined_labels" not in found(documents(labels * 3))


def test_numbers_of_lines_are_called_so():
    given = documents(["a", "b"] * 3, ["one text", "one text", "x", "y", "z", "w"], unit="line")
    findings = found(given)
    assert "such as line 1 and line 2;" in findings["copies"].message
    assert "such as line 1 (a) and line 2 (b)" in findings["contradictions"].message
    given = documents(["a", "b", "a", "c"], ["one text", *"xy", "one text"], [False] * 3 + [True])
    findings = found(replace(given, unit="row"))
    assert "such as row 4;" in findings["leak"].message
    assert "test documents: row 4; label" in findings["untaught"].message


@pytest.mark.parametrize(
    "labels",
    [
        ["student"] * 60 + ["studens"] * 59,  # both are frequent
        ["grade 10"] * 60 + ["grade 1"] * 3,  # a digit is no slip
        ["cat"] * 60 + ["car"] * 3,  # too short to tell
        ["a", "b", "A c", "b c"] * 3,
        ["9007199254740992", "9007199254740993"] * 9,
        [f"l{i // 3}" for i in range(9009)],
        ["1", "10", "1.5", "1,000", "-1.0", "c", "\u00e7"] * 3,
    ],
)
def test_labels_that_may_well_be_meant_are_not_suspicious(labels):
    assert found(documents(labels)) == {}


@pytest.mark.parametrize(
    ("labels", "what", "said"),
    [
        ([None] * 3, "no_label", "no document has a label; name their column: --label …"),
        (["a", None, None], "one_class", "all 1 labelled .* of one class, 'a'"),
        (["a"] * 3, "one_class", "all 3 labelled .* of one class, 'a'; label some of two classes"),
        (["x", "y"], "unique_labels", "each of its 2 labels has one document only"),
        ([f"l{i // 2 * i}" for i in range(41)], "unique_labels", "41 .* 40 classes, such as 'l0'"),
        ([f"a{i}" for i in range(30)], "unique_labels", "30 labels .* these look like ids"),
        ([f"2020-01-{i:02}" for i in range(1, 31)], "unique_labels", "these look like dates"),
        ([f"{i}.5" for i in range(30)], "unique_labels", "these look like numbers"),
        ([f"what I say {i}" for i in range(30)], "unique_labels", "these look like texts"),
    ],
)
def test_labels_that_cannot_be_meant_are_refused(labels, what, said):
    checked = check(documents(labels))
    (refused,) = [each for each in checked.findings if each.refuse]
    assert refused.what == what and re.search(said, refused.message)
    assert not checked.is_usable


def test_documents_without_a_label_are_usable_where_none_is_needed():
    assert found(documents([None] * 3), needs_labels=False) == {}
    assert "one_class" in found(documents(["a"] * 3), needs_labels=False)


@pytest.mark.parametrize(
    ("text", "what", "said"),
    [
        ("2020-01-{:02}", "text_column", "20 of 20 texts are dates"),
        ("1{}.5", "text_column", "texts are numbers"),
        ("id{}", "text_column", "texts are ids; if these are no texts: --text …"),
    ],
)
def test_texts_that_are_rather_none_are_suspicious(text, what, said):
    findings = found(documents(AB, [text.format(i) for i in range(20)]))
    assert said in findings[what].message


def test_empty_texts_are_counted_and_refused_if_all_are():
    texts = ["", " \n", *(f"text {i}" for i in range(18))]
    assert found(documents(AB, texts))["empty"].message == "2 texts are empty"
    findings = found(documents(AB, [" "] * 20))
    assert findings["empty"].refuse and "name their column: --text …" in findings["empty"].message
    assert "copies" not in findings


def test_copies_and_their_contradictions_are_counted():
    texts = [f"text {i}" for i in range(17)] + ["text  1", "text 1 ", "text 2"]
    findings = found(documents(AB, texts))
    assert "3 texts are copies of another, such as 2 and 18" in findings["copies"].message
    assert "2 copies have another label" in findings["contradictions"].message
    assert "such as 2 (b) and 19 (a)" in findings["contradictions"].message


def test_a_split_must_teach_every_class_and_copies_across_it_are_counted():
    tests = [False] * 10 + [True] * 10
    texts = [f"text {i}" for i in range(18)] + ["text 1", "text 17"]
    findings = found(documents(AB, texts, tests))
    assert "1 test document is also in training, such as 19" in findings["leak"].message
    assert "leak" not in found(documents(AB, texts))
    turned = found(documents(AB, texts, [not test for test in tests]))
    assert "such as 2;" in turned["leak"].message
    lacking = found(documents([*AB[:19], "c"], None, tests))["untaught"]
    assert lacking.refuse and "class 'c' has no training document, but" in lacking.message
    for test, lacks in ((False, "test"), (True, "training")):
        findings = found(documents(AB, None, [test] * 20))
        assert f"no document with a label is a {lacks} document" in findings["split"].message


def test_groups_on_both_sides_of_a_split_or_of_all_documents_are_told():
    labels, tests = [*AB[:18], None, "a"], [False] * 10 + [True] * 8 + [False, True]
    groups = ["x", "y", *[None] * 15, "x", "z", "z"]
    given = documents(labels, None, tests, groups=groups)
    message = found(given)["split_groups"].message
    assert message.startswith("1 group has labelled documents in training and in the test: 'x';")
    assert "split_groups" not in found(replace(given, tests=None))
    assert "split_groups" not in found(given.some([i != 17 for i in range(20)]))
    one = documents([*AB, None, None], groups=["ann"] * 20 + ["bob"] * 2)
    message = found(one)["one_group"].message
    assert message.startswith("all 20 labelled documents are of one group, 'ann', so that no fold")
    for free in (None, "bob"):
        assert "one_group" not in found(replace(one, groups=[free, *one.groups[1:]]))
    assert "one_group" not in found(replace(one, tests=[False] * 22))


@pytest.mark.parametrize(
    ("name", "sign"), [("words", "⚽🏆\ufe0f"), ("letters", "12 34"), ("letters_and_digits", "?!")]
)
def test_texts_without_a_word_for_the_tokeniser_are_suspicious(name, sign):
    given = documents(["a", "b"] * 30, [sign] * 40 + ["a text"] * 18 + [" "] * 2)
    finding = found(given, name)["no_words"]
    assert finding.message == (
        f"40 of 58 texts hold no word for the tokeniser `{name}`, such as {sign!r}; `words` or "
        "`whitespace` may"
    )
    assert not finding.refuse
    assert "no_words" not in found(given, "whitespace")
    few = documents(AB, [sign, sign, *(f"text {i}" for i in range(18))])
    assert "no_words" not in found(few, name)


# Labels that are the same, as a user says

GIVEN = [("news",), ("News",), ("News",), ("nwes", "news"), ("a=b",), ()]


@pytest.mark.parametrize(
    ("same", "ignore_case", "merges"),
    [
        ([], False, {}),
        ([], True, {"news": "News"}),
        (["nwes=news"], False, {"nwes": "news"}),
        (["nwes=news", "news=press"], False, {"nwes": "press", "news": "press"}),
        (["news=press", "nwes=news"], False, {"nwes": "press", "news": "press"}),
        (["nwes = News"], True, {"nwes": "News", "news": "News"}),
        (["news=News", "News=news"], False, {"News": "news"}),
    ],
)
def test_labels_become_others(same, ignore_case, merges):
    assert merges_of("a.csv", GIVEN, same, ignore_case) == merges


def test_a_document_has_each_label_once(capsys):
    given = Documents([b"a"] * len(GIVEN), GIVEN, [""] * len(GIVEN))
    merged = given.with_merges("a.csv", {"nwes": "news"})
    assert merged.named[3:] == [("news",), ("a=b",), ()]
    assert "a.csv: 1 label counts as another: 'nwes' is 'news'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("pair", "said"),
    [
        ("newz=News", "a.csv: --same newz=News: no label 'newz'; did you mean '[Nn]e?ws'"),
        ("zzz=News", "no label 'zzz'; leave it out"),
        ("news", "write two labels with = between them, such as sprot=sport"),
        ("news=", "write two labels with = between them"),
    ],
)
def test_a_label_that_is_not_there_is_refused(pair, said):
    with pytest.raises(PteError, match=said):
        merges_of("a.csv", GIVEN, [pair], False)
