"""Scores against seconds: every method that was trained, and names of those on the front."""

import numpy as np
import pandas as pd
import pytest

from pte_study.report import times
from pte_study.report.summaries import DESIGN_NOTE
from pte_study.report.times import LINE_HEIGHT, front, plot_times


@pytest.fixture
def frame():
    rows = [
        ("mr", "BOW", "baseline", 77.0, np.nan),
        ("mr", "Skip-gram", "unsupervised", 70.0, 20.0),
        ("mr", "PTE(joint)", "predictive", 75.0, 30.0),
        ("mr", "CNN", "predictive", np.nan, 30.0),
        ("mr", "majority class", "control", 50.0, 0.1),
        ("dblp", "PTE(joint)", "predictive", 78.0, 40.0),
    ]
    columns = ["corpus", "label", "group", "micro_mean", "train_seconds"]
    frame = pd.DataFrame(rows, columns=columns)
    names = frame["label"].replace("PTE(joint)", "pte_joint")
    return frame.assign(method=names, n_seeds=3)


def test_what_was_trained_is_drawn_where_it_is(frame, tmp_path, drawn):
    plot_times(frame, tmp_path / "x")
    (mr,) = drawn[0].axes
    points = [
        (line.get_xdata()[0], line.get_ydata()[0])
        for line in mr.lines
        if len(line.get_xdata()) == 1
    ]
    assert points == [(20, 70), (30, 75)]
    assert [text.get_text() for text in mr.texts] == ["Skip-gram", "PTE(joint)"]
    crowd = frame.assign(
        train_seconds=[1, 2, 3, 4, 5, 6], micro_mean=[77.0, 76.0, 75.0, 74.0, 50.0, 78.0]
    )
    plot_times(crowd, tmp_path / "x")
    (mr,), (legend,) = drawn[1].axes, drawn[1].legends
    assert [text.get_text() for text in mr.texts] == ["BOW"]
    assert [text.get_text() for text in legend.get_texts()][-1] == "PTE(joint)"
    assert [line.get_xdata()[0] for line in mr.lines if line.get_marker() == "D"] == [3]


def test_the_section_says_on_which_corpora_our_method_was_designed(frame, tmp_path):
    (tmp_path / "x.svg").write_text("<svg/>")
    of_auto = frame[frame["corpus"] == "mr"].iloc[1:2].assign(label="PTE(auto)", method="pte_auto")
    for each, text in ((frame, ("c",)), (pd.concat([frame, of_auto]), ("c", DESIGN_NOTE))):
        each.to_csv(tmp_path / "x.csv", index=False)
        files = {"comparison": tmp_path / "x.csv", "svg": tmp_path / "x.svg"}
        assert times.show_times(files, {"title": "T", "caption": "c"}).text == text


@pytest.mark.usefixtures("svg_alone")
def test_a_figure_without_a_method_that_was_trained_says_so(frame, tmp_path):
    plot_times(frame[:1], tmp_path / "x")
    assert "fewer than two methods were trained" in (tmp_path / "x.svg").read_text("utf-8")


def test_names_of_the_front_lie_apart(frame, tmp_path, drawn):
    close = pd.concat([frame[1:2]] * 4).assign(
        label=list("abcd"), train_seconds=[1.0, 1.1, 1.2, 1.3], micro_mean=[70, 70.01, 70.02, 99]
    )
    plot_times(close, tmp_path / "x")
    heights = [text.get_position()[1] for text in drawn[0].axes[0].texts]
    assert (np.diff(heights) >= LINE_HEIGHT - 1e-9).all() and heights[-1] <= 1 - LINE_HEIGHT

    # A line leads from the point of each name to beside the name.
    (leaders,) = drawn[0].axes[0].collections
    lines = np.array(leaders.get_segments())
    best = front(close)
    assert lines[:, 0].tolist() == best[["train_seconds", "micro_mean"]].to_numpy().tolist()
    assert lines[:, 1, 0].tolist() == best["train_seconds"].tolist()
    low, high = drawn[0].axes[0].get_ylim()
    beside = (lines[:, 1, 1] - low) / (high - low) - heights
    assert ((beside > 0) & (beside < LINE_HEIGHT)).all()
