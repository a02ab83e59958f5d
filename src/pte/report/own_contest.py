"""Which method is best on a text of a user's own, within noise, and at what cost."""

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
from pte.report.own_intervals import intervals, own_intervals
from pte.study.entries import Row

SHORT, SLOWER = 10.0, 2.0
"""Methods are as quick as the quickest up to so many seconds, or so many times its seconds."""

CONTROL = "control"


@dataclass(frozen=True)
class Contest:
    """`frame` has a row for each method.

    micro_f1 and macro_f1 in percent; `micro_f1_low` and `micro_f1_high`, the 95 % interval;
    `difference` to the best in points of micro-F1, from `low` to
    `high` in 95 of 100 bootstrap samples of the test documents; `seconds` of all jobs that the
    method needs; `as_good`, whether noise may explain that it is not the best; `unavailable`, why
    it has no score. `best` and `cheapest` are names of methods; the latter is the quickest of those
    that are as good as the best. Those that take at most `quick` seconds count as equally quick: of
    these, it is the one with the best score.
    `choices` is what was chosen for the classifiers. `several` says whether documents may have
    several labels. `documents` counts those of the test, `copies` those of them whose text is that
    of a training document, too.
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
        """The rows of the frame."""
        return records(self.frame)


def contest(
    corpus: EncodedCorpus, files: Mapping[Row, Path], seconds: Mapping[str, float]
) -> Contest:
    """Compare methods by their score files. Raises `PteError` when none has a score."""
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
    """The rows of a frame as dictionaries."""
    return [{str(key): value for key, value in row.items()} for row in frame.to_dict("records")]


def _add(
    frame: pd.DataFrame, names: tuple[str, str], bounds: Mapping[str, tuple[float, float]]
) -> None:
    """Add the two bounds of each method; those without a score have none."""
    for i, name in enumerate(names):
        frame[name] = [bounds.get(method, (np.nan, np.nan))[i] for method in frame["method"]]


def _cheapest(level: pd.DataFrame) -> tuple[str, float]:
    """The method to use of those that are level, and up to how many seconds count as quick."""
    quick = max(SHORT, SLOWER * float(level["seconds"].min()))
    felt = level.assign(felt=level["seconds"].clip(quick))
    felt = felt.sort_values(["felt", "micro_f1", "seconds"], ascending=[True, False, True])
    return str(felt["method"].iloc[0]), quick


def _truth(corpus: EncodedCorpus) -> NDArray[Any]:
    return np.asarray(corpus.targets(corpus.documents(TEST)))


def seconds_of(needed: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """The seconds of each method: those of all jobs that it needs, from files of costs.

    They are rounded here, once, so that all that shows them shows the same.
    """
    return {
        name: round(sum(read_json(Path(path))["seconds"] for path in paths), 1)
        for name, paths in needed.items()
    }
