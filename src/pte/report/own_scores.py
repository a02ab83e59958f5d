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
from pte.files import load_array, read_json, write_json
from pte.render import cells as shown
from pte.render.cells import NONE
from pte.render.markdown import write_markdown
from pte.render.text import write_csv
from pte.study.entries import Row

DRAWS, AT_ONCE = 2000, 100
"""Bootstrap samples of the test documents, and how many are drawn at a time."""

LEVEL = 0.05
SHORT, SLOWER = 10.0, 2.0
"""Methods are as quick as the quickest up to so many seconds, or so many times its seconds."""

CONTROL, MAJORITY = "control", "majority"
VERDICT = "verdict.json"


@dataclass(frozen=True)
class Contest:
    """`frame` has a row for each method.

    micro_f1 and macro_f1 in percent; `difference` to the best in points of micro-F1, from `low` to
    `high` in 95 of 100 bootstrap samples of the test documents; `seconds` of all jobs that the
    method needs; `as_good`, whether noise may explain that it is not the best; `unavailable`, why
    it has no score. `best` and `cheapest` are names of methods; the latter is the quickest of those
    that are as good as the best, and of those that are as quick the one with the best score.
    `choices` is what was chosen for the classifiers. `several` says whether documents may have
    several labels.
    """

    frame: pd.DataFrame
    best: str
    cheapest: str
    documents: int
    choices: Mapping[str, Mapping[str, Any]]
    several: bool = False


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
    bounds = intervals(_truth(corpus), {name: predicted[name] for name in scored}, best)
    frame["difference"] = frame["micro_f1"] - float(rivals["micro_f1"].max())
    frame["low"] = [bounds.get(name, (np.nan, np.nan))[0] for name in frame["method"]]
    frame["high"] = [bounds.get(name, (np.nan, np.nan))[1] for name in frame["method"]]
    frame["as_good"] = (frame["high"] >= 0) & (frame["group"] != CONTROL)
    level = frame[frame["as_good"]]
    level = level.assign(felt=level["seconds"].clip(max(SHORT, SLOWER * level["seconds"].min())))
    level = level.sort_values(["felt", "micro_f1", "seconds"], ascending=[True, False, True])
    cheapest = level["method"].iloc[0]
    choices = {name: run["choice"] for name, run in runs.items() if run.get("choice")}
    frame["samples"] = pd.to_numeric(frame["samples"])
    tests = corpus.documents(TEST).size
    return Contest(frame, best, cheapest, tests, choices, corpus.is_multilabel)


def intervals(
    truth: NDArray[Any], predicted: Mapping[str, NDArray[Any]], best: str
) -> dict[str, tuple[float, float]]:
    """The interval of each method's micro-F1 minus that of `best`, in points.

    `truth` and the predictions are the class of each document, int, or which classes it has, shape
    (documents, classes). All methods are compared on the same bootstrap samples of the documents
    (Efron and Tibshirani 1993, chapter 16).
    """
    names, random = list(predicted), np.random.default_rng(0)
    counts = [_counts(truth, predicted[name]) for name in names]
    hits, sizes = (np.stack(each, axis=1).astype(float) for each in zip(*counts, strict=True))
    n, scores = len(hits), []
    for _ in range(0, DRAWS, AT_ONCE):
        times = random.multinomial(n, np.full(n, 1 / n), AT_ONCE)
        scores.append(200 * (times @ hits) / np.maximum(times @ sizes, 1))
    moved = np.vstack(scores)
    moved -= moved[:, [names.index(best)]]
    low, high = np.quantile(moved, [LEVEL / 2, 1 - LEVEL / 2], axis=0)
    return {name: (float(low[i]), float(high[i])) for i, name in enumerate(names)}


def _counts(truth: NDArray[Any], predicted: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """For each document the labels that are right, and those that are true plus those predicted."""
    if predicted.ndim == 1:
        return truth == predicted, np.full(truth.size, 2)
    said, true = predicted.astype(bool), truth.astype(bool)
    return (said & true).sum(axis=1), said.sum(axis=1) + true.sum(axis=1)


def _truth(corpus: EncodedCorpus) -> NDArray[Any]:
    return np.asarray(corpus.targets(corpus.documents(TEST)))


def seconds_of(needed: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """The seconds of each method: those of all jobs that it needs, from files of costs."""
    return {
        name: sum(read_json(Path(path))["seconds"] for path in paths)
        for name, paths in needed.items()
    }


def write_contest(found: Contest, predictors: Sequence[str], folder: Path) -> None:
    """Write scores.csv, scores.md and verdict.json.

    `predictors` are the methods that can classify further documents. The verdict names the one that
    does: the recommended one, or else the best of them.
    """
    ranked = found.frame.sort_values("micro_f1", ascending=False)["method"]
    able = [name for name in ranked if name in predictors and name in found.choices]
    predictor = found.cheapest if found.cheapest in able else next(iter(able), None)
    if predictor is None:
        raise PteError("own text: no method with a classifier has a score; the logs say why")
    write_csv(found.frame, folder / "scores")
    write_markdown({"": scores_cells(found.frame)}, folder / "scores", " ".join(verdict(found)))
    write_json(
        folder / VERDICT,
        {
            "said": verdict(found),
            "best": found.best,
            "recommended": found.cheapest,
            "predictor": predictor,
            "choice": dict(found.choices[predictor]),
            "labels": dict(zip(found.frame["method"], found.frame["label"], strict=True)),
            "test_documents": found.documents,
        },
    )


def verdict(found: Contest) -> list[str]:
    """What a user should know first, in sentences."""
    rows = _rows(found.frame)
    by_name = {row["method"]: row for row in rows}
    best, cheap = by_name[found.best], by_name[found.cheapest]
    use = f"Use {cheap['label']}: {_right(cheap, found)}"
    use += f", in {shown.seconds(cheap['seconds'])} seconds."
    others = [row["label"] for row in rows if row["as_good"] and row is not best]
    said = [use]
    if not others:
        said.append("No other method comes within noise of it.")
    else:
        names = _first_large(_listed(others))
        verb = "is" if len(others) == 1 else "are"
        highest = "It has the highest score."
        if best is not cheap:
            highest = (
                f"{_first_large(best['label'])} has the highest score, {_score(best)}, in "
                f"{shown.seconds(best['seconds'])} seconds."
            )
        said.append(
            f"{highest} {names} {verb} within noise of it: the test documents cannot tell them "
            "apart."
        )
        if found.best != found.cheapest:
            said.append(f"{_first_large(cheap['label'])} is {_quick(cheap['seconds'])}.")
    scored = (row for row in rows if not pd.isna(row["micro_f1"]))
    for control in (row for row in scored if row["method"] == MAJORITY):
        said.append(f"To name the largest class every time would score {_score(control)}.")
    return said


def _rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    return [{str(key): value for key, value in row.items()} for row in frame.to_dict("records")]


def _score(row: Mapping[str, Any]) -> str:
    return f"{row['micro_f1']:.1f}\N{NO-BREAK SPACE}%"


def _right(row: Mapping[str, Any], found: Contest) -> str:
    """What the score counts: documents that are right, or the labels of several."""
    tests = f"{found.documents:,} test documents"
    if found.several:
        return f"micro-F1 is {_score(row)} over the labels of {tests}"
    return f"{_score(row)} of {tests} right"


def _first_large(text: str) -> str:
    return text[:1].upper() + text[1:]


def _quick(seconds: float) -> str:
    if seconds > SHORT:
        return "the best of the quickest of these"
    return f"the best of those that take {SHORT:g} seconds or less"


def _listed(names: Sequence[str]) -> str:
    return " and ".join([*([", ".join(names[:-1])] if names[:-1] else []), names[-1]])


def scores_cells(frame: pd.DataFrame) -> pd.DataFrame:
    """The table of all methods as strings, the best score first; those as good as it are bold."""
    rows = _rows(frame.sort_values("micro_f1", ascending=False, kind="stable"))
    return pd.DataFrame(
        {
            "method": row["label"],
            "micro-F1": _micro(row),
            "macro-F1": NONE if pd.isna(row["macro_f1"]) else f"{row['macro_f1']:.2f}",
            "to the best": shown.signed(row["difference"]),
            "95 % interval": _interval(row),
            "T": shown.humanise(row["samples"]),
            "seconds": shown.seconds(row["seconds"]),
        }
        for row in rows
    )


def _micro(row: Mapping[str, Any]) -> str:
    if pd.isna(row["micro_f1"]):
        return str(row["unavailable"])
    return f"**{row['micro_f1']:.2f}**" if row["as_good"] else f"{row['micro_f1']:.2f}"


def _interval(row: Mapping[str, Any]) -> str:
    if pd.isna(row["low"]) or row["low"] == row["high"] == 0:
        return NONE
    return f"{shown.signed(row['low'])} to {shown.signed(row['high'])}"


def said(page: Path) -> str:
    """What the terminal shows of a finished page: the verdict, and where to read on."""
    lines = read_json(page.parent / VERDICT)["said"]
    return "\n".join([f"{page.parent.name}: {lines[0]}", *lines[1:], f"Page: {page}"])
