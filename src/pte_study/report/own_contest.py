"""Which method is best on a user's own text, within noise, and at what cost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pte.corpora.encoded import TEST, EncodedCorpus
from pte.errors import PteError
from pte.files import load_array, read_json
from pte_study.configuration.entries import CONTROL, Row
from pte_study.report.own_intervals import intervals, own_intervals

SHORT, SLOWER = 10.0, 2.0
"""Methods count as quick up to so many seconds, or so many times the seconds of the quickest."""


@dataclass(frozen=True)
class Contest:
    """The comparison of all methods on a text.

    `frame` has a row for each method. `micro_f1` and `macro_f1` are in percent. `micro_f1_low` and
    `micro_f1_high` are the ends of the 95 % interval of micro-F1. `difference` is the difference to
    the best in points of micro-F1. It lies between `low` and `high` in 95 of 100 bootstrap samples
    of the test documents. `seconds` are the seconds of all jobs that the method needs. `as_good`
    says whether noise may explain that the method is not the best. `unavailable` says why the
    method has no score.

    `best` and `cheapest` are names of methods. `cheapest` is the quickest method of the methods
    that are as good as the best. Methods that take at most `quick` seconds count as equally quick,
    so `cheapest` is the method with the best score among these methods. `choices` has what was
    chosen for the classifiers. `several` says whether documents may have several labels.
    `documents` is the number of test documents. `copies` is the number of test documents whose text
    is also the text of a training document.
    """

    frame: pd.DataFrame
    best: str
    cheapest: str
    quick: float
    documents: int
    copies: int
    choices: Mapping[str, Mapping[str, Any]]
    several: bool = False

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows of the frame as dictionaries."""
        return records(self.frame)


def contest(
    corpus: EncodedCorpus, files: Mapping[Row, Path], seconds: Mapping[str, float]
) -> Contest:
    """Compare methods by their score files.

    Raises `PteError` when no method has a score.
    """
    runs = {row.name: read_json(path) for row, path in files.items()}
    frame = pd.DataFrame(
        {
            "method": row.name,
            "label": row.label,
            "group": row.group,
            "micro_f1": runs[row.name].get("micro_f1"),
            "macro_f1": runs[row.name].get("macro_f1"),
            "seconds": seconds[row.name],
            "samples": runs[row.name].get("samples"),
            "unavailable": runs[row.name].get("unavailable"),
        }
        for row in files
    ).astype({"micro_f1": float, "macro_f1": float})
    rivals = frame[(frame["group"] != CONTROL) & frame["micro_f1"].notna()]
    if rivals.empty:
        raise PteError("own text: no method has a score; the logs of the jobs say why")
    best = rivals.sort_values(["micro_f1", "seconds"], ascending=[False, True])["method"].iloc[0]
    predicted = {row.name: load_array(path.with_suffix(".npy")) for row, path in files.items()}
    scored = frame[frame["micro_f1"].notna()]["method"]
    compared = {name: predicted[name] for name in scored}
    _add(frame, ("micro_f1_low", "micro_f1_high"), own_intervals(_truth(corpus), compared))
    frame["difference"] = frame["micro_f1"] - float(rivals["micro_f1"].max())
    _add(frame, ("low", "high"), intervals(_truth(corpus), compared, best))
    frame["as_good"] = (frame["high"] >= 0) & (frame["group"] != CONTROL)
    cheapest, quick = _cheapest(frame[frame["as_good"]])
    frame["samples"] = pd.to_numeric(frame["samples"])
    return Contest(
        frame=frame,
        best=best,
        cheapest=cheapest,
        quick=quick,
        documents=corpus.documents(TEST).size,
        copies=corpus.meta["counts"]["test_texts_also_in_train"],
        choices={name: run["choice"] for name, run in runs.items() if run.get("choice")},
        several=corpus.is_multilabel,
    )


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a frame as dictionaries."""
    return [{str(key): value for key, value in row.items()} for row in frame.to_dict("records")]


def _add(
    frame: pd.DataFrame, names: tuple[str, str], bounds: Mapping[str, tuple[float, float]]
) -> None:
    """Add the two bounds of each method as columns; methods without a score have no bounds."""
    for i, name in enumerate(names):
        frame[name] = [bounds.get(method, (np.nan, np.nan))[i] for method in frame["method"]]


def _cheapest(level: pd.DataFrame) -> tuple[str, float]:
    """Return the method to use among level methods, and up to how many seconds count as quick."""
    quick = max(SHORT, SLOWER * float(level["seconds"].min()))
    felt = level.assign(felt=level["seconds"].clip(quick))
    felt = felt.sort_values(["felt", "micro_f1", "seconds"], ascending=[True, False, True])
    return str(felt["method"].iloc[0]), quick


def _truth(corpus: EncodedCorpus) -> NDArray[Any]:
    return np.asarray(corpus.targets(corpus.documents(TEST)))


def seconds_of(needed: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """Return the seconds of each method, summed over all jobs that it needs, from files of costs.

    The seconds are rounded here, once, so that they are the same wherever they are shown.
    """
    return {
        name: round(sum(read_json(Path(path))["seconds"] for path in paths), 1)
        for name, paths in needed.items()
    }
