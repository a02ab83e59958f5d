"""The scores of all methods on a user's own text, as files and as a table."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from pte.errors import PteError
from pte.files import read_json, write_json
from pte_study.configuration.own import WHY_IDLE
from pte_study.render import cells as shown
from pte_study.render.cells import NONE
from pte_study.render.markdown import write_markdown
from pte_study.render.text import write_csv
from pte_study.report.own_contest import Contest, records
from pte_study.report.own_verdict import verdict

VERDICT = "verdict.json"


def write_contest(found: Contest, predictors: Sequence[str], folder: Path) -> None:
    """Write scores.csv, scores.md and verdict.json.

    `predictors` are the methods that can classify further documents. The verdict names the method
    that classifies them: the recommended method if it can, and otherwise the best predictor. Raises
    `PteError` when no predictor has a score.
    """
    ranked = found.frame.sort_values("micro_f1", ascending=False)["method"]
    able = [name for name in ranked if name in predictors and name in found.choices]
    predictor = found.cheapest if found.cheapest in able else next(iter(able), None)
    if predictor is None:
        raise PteError("own text: no method with a classifier has a score; the logs say why")
    write_csv(found.frame, folder / "scores")
    said, table = " ".join(verdict(found)), scores_cells(found.frame)
    write_markdown({"": table}, folder / "scores", said, idle(found.frame))
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


def scores_cells(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the table of methods as strings, the best score first.

    Scores that are as good as the best score are bold. Methods that cannot run on such a text are
    left out; `idle` names them.
    """
    run = frame[~frame["unavailable"].isin(WHY_IDLE)]
    rows = records(run.sort_values("micro_f1", ascending=False, kind="stable"))
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


def idle(frame: pd.DataFrame) -> list[str]:
    """Return a sentence for each reason why methods cannot run on such a text."""
    names = {why: list(frame.loc[frame["unavailable"] == why, "label"]) for why in WHY_IDLE}
    return [
        f"Not run, because {WHY_IDLE[why]}: {', '.join(found)}."
        for why, found in names.items()
        if found
    ]


def _micro(row: Mapping[str, Any]) -> str:
    if pd.isna(row["micro_f1"]):
        return str(row["unavailable"])
    return f"**{row['micro_f1']:.2f}**" if row["as_good"] else f"{row['micro_f1']:.2f}"


def _interval(row: Mapping[str, Any]) -> str:
    if pd.isna(row["low"]) or row["low"] == row["high"] == 0:
        return NONE
    return f"{shown.signed(row['low'])} to {shown.signed(row['high'])}"


def said(page: Path) -> str:
    """Return what the terminal shows of a finished page: the verdict, and the path of the page."""
    lines = read_json(page.parent / VERDICT)["said"]
    return "\n".join([f"{page.parent.name}: {lines[0]}", *lines[1:], f"Page: {page}"])
