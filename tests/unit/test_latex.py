"""Tables as LaTeX: a real pdflatex sets them, where it is installed."""

import re
import shutil
import subprocess

import pandas as pd
import pytest

from pte_study.configuration.config import Curve, Row
from pte_study.render.tables import write_latex
from pte_study.report.comparison import comparison, write_comparison
from pte_study.report.curves import write_curves, write_sensitivity

PDFLATEX = shutil.which("pdflatex")
PAPER = r"""\documentclass[twocolumn]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{booktabs}
\usepackage[textwidth=506pt]{geometry}
\begin{document}
%s
\end{document}
"""


def compiled(folder, *stems):
    """The log of a paper that holds the tables."""
    (folder / "paper.tex").write_text(
        PAPER % "\n".join(rf"\input{{{stem}.tex}}" for stem in stems), "utf-8"
    )
    command = [PDFLATEX, "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    for _ in range(2):  # labels are compared with those of the run before
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace")
        assert done.returncode == 0, done.stdout[-3000:]
    return done.stdout


def compared():
    """The comparison of two methods, one of which was not run."""
    names = {"pte_joint": "PTE(joint)", "line_ww": "LINE($G_{ww}$)"}
    methods = [
        Row(name, name, latex, group)
        for (name, latex), group in zip(names.items(), ["extra", "unsupervised"], strict=True)
    ]
    run = {"corpus": "mr", "method": "pte_joint", "protocol": "paper", "seed": 1, "samples": 2e6}
    run |= {"train_seconds": 5.0, "micro_f1": 74.0, "macro_f1": 73.5, "unavailable": None}
    reported = {"corpus": "mr", "method": "line_ww", "source": "paper"}
    reference = pd.DataFrame([reported | {"micro_f1": 71.07, "macro_f1": 71.06}])
    return comparison(pd.DataFrame([run]), reference, methods, ["mr"], ["paper", "chosen"])


@pytest.fixture
def tables(tmp_path):
    """Every kind of table, and each special character somewhere."""
    write_comparison(compared(), tmp_path / "main", "Scores & costs")
    special = pd.DataFrame({"a & b": [r"50 % of $x_1$ #2 {~^\} ± − — † Δ ρ × ≥ ≤ “q” <i>|</i>"]})
    write_latex({"20ng_x": special}, tmp_path / "special", "Caption & more", ["100 % †"])
    points = pd.DataFrame({"corpus": ["20ng", "mr"], "label": "NB+EM", "labelled": 2.5})
    points = points.assign(unlabelled=100, samples=None)
    points = points.assign(micro_mean=50.0, micro_sd=1.0, n_seeds=3)
    write_curves(points, Curve("Labelled data (Figure 3)", "labelled"), tmp_path / "labelled")
    values = pd.DataFrame({"corpus": "mr", "value": [0.0125, 0.025]})
    values = values.assign(micro_mean=50.0, micro_sd=1.0, samples=1e6)
    write_sensitivity(values, "learning_rate", tmp_path / "learning_rate")
    return ["main", "special", "labelled", "learning_rate"]


@pytest.mark.skipif(PDFLATEX is None, reason="pdflatex is not installed")
def test_every_table_compiles(tables, tmp_path):
    log = compiled(tmp_path, *tables)
    assert "Output written on paper.pdf" in log
    assert "multiply defined" not in log
    assert "too large" not in log
    assert "Missing character" not in log
    assert "Overfull \\hbox" not in log


@pytest.mark.skipif(PDFLATEX is None, reason="pdflatex is not installed")
@pytest.mark.parametrize("shares", [4, 6, 7])
def test_wide_tables_fit_on_a_page(shares, tmp_path):
    """The learning curves have up to seven shares."""
    rows = [
        {"corpus": "20ng", "label": "label propagation", "labelled": labelled, "unlabelled": 100}
        for labelled in range(10, 10 + shares)
    ]
    points = pd.DataFrame(rows).assign(micro_mean=50.0, micro_sd=1.0, n_seeds=3)
    points["samples"] = [1.5e6 + 1e8 * row for row in range(shares)]
    write_curves(points, Curve("Labelled data", "labelled"), tmp_path / "wide")
    assert "Overfull \\hbox" not in compiled(tmp_path, "wide")
    size = "scriptsize" if shares > 5 else "small"
    assert rf"\{size}\setlength" in (tmp_path / "wide.tex").read_text("utf-8")


@pytest.mark.skipif(PDFLATEX is None, reason="pdflatex is not installed")
def test_an_unescaped_character_would_not_compile(tmp_path):
    (tmp_path / "broken.tex").write_text("a & b_c", "utf-8")
    with pytest.raises(AssertionError):
        compiled(tmp_path, "broken")


def test_every_table_has_a_label_of_its_own(tables, tmp_path):
    text = "".join((tmp_path / f"{name}.tex").read_text("utf-8") for name in tables)
    labels = re.findall(r"\\label\{(.*?)\}", text)
    assert len(set(labels)) == len(labels)
    assert {"tab:main-mr", "tab:special-20ng-x", "tab:learning-rate"} < set(labels)
    assert all(re.fullmatch("[A-Za-z0-9:-]+", label) for label in labels)
