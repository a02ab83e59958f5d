"""The page of a text of a user's own: what works on it, what is confused, which words matter."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pte.corpora.encoded import EncodedCorpus
from pte.files import atomic_file, load_array, read_json
from pte.render import cells as shown_as
from pte.render.html import Section, html_page
from pte.render.text import without_guard
from pte.report.curves import curve_cells, learning_curves, plot_curves
from pte.report.own_classes import class_cells, confused_pairs, confusion_cells
from pte.report.own_files import write_classes
from pte.report.own_scores import VERDICT, scores_cells
from pte.report.own_warnings import warnings
from pte.report.own_words import words_cells
from pte.report.provenance import Piece, Telling, provenance
from pte.report.summaries import collect
from pte.study.entries import Curve, Row
from pte.study.own import PROTOCOL

FIRST_PREDICTIONS = 20
SURE_OF_SEVERAL = (
    "The label is empty where no class is likely. The confidence is that in the class that is "
    "least certain, whether the document has it or not: 0.5 at least, 1 at most."
)
RIGHT = "Percent of the test documents."
RIGHT_OF_SEVERAL = (
    "Micro-F1 in percent: twice the labels that are right, of those that documents have and those "
    "that are predicted, together."
)
METHODS_NOTE = (
    "Bold scores are as good as the best: the interval of their "
    "difference to it holds 0. An interval holds the difference in 95 of 100 samples of the test "
    "documents, drawn with replacement. It does not account for other seeds, nor for the choice of "
    "the best among many. Seconds are those of all jobs that a method needs, while others ran "
    "beside them. T is how many edges a training drew."
)

OF_OWN = Telling(
    "Fits and scores",
    "Seconds are those of whole jobs, with loading and saving, while other jobs ran beside them: "
    "by the clock and of the processor. MB is the most memory that a job held. No row has what "
    "methods share: the neighbours of label propagation, and the vectors that others start from.",
)
HIDDEN = ["seeds"]
"""A column of the study: there is one seed here."""
RENAMED = {"archive": "file", "sha256 of the archive": "sha256 of the file", "corpus": "text"}
"""What a user calls what the study calls otherwise."""


@dataclass(frozen=True)
class Shown:
    """What the page is made of.

    `scores` and `curve` are score files, `vectors` the word vectors of the method `vectors_of`,
    float32, shape (words, dim). `left_out` has the seconds that were estimated for what did not fit
    into the `minutes`, by the names that readers see.
    """

    corpus: EncodedCorpus
    scores: Sequence[Path]
    curve: Sequence[Path]
    curve_rows: Sequence[Row]
    vectors: NDArray[np.float32]
    vectors_of: str
    here: Piece
    file: str
    minutes: float
    samples_limit: int
    left_out: Mapping[str, float]
    order_lost: bool
    labels: Mapping[str, str]


def write_own_page(shown: Shown, folder: Path) -> None:
    """Write index.html, per_class.csv and confusion.csv.

    `folder` has verdict.json, scores.csv and predictions.csv.
    """
    verdict = read_json(folder / VERDICT)
    best = next(path for path in shown.scores if path.parts[-3] == verdict["recommended"])
    write_classes(read_json(best), shown.corpus.classes, folder)
    page = html_page(folder.name, list(_sections(shown, verdict, best, folder)))
    with atomic_file(folder / "index.html") as path:
        path.write_text(page, encoding="utf-8")


def _sections(
    shown: Shown, verdict: Mapping[str, Any], best: Path, folder: Path
) -> Iterator[Section]:
    yield _verdict_section(shown, verdict)
    if found := warnings(shown.corpus, shown.order_lost, verdict["test_documents"]):
        yield Section("What to look at", found)
    table = scores_cells(pd.read_csv(folder / "scores.csv"))
    several = shown.corpus.is_multilabel
    right = RIGHT_OF_SEVERAL if several else RIGHT
    yield Section("Methods", (f"{right} {METHODS_NOTE}", *_left_out(shown)), {"": table})
    if shown.curve:
        yield _curve_section(shown)
    label = verdict["labels"][verdict["recommended"]]
    yield _classes_section(shown.corpus, best, label)
    if not several:
        yield _confusion_section(shown.corpus, best, label)
    vectors_of = shown.labels[shown.vectors_of]
    yield Section(
        "Words",
        (
            "A word tells a class apart if its TF-IDF is far larger there than elsewhere. Other "
            "words are those whose vectors are nearest, by cosine, to the word, or to "
            f"the middle of the documents of the class. The vectors are those of {vectors_of}.",
        ),
        words_cells(shown.corpus, shown.vectors),
    )
    yield _predictions_section(folder, verdict["labels"][verdict["predictor"]], several)
    said, tables = provenance([shown.here], shown.labels, OF_OWN)
    own_tables = {
        name: cells.drop(columns=HIDDEN, errors="ignore") for name, cells in tables.items()
    }
    own_tables = {name: cells.rename(columns=RENAMED) for name, cells in own_tables.items()}
    yield Section("Where this comes from", (*_source(shown), said), own_tables)


def _verdict_section(shown: Shown, verdict: Mapping[str, Any]) -> Section:
    counts = shown.corpus.meta["counts"]
    unlabelled = counts["train"] - counts["labelled_train"]
    without = f"{unlabelled:,} have no label and train as text, " if unlabelled else ""
    text = (
        f"{counts['documents']:,} documents of {counts['classes']} classes: "
        f"{counts['labelled_train']:,} train, {without}{counts['test']:,} are the test. "
        f"A document has {counts['mean_document_length']:.0f} words on average."
    )
    lead, *others = verdict["said"]
    return Section("On your text", (" ".join(others), text), lead=str(lead))


def _left_out(shown: Shown) -> tuple[str, ...]:
    if not shown.left_out:
        return ()
    names = ", ".join(
        f"{name} ({shown_as.seconds(took)} s)" for name, took in shown.left_out.items()
    )
    unit = "minute" if shown.minutes == 1 else "minutes"
    return (
        f"Left out, because they were not expected to fit into {shown.minutes:g} {unit}, with the "
        f"processor seconds that were expected: {names}. Ask for more with minutes=…",
    )


def _curve_section(shown: Shown) -> Section:
    caption = "micro-F1 against the share of labels"
    curve = Curve(caption, "labelled")
    frame = learning_curves(collect(shown.curve), shown.curve_rows, PROTOCOL)
    with TemporaryDirectory() as folder:
        plot_curves(frame, curve, Path(folder) / "curve")
        picture = (Path(folder) / "curve.svg").read_bytes()
    text = (
        "The same test documents, with fewer of your labels; the other documents keep their text. "
        "If a line still rises at 100 %, more labels would help.",
    )
    (cells,) = curve_cells(frame, "labelled").values()
    return Section("With fewer labels", text, {"": cells}, {caption: picture})


def _classes_section(corpus: EncodedCorpus, best: Path, label: str) -> Section:
    text = (
        f"Of {label}, in percent. Precision is how many of the documents that it puts into a class "
        "belong there, recall how many of a class it finds.",
    )
    return Section("Classes", text, {"": class_cells(read_json(best)["per_class"], corpus)})


def _confusion_section(corpus: EncodedCorpus, best: Path, label: str) -> Section:
    predicted, table = load_array(best.with_suffix(".npy")), read_json(best)["confusion"]
    pairs = confused_pairs(corpus, predicted)
    if pairs.empty:
        said = f"{label} takes no test document for one of another class."
        return Section("Confusions", (said,))
    tables = {"The most confused pairs": pairs}
    matrix = confusion_cells(table, corpus.classes)
    if matrix is not None:
        tables["All classes"] = matrix
    said = (
        f"What {label} takes for what. Rows of the second table are true classes, columns the "
        "predicted ones; confusion.csv has them all."
    )
    return Section("Confusions", (said,), tables)


def _predictions_section(folder: Path, label: str, several: bool) -> Section:
    frame = pd.read_csv(folder / "predictions.csv", dtype=str, keep_default_na=False)
    frame = frame.map(without_guard)
    title = "Documents without a label"
    if frame.empty:
        return Section(title, ("There are none: every document has a label.",))
    sure = SURE_OF_SEVERAL if several else "The confidence is 1 at most."
    said = (
        f"{label} predicts the labels of {len(frame):,} documents; predictions.csv has them all. "
        f"{sure} Here are the least certain ones: their labels would teach most.",
    )
    least = frame.assign(order=frame["confidence"].astype(float)).sort_values("order")
    return Section(title, said, {"": least.drop(columns="order").head(FIRST_PREDICTIONS)})


def _source(shown: Shown) -> tuple[str, ...]:
    limit = shown_as.humanise(shown.samples_limit)
    return (
        f"Made from {shown.file}. Vectors, scores and predictions lie beside this page. T was "
        f"searched up to {limit} edges; training documents that were held out chose it, C "
        "and the length of the vectors.",
    )
