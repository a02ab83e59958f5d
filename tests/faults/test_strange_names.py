"""Names from outside are shown as they are, and are no mathematics in figures."""

import re
from html import unescape

import numpy as np
import pytest

from pte.corpora.document import TEST, TRAIN, Document
from pte.corpora.encode import encode
from pte.corpora.tokenise import whitespace
from pte_study.render.figures import verbatim
from pte_study.report.pictures import plot_maps, plot_network

STRANGE = r"$\frac$"


def letters(svg):
    """The texts of a drawing; mathematics is drawn in several."""
    return set(map(unescape, re.findall("<text[^>]*>([^<]*)", svg.read_text("utf-8"))))


@pytest.mark.usefixtures("svg_alone")
def test_dollar_signs_of_classes_are_drawn_on_maps(tmp_path):
    labels, split = np.array([0, 1] * 3, np.int32), np.array([0, 0, 0, 1, 1, 1], np.uint8)
    points = np.arange(12, dtype=np.float32).reshape(6, 2)
    plot_maps({"$x_1$": points}, labels, split, (STRANGE, "$y$"), tmp_path / "map")
    assert {"$y$", STRANGE} <= letters(tmp_path / "map.svg")


@pytest.mark.usefixtures("svg_alone")
def test_dollar_signs_of_words_and_classes_are_drawn_in_the_network_picture(tmp_path):
    texts = [Document(rb"$\frac$ a", STRANGE, TRAIN), Document(b"$x_1$ a", "$y$", TRAIN)]
    corpus = encode([*texts, Document(b"a", "$y$", TEST)], whitespace)
    plot_network(corpus, np.array([0, 1]), 5, tmp_path / "network")
    assert {"$x_1$", "$y$", STRANGE} <= letters(tmp_path / "network.svg")


@pytest.mark.parametrize("text", [STRANGE, "$x_1$", r"\$", "a$b", "plain"])
def test_text_is_no_mathematics_and_stays_the_same(text):
    from matplotlib.figure import Figure

    drawn = Figure().text(0, 0, verbatim(text))
    assert drawn._preprocess_math(drawn.get_text()) == (text, False)
