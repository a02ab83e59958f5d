"""Tables of documents: the overviews of scores, and by how much PTE(auto) is ahead."""

from pathlib import Path

import pandas as pd
import pytest

from pte_study.render.tables import as_printed, markdown_table, spread, write_into
from pte_study.report.publish import leads, over_the_best, study_here
from pte_study.report.summaries import DESIGN_NOTE, IN_README, caveats, overview, short_overview
from pte_study.report.verdicts import counts_of_sentences, read_verdicts

ROOT = Path(__file__).parents[2]
NAN = float("nan")
FRAME = pd.DataFrame(
    [
        ("dblp", "BOW", 77.516, 75.28),
        ("dblp", "PTE(joint)", 77.5, NAN),
        ("mr", "BOW", NAN, 71.9),
        ("mr", "PTE(joint)", 74.34, 73.58),
    ],
    columns=["corpus", "label", "micro_mean", "reference_micro"],
)


def rows(table):
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]


def test_a_row_a_method_and_a_column_a_corpus():
    header, _, *body = rows(overview([FRAME[:2], FRAME[2:]]).strip())
    assert header == ["micro-F1", "dblp", "mr"]
    assert body == [["BOW", "77.52 (75.28)", "—"], ["PTE(joint)", "77.50", "74.34 (73.58)"]]


def test_the_chosen_setting_comes_first_with_the_best_in_bold():
    chosen = FRAME.assign(chosen_micro_mean=[78.9, NAN, NAN, NAN])
    chosen.loc[1, "chosen_micro_mean"] = 79.251
    first, above, second, below = overview([chosen[:2], chosen[2:]]).split("\n\n")
    assert "held-out" in first and "in brackets" in second
    header, _, *body = rows(above)
    assert header == ["micro-F1", "dblp"]
    assert body == [["BOW", "78.90"], ["PTE(joint)", "**79.25**"]]
    assert below == overview([FRAME[:2], FRAME[2:]])


def test_the_short_table_has_ten_methods_and_the_best_in_bold():
    assert len(IN_README) == 10
    frame = FRAME.assign(method=["bow", "pte_joint"] * 2, chosen_micro_mean=FRAME["micro_mean"])
    others = frame.assign(method="cnn", label="CNN", chosen_micro_mean=99.0)
    header, _, *body = rows(short_overview([pd.concat([frame, others])]))
    assert header == ["micro-F1", "dblp", "mr"]
    assert body == [["BOW", "**77.52**", "—"], ["PTE(joint)", "77.50", "**74.34**"]]
    assert rows(short_overview([frame.drop(columns="chosen_micro_mean")]))[2:] == body


def test_the_table_replaces_what_stood_between_the_markers(tmp_path):
    document = tmp_path / "README.md"
    begin, end = "<!-- results: begin -->", "<!-- results: end -->"
    other = "<!-- verdicts: begin -->\nother\n<!-- verdicts: end -->\n"
    document.write_text(f"before\n{begin}\nold\n{end}\nafter\n{other}", "utf-8")
    for table in ("first", "second"):
        write_into(document, "results", table)
    text = f"before\n{begin}\n\nsecond\n\n{end}\nafter\n{other}"
    assert document.read_text("utf-8") == text


def test_the_readme_shows_the_published_tables():
    published = ROOT / "results" / "published"
    frames = [pd.read_csv(published / f"{table}.csv") for table in ("long", "short", "news")]
    readme = (ROOT / "README.md").read_text("utf-8")
    assert short_overview(frames).strip() in readme
    assert overview(frames).strip() in (published / "scores.md").read_text("utf-8")
    judged = read_verdicts(published / "claims.csv")
    counts = counts_of_sentences(judged, study_here().registries.claims)
    assert markdown_table(counts).strip() in readme


def test_scores_on_corpora_of_the_design_say_so_wherever_they_stand():
    auto = FRAME.assign(label="PTE(auto)")
    for frame, told in ((auto, True), (FRAME, False), (auto.assign(corpus="imdb"), False)):
        assert caveats(frame) == (DESIGN_NOTE,) * told
        assert (DESIGN_NOTE in overview([frame.drop_duplicates("corpus")])) == told


def test_scores_are_rounded_as_cells_show_them():
    scores = pd.Series([74.605, 77.19500000000001, 2.675, float("nan")])
    shown = [spread(score, float("nan")) for score in scores[:3]]
    assert [f"{score:.2f}" for score in as_printed(scores)[:3]] == shown
    assert as_printed(scores).isna().tolist() == [False, False, False, True]


# By how much PTE(auto) is ahead

POINTS = {
    ("curves-labelled", 10): {"pte_auto": 70.0, "bow": 71.0, "cnn": 69.0, "pte_auto_encoder": 75.0},
    ("curves-labelled_chosen", 10): {"pte_auto": 70.0, "bow": 72.5},
    ("short", 100): {"pte_auto": 80.0, "bow": 78.0, "fasttext": 79.75, "pte_auto_words": 79.9},
    ("news", 100): {"pte_auto": 90.0, "bow": 90.0},
}
FILES = ("long", "short", "news", "curves-labelled", "curves-labelled_chosen")
LABELS = {"pte_auto": "PTE(auto)", "bow": "BOW", "cnn": "CNN", "fasttext": "fastText"}
LABELS |= {"pte_auto_encoder": "PTE(auto) with encoder", "pte_auto_words": "without vectors"}


@pytest.fixture
def published(tmp_path):
    columns = ["corpus", "method", "label", "labelled", "micro_mean", "chosen_micro_mean"]
    for name in FILES:
        rows = [
            ("r8" if name == "news" else "mr", method, LABELS[method], share, score, score)
            for (where, share), scores in POINTS.items()
            if where == name
            for method, score in scores.items()
        ]
        pd.DataFrame(rows, columns=columns).to_csv(tmp_path / f"{name}.csv", index=False)
    return tmp_path


def test_the_best_of_all_other_rows_is_named_whatever_table_or_curve_has_it(published):
    found = over_the_best(study_here(published=True), published).set_index("labels")
    assert found["mr"].to_dict() == {"10 %": "−2.5 BOW", "100 %": "+0.2 fastText"}
    assert found["r8"].to_dict() == {"10 %": "", "100 %": "+0.0 BOW"}


@pytest.mark.long
def test_the_published_leads_are_those_of_the_published_runs(monkeypatch):
    monkeypatch.chdir(ROOT)
    found = leads(study_here(published=True).of_published)
    published = pd.read_csv("results/published/leads.csv")
    for name in ("ahead", "low", "high"):
        assert found[name].tolist() == pytest.approx(published[name].tolist(), abs=0.006)
    scores = pd.read_csv("results/published/long.csv").set_index(["corpus", "method"])
    means = scores["chosen_micro_mean"]
    row = found.set_index(["corpus", "method", "labelled"]).loc["imdb", "bow_pairs", 100]
    assert row["ahead"] == pytest.approx(
        means["imdb", "pte_auto"] - means["imdb", "bow_pairs"], abs=0.01
    )
    assert row["low"] < row["ahead"] < row["high"]
