"""Learning curves: what is averaged, and that what is drawn is what is in the frame."""

import numpy as np
import pandas as pd
import pytest

from pte.errors import PteError
from pte.report import curves
from pte.report.curves import learning_curves, plot_curves, write_curves

METHODS = [{"name": "pte_joint", "label": "PTE(joint)"}, {"name": "bow", "label": "BOW"}]


@pytest.fixture
def scores():
    rows = [
        (f"mr-labelled{share:g}-seed{seed}" if share < 100 else "mr", method, seed, value + seed)
        for share, start in {2.5: 50.0, 10: 60.0, 100: 70.0}.items()
        for method, value in {"bow": start, "pte_joint": start + 5}.items()
        for seed in (1, 2, 3)
        if not (method == "bow" and share == 100 and seed > 1)
    ]
    frame = pd.DataFrame(rows, columns=["corpus", "method", "seed", "micro_f1"])
    frame["macro_f1"] = frame["micro_f1"] - 1
    return pd.concat([frame.assign(setting="paper"), frame.assign(setting="tuned", micro_f1=0.0)])


@pytest.fixture
def frame(scores):
    return learning_curves(scores, METHODS)


def test_subsets_of_all_seeds_are_one_point(frame):
    assert frame["method"].tolist() == ["pte_joint"] * 3 + ["bow"] * 3
    assert frame["labelled"].tolist() == [2.5, 10, 100] * 2
    assert frame["micro_mean"].tolist() == [57, 67, 77, 52, 62, 71]
    assert frame["n_seeds"].tolist() == [3, 3, 3, 3, 3, 1]
    assert frame["micro_sd"].tolist()[:5] == [1] * 5
    assert frame["corpus"].unique().tolist() == ["mr"]


def test_corpora_keep_their_order(scores):
    others = [scores.replace({"corpus": r"^mr(?=-|$)"}, name, regex=True) for name in "ba"]
    frame = learning_curves(pd.concat(others), METHODS)
    assert frame["corpus"].tolist() == ["b"] * 6 + ["a"] * 6
    assert frame["method"].tolist() == (["pte_joint"] * 3 + ["bow"] * 3) * 2


def test_tables_have_a_column_a_share(frame, tmp_path):
    write_curves(frame, "labelled", tmp_path / "labelled", "Labelled data")
    text = (tmp_path / "labelled.md").read_text("utf-8")
    assert "| labelled documents (%) | 2.5 % | 10 % | 100 % |" in text
    assert "| PTE(joint) | 57.00 ± 1.00 | 67.00 ± 1.00 | 77.00 ± 1.00 |" in text
    assert "| BOW | 52.00 ± 1.00 | 62.00 ± 1.00 | 71.00 |" in text
    assert len(pd.read_csv(tmp_path / "labelled.csv")) == len(frame)


def test_what_is_drawn_is_what_is_in_the_frame(frame, tmp_path, monkeypatch):
    drawn = []
    monkeypatch.setattr(curves, "save", lambda figure, stem: drawn.append(figure))
    reported = pd.DataFrame({"corpus": ["mr"], "method": ["bow"], "micro_f1": [71.9]})
    plot_curves(frame, "labelled", tmp_path / "x", reported)
    (axes,) = drawn[0].axes
    joint, bow, mark = axes.lines
    for line, method in ((joint, "pte_joint"), (bow, "bow")):
        points = frame[frame["method"] == method]
        np.testing.assert_allclose(line.get_xdata(), points["labelled"])
        np.testing.assert_allclose(line.get_ydata(), points["micro_mean"])
    assert (list(mark.get_xdata()), list(mark.get_ydata())) == ([100.0], [71.9])
    assert mark.get_color() == bow.get_color()
    assert axes.get_xscale() == "log"
    band = axes.collections[0].get_paths()[0].vertices
    assert band[:, 1].min() == pytest.approx(56)
    legend = [text.get_text() for text in drawn[0].legends[0].get_texts()]
    assert legend == ["PTE(joint)", "BOW"]


def test_a_figure_is_three_files(frame, tmp_path):
    plot_curves(frame, "labelled", tmp_path / "x")
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".pdf", ".png", ".svg"]


def test_nothing_to_draw_is_an_error(frame, tmp_path):
    with pytest.raises(PteError, match="unlabelled: there is no point to draw"):
        plot_curves(frame[:0], "unlabelled", tmp_path / "unlabelled")
