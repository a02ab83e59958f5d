"""Checkpoints of one training, and the figures made of them."""

import numpy as np
import pandas as pd
import pytest

from pte.errors import PteError
from pte.evaluation.evaluate import evaluate, mean_vectors
from pte.evaluation.setting import ClassifierChoice, ClassifierSetting
from pte.networks.named import streams
from pte.training.edges import train_edges
from pte.training.sensitivity import scores_of_joint
from pte.training.setup import Hyperparameters, Setup
from pte_study.report.curves import plot_sensitivity, sensitivity, write_sensitivity

SETTING = ClassifierSetting()
SETUP = Setup(1, Hyperparameters(dim=16))
SAMPLES = 8_000


@pytest.fixture
def small_blocks(monkeypatch):
    """Trainings that can stop after every thousand edges."""
    monkeypatch.setattr("pte.training.edges.BLOCK", 1_000)


@pytest.mark.usefixtures("small_blocks")
def test_the_last_checkpoint_is_a_training_without_others(corpus):
    parts = scores_of_joint(corpus, SAMPLES, SETUP, [0.25, 0.5, 1], "paper", SETTING)
    (alone,) = scores_of_joint(corpus, SAMPLES, SETUP, [1], "paper", SETTING)
    assert [each.samples for each in parts] == [2_000, 4_000, 8_000]
    assert [each.part for each in parts] == [0.25, 0.5, 1]
    assert parts[-1].micro_f1 == alone.micro_f1
    assert (parts[-1].predicted == alone.predicted).all()
    networks = streams(corpus, ["ww", "wd", "wl"], 5)
    vectors = train_edges(networks, [list(networks)], SAMPLES, SETUP).vectors
    predicted, scores = evaluate(corpus, mean_vectors(corpus.counts, vectors), ClassifierChoice())
    assert (alone.micro_f1, alone.macro_f1) == (scores["micro_f1"], scores["macro_f1"])
    assert (alone.predicted == predicted).all()


@pytest.mark.usefixtures("small_blocks")
def test_checkpoints_closer_than_the_training_can_stop_are_one(corpus):
    parts = scores_of_joint(corpus, SAMPLES, SETUP, [0.01, 0.02, 0.03, 1], "paper", SETTING)
    assert [(each.part, each.samples) for each in parts] == [(0.03, 1_000), (1, 8_000)]


def test_networks_are_drawn_from_as_often_as_they_weigh(corpus):
    weights = {"ww": 0.001, "wd": 0.001}
    (found,) = scores_of_joint(corpus, SAMPLES, SETUP, [1], weights, SETTING)
    networks = streams(corpus, ["ww", "wd", "wl"], 5)
    vectors = train_edges(networks, [list(networks)], SAMPLES, SETUP, weights).vectors
    predicted, _ = evaluate(corpus, mean_vectors(corpus.counts, vectors), ClassifierChoice())
    assert (found.predicted == predicted).all()
    (plain,) = scores_of_joint(corpus, SAMPLES, SETUP, [1], {}, SETTING)
    assert (found.predicted != plain.predicted).any()


@pytest.fixture
def frame():
    return sensitivity(
        {
            "corpus": corpus,
            "value": value,
            "seed": seed,
            "micro_f1": 50 + 10 * i + seed,
            "macro_f1": 40.0,
            "samples": value if corpus == "mr" else 2 * value,
        }
        for corpus in ("mr", "dblp")
        for i, value in enumerate([1_000_000, 3_000_000])
        for seed in (1, 2, 3)
    )


def test_values_are_averaged_over_seeds(frame, tmp_path):
    assert frame["micro_mean"].tolist() == [52, 62, 52, 62]
    assert frame["n_seeds"].tolist() == [3] * 4
    write_sensitivity(frame, "samples", tmp_path / "samples")
    text = (tmp_path / "samples.md").read_text("utf-8")
    assert "| edges drawn | mr, T = 3 M | dblp, T = 6 M |" in text
    assert "| 3 M | 62.00 ± 1.00 | 62.00 ± 1.00 |" in text
    written = pd.read_csv(tmp_path / "samples.csv", dtype=str)
    assert written["samples"].tolist() == ["1000000", "3000000", "2000000", "6000000"]


def test_what_is_drawn_is_what_is_in_the_frame(frame, tmp_path, drawn):
    defaults = {"mr": 2_000_000, "dblp": "auto"}
    plot_sensitivity(frame, "samples", tmp_path / "x", defaults)
    assert [axes.get_title(loc="left") for axes in drawn[0].axes] == [
        "mr, T = 3 M",
        "dblp, T = 6 M",
    ]
    assert [len(axes.lines) for axes in drawn[0].axes] == [2, 1]
    assert drawn[0].axes[0].lines[1].get_xdata() == [2e6, 2e6]
    for axes in drawn[0].axes:
        curve = axes.lines[0]
        np.testing.assert_allclose(curve.get_ydata(), [52, 62])
        np.testing.assert_allclose(curve.get_xdata(), [1e6, 3e6])
        band = axes.collections[0].get_paths()[0].vertices
        assert (band[:, 1].min(), band[:, 1].max()) == pytest.approx((51, 63))


def test_nothing_to_draw_is_an_error(frame, tmp_path):
    with pytest.raises(PteError, match="dim: there is no point to draw"):
        plot_sensitivity(frame[:0], "dim", tmp_path / "dim")
