"""The page of a user's own text: what works on it, what is confused, which words matter."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
from markupsafe import escape
from numpy.typing import NDArray

from pte.corpora.encoded import EncodedCorpus
from pte.files import atomic_file, load_array, read_json
from pte.spreadsheets import without_guard
from pte_study.configuration.entries import Curve, Row
from pte_study.render import cells as shown_as
from pte_study.render.html import html_page
from pte_study.render.section import Section
from pte_study.report.curves import curve_cells, learning_curves, plot_curves
from pte_study.report.own_classes import class_cells, confusion_cells
from pte_study.report.own_confusions import confused_pairs
from pte_study.report.own_excerpts import TextFile
from pte_study.report.own_files import write_classes
from pte_study.report.own_scores import VERDICT, idle, scores_cells
from pte_study.report.own_warnings import listed, warnings
from pte_study.report.own_words import words_cells
from pte_study.report.provenance import Gathered, Telling, provenance
from pte_study.report.summaries import frame_of

FIRST_PREDICTIONS = 20
SURE_OF_SEVERAL = (
    "For each class the method says how sure it is that a document has it, or does not have it. "
    "The confidence is the least of these, from 0.5 to 1."
)
RIGHT = "Percent of the test documents."
RIGHT_OF_SEVERAL = (
    "Micro-F1 in percent: it counts the labels of all documents together. A label that is wrong "
    "and a label that is missing lower it alike."
)
METHODS_NOTE = (
    "Bold scores are as good as the best: the interval of their "
    "difference to it holds 0. An interval holds the difference in 95 of 100 samples of the test "
    "documents, drawn with replacement. Other seeds would move scores, too, and the best of many "
    "methods is also a little lucky; the interval knows neither. Seconds are those of all jobs "
    "that a method needs, while others ran beside them. T is how many edges a training drew."
)

OF_OWN = Telling(
    "Fits and scores",
    "Seconds are those of whole jobs, with loading and saving, while other jobs ran beside them: "
    "by the clock and of the processor. MB is the most memory that a job held. A row leaves out "
    "jobs that methods share: one finds the neighbours for label propagation, others train vectors "
    "that several methods start from.",
)
HIDDEN = ["seeds"]
"""Columns of the study that are left out here, because there is one seed."""
RENAMED = {"archive": "file", "sha256 of the archive": "sha256 of the file", "corpus": "text"}
"""The study's names of columns, and what a user calls these columns."""


@dataclass(frozen=True)
class Shown:
    """What the page is made of.

    `text` is as `file` of `excerpts`. `scores` and `curve` are score files, and `vectors` are the
    word vectors of the method `vectors_of`, float32, shape (words, dim). `left_out` has the methods
    and the curve that did not fit into the `minutes`, with their estimated seconds, by the names
    that readers see.
    """

    corpus: EncodedCorpus
    text: TextFile | None
    scores: Sequence[Path]
    curve: Sequence[Path]
    curve_rows: Sequence[Row]
    vectors: NDArray[np.float32]
    vectors_of: str
    here: Gathered
    file: str
    minutes: float
    samples_limit: int
    left_out: Mapping[str, float]
    order_lost: bool
    labels: Mapping[str, str]


def write_own_page(shown: Shown, folder: Path) -> None:
    """Write index.html, per_class.csv and confusion.csv.

    `folder` must have verdict.json, scores.csv and predictions.csv already.
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
    yield verdict_section(shown, verdict)
    if found := warnings(shown.corpus, shown.order_lost, verdict["test_documents"]):
        yield Section("What to look at", found)
    scores, several = pd.read_csv(folder / "scores.csv"), shown.corpus.is_multilabel
    right = RIGHT_OF_SEVERAL if several else RIGHT
    notes = (f"{right} {METHODS_NOTE}", *idle(scores), *_left_out(shown))
    yield Section("Methods", notes, {"": scores_cells(scores)})
    if shown.curve:
        yield _curve_section(shown)
    label = verdict["labels"][verdict["recommended"]]
    yield _classes_section(shown.corpus, best, label)
    if not several:
        yield _confusion_section(shown, best, label)
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
    yield predictions_section(shown, verdict, folder)
    said, tables = provenance(shown.here, shown.labels, OF_OWN)
    own_tables = {
        name: cells.drop(columns=HIDDEN, errors="ignore") for name, cells in tables.items()
    }
    own_tables = {name: cells.rename(columns=RENAMED) for name, cells in own_tables.items()}
    yield Section("Where this comes from", (*_source(shown), said), own_tables)


def verdict_section(shown: Shown, verdict: Mapping[str, Any]) -> Section:
    """Show which method to use, and what the text consists of."""
    counts = shown.corpus.meta["counts"]
    unlabelled = counts["train"] - counts["labelled_train"]
    without = f"{unlabelled:,} have no label and train as text, " if unlabelled else ""
    text = (
        f"{counts['documents']:,} documents of {counts['classes']} classes: "
        f"{counts['labelled_train']:,} train, {without}{counts['test']:,} are the test. "
        f"A document has {counts['mean_document_length']:.0f} words on average."
    )
    if shown.corpus.is_multilabel:
        several = (np.bincount(shown.corpus.class_pairs[:, 0]) > 1).sum()
        text += f" {several:,} documents have several labels."
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
    frame = learning_curves(frame_of(list(map(read_json, shown.curve))), shown.curve_rows)
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
    per_class = read_json(best)["per_class"]
    text = (
        f"Of {label}, in percent. Precision is how many of the documents that it puts into a class "
        "belong there, recall how many of a class it finds.",
        *untested(per_class),
    )
    return Section("Classes", text, {"": class_cells(per_class, corpus)})


def untested(per_class: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Say what classes without a test document mean for macro-F1, if there are such classes."""
    names = [str(row["class"]) for row in per_class if not row["documents"]]
    if not names:
        return ()
    has = "class has" if len(names) == 1 else "classes have"
    return (
        f"{len(names):,} {has} no test document: {listed(names)}. The F1 there is unknown, and "
        "macro-F1 counts it as 0.",
    )


def _confusion_section(shown: Shown, best: Path, label: str) -> Section:
    predicted, table = load_array(best.with_suffix(".npy")), read_json(best)["confusion"]
    pairs = _as_written(confused_pairs(shown.corpus, predicted, shown.text))
    if pairs.empty:
        said = f"{label} takes no test document for one of another class."
        return Section("Confusions", (said,))
    tables = {"The most confused pairs": pairs}
    matrix = confusion_cells(table, shown.corpus.classes)
    if matrix is not None:
        tables["All classes"] = matrix
    said = (
        f"What {label} takes for what. Rows of the second table are true classes, columns the "
        "predicted ones; confusion.csv has them all."
    )
    return Section("Confusions", (said,), tables)


def predictions_section(shown: Shown, verdict: Mapping[str, Any], folder: Path) -> Section:
    """Show what is predicted, by which method, and the documents that it is least sure of."""
    frame = pd.read_csv(folder / "predictions.csv", dtype=str, keep_default_na=False)
    frame = frame.map(without_guard)
    title = "Documents without a label"
    if frame.empty:
        return Section(title, ("There are none: every document has a label.",))
    known, several = frame[frame["confidence"] != ""], shown.corpus.is_multilabel
    label = verdict["labels"][verdict["predictor"]]
    said = [f"{label} predicts the labels of {len(known):,} documents."]
    said += why_another(verdict, folder)
    if strange := len(frame) - len(known):
        said.append(
            f"It knows no word of {strange:,} more from other documents, so they get no label."
        )
    if several:
        empty = (known["label"] == "").sum()
        said.append(f"Empty labels, where no class is likely: {empty:,}.")
    said.append(f"predictions.csv has all {len(frame):,}.")
    said.append(SURE_OF_SEVERAL if several else "The confidence is 1 at most.")
    said.append("Here are the least certain ones: their labels would teach most.")
    least = known.assign(order=known["confidence"].astype(float)).sort_values("order")
    least = least.drop(columns="order").head(FIRST_PREDICTIONS)
    if shown.text is None:
        least = least.rename(columns={"beginning": "heaviest words"})
    return Section(title, (" ".join(said),), {"": _as_written(least)})


def why_another(verdict: Mapping[str, Any], folder: Path) -> list[str]:
    """Say why the recommended method does not predict, and how good the method in its place is."""
    if verdict["predictor"] == verdict["recommended"]:
        return []
    scores = pd.read_csv(folder / "scores.csv").set_index("method")["micro_f1"]
    recommended, label = (verdict["labels"][verdict[key]] for key in ("recommended", "predictor"))
    return [
        f"{recommended} gives no confidence, so the best of the methods that do takes its place: "
        f"{label}, with a micro-F1 of {scores[verdict['predictor']]:.1f}."
    ]


def _as_written(cells: pd.DataFrame) -> pd.DataFrame:
    """Return the same cells, with the last column shown as it is, whatever marks it holds."""
    last = cells.columns[-1]
    return cells.assign(**{last: [escape(cell) for cell in cells[last]]})


def _source(shown: Shown) -> tuple[str, ...]:
    limit = shown_as.humanise(shown.samples_limit)
    return (
        f"Made from {shown.file}. Vectors, scores and predictions lie beside this page. Some "
        "training documents were held out. They chose T, up to a limit of "
        f"{limit} edges; C; and whether vectors get unit length.",
    )
