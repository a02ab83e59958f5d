"""Files of a user's own text: predictions, vectors, scores of classes, the confusion matrix."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pte.corpora.encoded import EncodedCorpus
from pte.corpora.targets import Targets
from pte.files import atomic_file
from pte.spreadsheets import spreadsheet_safe
from pte_study.render.text import write_csv
from pte_study.report.own_excerpts import TextFile, excerpts

NOTHING = 1e-6
"""A confidence that is above the least possible confidence by at most this much says nothing."""


class Guesses(Protocol):
    """The predictions that `pte.selection.unlabelled.predict_unlabelled` returns."""

    @property
    def documents(self) -> NDArray[np.int64]:
        """The numbers of documents in the corpus."""

    @property
    def classes(self) -> Targets:
        """The class of each document, or a row that says which classes it has."""

    @property
    def confidence(self) -> NDArray[np.float64]:
        """How sure each prediction is, from 0 to 1."""


def ids_of(corpus: EncodedCorpus) -> Sequence[str]:
    """Return the ids of the documents, or their numbers from 1 on if the corpus has no ids."""
    found = corpus.ids
    return found or [str(i + 1) for i in range(corpus.n_documents)]


def write_predictions(
    corpus: EncodedCorpus,
    guesses: Guesses,
    folder: Path,
    file: TextFile | None,
    separator: str = ";",
) -> None:
    """Write predictions.csv: id, label, confidence and beginning of documents without a label.

    `separator` stands between several labels of a document. If no class is likely, the label is
    empty. If the classifier knows no word of a document, the confidence is empty, too. `file` is as
    for `excerpts`.
    """
    ids, known = ids_of(corpus), _known(corpus, guesses)
    names = map(separator.join, _names(corpus.classes, guesses.classes))
    frame = pd.DataFrame(
        {
            "id": [ids[i] for i in guesses.documents],
            "label": [name if k else "" for name, k in zip(names, known, strict=True)],
            "confidence": np.where(known, guesses.confidence, np.nan),
            "beginning": excerpts(corpus, guesses.documents, file),
        }
    )
    write_csv(frame, folder / "predictions")


def _known(corpus: EncodedCorpus, guesses: Guesses) -> NDArray[np.bool_]:
    """Return whether the classifier knows anything of each document, shape (documents,).

    It knows nothing of a document whose words no other document has. It also knows nothing if all
    classes are equally likely, because then it knows no word of the document.
    """
    least = 1 / corpus.n_classes if guesses.classes.ndim == 1 else 0.5
    shared = np.bincount(corpus.counts.indices, minlength=corpus.n_words) > 1
    found = np.asarray(corpus.counts[guesses.documents] @ shared.astype(np.float32))
    return (found > 0) & (guesses.confidence > least + NOTHING)


def _names(classes: Sequence[str], predicted: Targets) -> list[list[str]]:
    """Return the names of the classes of each document."""
    if predicted.ndim == 1:
        return [[classes[int(i)]] for i in predicted]
    return [[classes[int(i)] for i in np.flatnonzero(row)] for row in predicted]


def write_vectors(corpus: EncodedCorpus, words: NDArray[np.float32], folder: Path) -> None:
    """Write vectors.npz and vectors.txt.

    vectors.npz has `words` and `word_vectors` with a row for each word, and `ids` and
    `document_vectors` with a row for each document. vectors.txt has the words in word2vec's text
    format: the numbers of words and of dimensions, then a line for each word.
    """
    totals = np.asarray(corpus.counts.sum(axis=1), np.float32).reshape(-1, 1)
    documents = (corpus.counts @ words / np.maximum(totals, 1)).astype(np.float32)
    names = [word.decode("utf-8", "replace") for word in corpus.words]
    with atomic_file(folder / "vectors.npz") as path:
        np.savez(
            path,
            words=np.array(names),
            word_vectors=words,
            ids=np.array(list(ids_of(corpus))),
            document_vectors=documents,
        )
    with atomic_file(folder / "vectors.txt") as path, path.open("w", encoding="utf-8") as file:
        file.write(f"{len(names)} {words.shape[1]}\n")
        for name, vector in zip(names, words.tolist(), strict=True):
            file.write(f"{name} {' '.join(f'{value:.6g}' for value in vector)}\n")


def write_classes(score: dict[str, Any], classes: Sequence[str], folder: Path) -> None:
    """Write per_class.csv, and confusion.csv with a row for each true class.

    If documents may have several labels, there is no confusion matrix, and confusion.csv says so.
    """
    per_class = pd.DataFrame(score["per_class"])
    per_class["class"] = per_class["class"].map(spreadsheet_safe)
    write_csv(per_class, folder / "per_class")
    safe = [spreadsheet_safe(name) for name in classes]
    if score.get("confusion"):
        table = pd.DataFrame(score["confusion"], columns=safe)
        table.insert(0, "true class, beside the predicted", safe, allow_duplicates=True)
    else:
        table = pd.DataFrame({"not shown": ["documents have several labels"]})
    write_csv(table, folder / "confusion")
