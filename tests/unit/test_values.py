import re
from pathlib import Path

import pytest

from pte.errors import PteError
from pte_study.report.values import documents_here, drifts, write_values

ROOT = Path(__file__).parents[2]
SCORE = re.compile(r"(?<![\d.,])\d\d\.\d{1,2}(?![\d.])")
GENERATED = re.compile(
    r"<!-- (?P<name>[\w/-]+): begin -->.*?<!-- (?P=name): end -->"
    r"|<!-- value: [^>]+?>[^<]*|```.*?```|`[^`]*`",
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


def test_a_table_is_that_of_its_measurements(tmp_path):
    (tmp_path / "measured").mkdir()
    (tmp_path / "measured/steps.csv").write_text(",a|b,a|b\nmr,76.50,\n")
    path = tmp_path / "text.md"
    around = "Before.\n\n<!-- measured/steps: begin -->{}<!-- measured/steps: end -->\n"
    path.write_text(around.format("\n"))
    table = "|  | a\\|b | a\\|b |\n| :-- | --: | --: |\n| mr | 76.50 |  |"
    (drift,) = drifts([path], tmp_path)
    assert (drift.what, drift.shown, drift.published) == ("measured/steps", "", table)
    assert write_values([path], tmp_path) == [path]
    assert path.read_text() == around.format(f"\n\n{table}\n\n")
    assert drifts([path], tmp_path) == []
    (tmp_path / "measured/steps.csv").unlink()
    with pytest.raises(PteError, match=r"steps\.csv is not there"):
        drifts([path], tmp_path)


def test_no_score_is_typed():
    """What looks like one has a marker, is in a table made from data, or is of the paper."""
    of_the_paper = (ROOT / "workflow/registry/paper_results.csv").read_text("utf-8")
    typed = {
        (document.name, number)
        for document in documents_here(ROOT)
        for number in SCORE.findall(GENERATED.sub("", document.read_text("utf-8")))
        if number not in of_the_paper
    }
    assert typed == set()


def test_every_measurement_is_shown_and_has_a_source():
    files = {path.name for path in (ROOT / "results/published/measured").glob("*.csv")}
    texts = "".join(document.read_text("utf-8") for document in documents_here(ROOT))
    shown = re.findall(r"<!-- (?:value: )?measured/([\w-]+)[:[]", texts)
    assert {f"{name}.csv" for name in shown} == files
    sources = (ROOT / "results/published/measured/README.md").read_text("utf-8")
    assert set(re.findall(r"\(([\w-]+\.csv)\)", sources)) == files


def test_markers_are_well_formed():
    for document in documents_here(ROOT):
        written = document.read_text("utf-8")
        assert written.count("<!-- value:") == written.count("<!-- end -->"), document
        # A comment at the start of a line would end the paragraph.
        assert not re.search(r"^ *<!-- value:", written, re.M), document
