import re
from pathlib import Path

import pytest

from pte.errors import PteError
from pte_study.report.values import PHRASES, documents_here, drifts, sources_of, write_values

ROOT = Path(__file__).parents[2]
SCORE = re.compile(r"(?<![\d.,])\d\d\.\d{1,2}(?![\d.])")
GENERATED = re.compile(
    r"<!-- (?P<name>[\w/-]+): begin -->.*?<!-- (?P=name): end -->"
    r"|```.*?```|`[^`]*`",
    re.DOTALL,
)
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
    """Write a page with a number, and where the number is from."""

    def write(what, number="1.0", page="It has {} points.\n"):
        path = tmp_path / "README.md"
        path.write_text(page.format(number))
        (tmp_path / "docs").mkdir(exist_ok=True)
        (tmp_path / PHRASES).write_text(f"README.md\n    has {{{what}}} points.\n")
        return path

    return write


@pytest.mark.parametrize(
    ("what", "number"),
    [
        ("short[mr, cnn].micro_mean", "75.50"),
        ("short[mr, bow, labelled=1].micro_mean", "77.2"),
        ("short[-, -, labelled=1].micro_mean", "77"),
        ("short[mr, bow, labelled=100].micro_mean - short[mr, cnn].micro_mean", "3.5"),
    ],
)
def test_a_number_is_that_of_its_table_with_the_decimals_of_the_text(published, text, what, number):
    text(what, number)
    assert drifts(published, published) == []
    old = "0." + "1" * len(number.partition(".")[2])
    path = text(what, old if "." in number else "0")
    (drift,) = drifts(published, published)
    assert (drift.what, drift.published) == (what, number)
    assert write_values(published, published) == [path]
    assert path.read_text() == f"It has {number} points.\n"
    assert write_values(published, published) == []


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
def test_a_source_that_names_no_number_is_an_error(published, text, what, message):
    text(what)
    with pytest.raises(PteError, match=message) as error:
        drifts(published, published)
    assert "README.md" in str(error.value)


@pytest.mark.parametrize(
    ("page", "times"), [("It had {} points.", 0), ("It has {0} points. He has {0} points.", 2)]
)
def test_a_phrase_that_a_page_does_not_have_once_is_an_error(published, text, page, times):
    text("short[mr, cnn].micro_mean", "75.5", page)
    with pytest.raises(PteError, match=rf"values\.txt: .*README\.md has .* {times} times"):
        drifts(published, published)


def test_a_phrase_goes_over_ends_of_lines_and_needs_a_document(published, text):
    text("short[mr, cnn].micro_mean", "75.5", "It has\n{}\npoints.\n")
    assert drifts(published, published) == []

    text("short[mr, cnn].micro_mean", "75.5").unlink()
    with pytest.raises(PteError, match=r"'README\.md' is no document"):
        drifts(published, published)


def test_every_number_and_table_with_a_source_is_the_published_one():
    assert drifts(ROOT, ROOT / "results/published") == []


def test_a_table_is_that_of_its_measurements(tmp_path):
    (tmp_path / "measured").mkdir()
    (tmp_path / "measured/steps.csv").write_text(",a|b,a|b\nmr,76.50,\n")
    path = tmp_path / "README.md"
    around = "Before.\n\n<!-- measured/steps: begin -->{}<!-- measured/steps: end -->\n"
    path.write_text(around.format("\n"))
    table = "|  | a\\|b | a\\|b |\n| :-- | --: | --: |\n| mr | 76.50 |  |"
    (drift,) = drifts(tmp_path, tmp_path)
    assert (drift.what, drift.shown, drift.published) == ("measured/steps", "", table)
    assert write_values(tmp_path, tmp_path) == [path]
    assert path.read_text() == around.format(f"\n\n{table}\n\n")
    assert drifts(tmp_path, tmp_path) == []
    (tmp_path / "measured/steps.csv").unlink()
    with pytest.raises(PteError, match=r"steps\.csv is not there"):
        drifts(tmp_path, tmp_path)


def test_no_score_is_typed():
    """What looks like one has a source, is in a table made from data, or is of the paper."""
    of_the_paper = (ROOT / "workflow/registry/paper_results.csv").read_text("utf-8")
    typed = set()
    for document in documents_here(ROOT):
        text = document.read_text("utf-8")
        for start, end in sources_of(document, ROOT):
            text = text[:start] + "#" * (end - start) + text[end:]
        typed |= {(document.name, number) for number in SCORE.findall(GENERATED.sub("", text))}
    assert {each for each in typed if each[1] not in of_the_paper} == set()


def test_every_measurement_has_a_source():
    measured = ROOT / "results/published/measured"
    files = {path.name for path in measured.glob("*.csv")}
    sources = (measured / "README.md").read_text("utf-8")
    assert set(re.findall(r"\(([\w-]+\.csv)\)", sources)) == files
