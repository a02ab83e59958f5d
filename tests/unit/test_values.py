import re
from pathlib import Path

import pytest

from pte.errors import PteError
from pte.report.values import documents_here, drifts, write_values

ROOT = Path(__file__).parents[2]
TABLE = """corpus,method,labelled,micro_mean,label
mr,bow,1,77.25,BOW
mr,bow,100,79.04,BOW
mr,cnn,100,75.5,CNN
"""


@pytest.fixture
def published(tmp_path):
    (tmp_path / "short.csv").write_text(TABLE)
    return tmp_path


@pytest.fixture
def text(tmp_path):
    def write(what, number="1.0"):
        path = tmp_path / "text.md"
        path.write_text(f"It has <!-- value: {what} -->{number}<!-- end --> points.\n")
        return path

    return write


@pytest.mark.parametrize(
    ("what", "number"),
    [
        ("short[mr, cnn].micro_mean", "75.50"),
        ("short[mr, bow, labelled=1].micro_mean", "77.2"),
        ("short[-, -, labelled=1].micro_mean", "77"),
        ("short[mr, bow, labelled=100].micro_mean - short[mr, cnn].micro_mean", "3.5"),
        ("short[mr, cnn].micro_mean + short[mr, cnn].labelled", "175.5"),
    ],
)
def test_a_number_is_that_of_its_table_with_the_decimals_of_the_text(published, text, what, number):
    path = text(what, number)
    assert drifts([path], published) == []
    old = "0." + "1" * len(number.partition(".")[2])
    path = text(what, old if "." in number else "0")
    (drift,) = drifts([path], published)
    assert (drift.what, drift.published) == (what, number)
    assert write_values([path], published) == [path]
    assert path.read_text() == f"It has <!-- value: {what} -->{number}<!-- end --> points.\n"
    assert write_values([path], published) == []


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("short[mr, bow].micro_mean", "2 rows of short.csv"),
        ("short[mr, pte].micro_mean", "0 rows of short.csv"),
        ("short[mr, cnn].micro", "no column micro"),
        ("short[mr, cnn, share=1].micro_mean", "no column share"),
        ("short[mr, cnn].label", "is no number"),
        ("tall[mr, cnn].micro_mean", "tall.csv is not published"),
        ("short[mr, cnn].micro_mean * 2", "write it as"),
        ("short", "write it as"),
    ],
)
def test_a_marker_that_names_no_number_is_an_error(published, text, what, message):
    with pytest.raises(PteError, match=message) as error:
        drifts([text(what)], published)
    assert "text.md" in str(error.value)


def test_every_marked_number_is_the_published_one():
    documents = documents_here(ROOT)
    assert ROOT / "docs/findings.md" in documents
    assert drifts(documents, ROOT / "results/published") == []


def test_markers_are_well_formed():
    for document in documents_here(ROOT):
        written = document.read_text("utf-8")
        assert written.count("<!-- value:") == written.count("<!-- end -->"), document
        # A comment at the start of a line would end the paragraph.
        assert not re.search(r"^ *<!-- value:", written, re.M), document
