"""The verdicts on the paper's claims as CSV, Markdown, LaTeX and HTML."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from pte.report.cells import MINUS, NONE
from pte.report.claims import VERDICTS, of_claims
from pte.report.html import Section, html_page
from pte.report.tables import write_csv, write_latex, write_markdown

CAPTION = "What the paper claims by comparing methods, and what these runs say"
PART = 7
"""Claims in a float of LaTeX, that it fits on a page."""
COLUMNS = "".join(rf"p{{{share}\textwidth}}" for share in (0.34, 0.12, 0.16, 0.05, 0.19))
"""Widths of a claim, its verdict, the difference, p and the pair."""
DECIDING: dict[str, Any] = {
    "above": None,
    "faster": None,
    "not_above": lambda effects: -effects,
    "comparable": lambda effects: -effects.abs(),
}
"""By what a claim's pairs are sorted, that the one which is hardest for it comes first."""
NOTES = (
    "The difference is left minus right in points of micro-F1 with its 95 % interval, of the pair "
    "that decides; times (×) are right's seconds of training over left's, median and range over "
    "seeds.",
    "Documents are bootstrapped; what seeds add is drawn from Student's t, with a variance that is "
    "moderated by those of all pairs. The interval is of the pair alone; p-values are adjusted for "
    "all that is tested (Holm, 5 %), so an interval without 0 may be inconclusive. What is said to "
    "be comparable or not above is tested against a difference of one point, unless the registry "
    "says another. A claim about several methods is reproduced if it holds for each.",
    "Whether scores converge in T is judged with the paper's classifier setting alone.",
)


def write_verdicts(
    pairs: Mapping[str, pd.DataFrame],
    claims: Mapping[str, Mapping[str, Any]],
    labels: Mapping[str, str],
    stem: Path,
) -> None:
    """Write `stem`.csv with every pair, and .md and .tex with a row for each claim and corpus.

    `pairs` are frames of `pte.report.claims.judge` by classifier setting, of which LaTeX has the
    first alone; `labels` are the names of methods.
    """
    frame = pd.concat(pairs, names=["setting"]).reset_index("setting").reset_index(drop=True)
    p_values = frame[["p", "p_holm"]].map(lambda p: "" if pd.isna(p) else f"{p:.6g}")
    write_csv(frame.assign(**p_values, seeds=frame["seeds"].astype("Int64")), stem)
    write_markdown(verdict_tables(pairs, claims, labels), stem, CAPTION, NOTES)
    cells = verdict_cells(next(iter(pairs.values())), claims, labels)
    write_latex(_parts(cells), stem, CAPTION, NOTES, COLUMNS)


def verdicts_page(
    pairs: Mapping[str, pd.DataFrame],
    claims: Mapping[str, Mapping[str, Any]],
    labels: Mapping[str, str],
) -> str:
    """The tables of `write_verdicts` as a page of HTML."""
    return html_page(CAPTION, [Section(tables=verdict_tables(pairs, claims, labels))], NOTES)


def read_verdicts(judged: Path) -> dict[str, pd.DataFrame]:
    """The frames of `write_verdicts` by classifier setting, from `stem`.csv."""
    frame = pd.read_csv(judged, dtype={"reason": str})
    return {
        str(setting): rows.drop(columns="setting").reset_index(drop=True)
        for setting, rows in frame.groupby("setting", sort=False)
    }


def verdict_counts(pairs: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """How many claims got which verdict, counted on each corpus: a row a verdict, as strings."""
    counts = {
        setting: of_claims(frame)["verdict"].value_counts().reindex(VERDICTS, fill_value=0)
        for setting, frame in pairs.items()
    }
    table = pd.DataFrame(counts).astype(str)
    return table[(table != "0").any(axis=1)].reset_index(names="claims")


def verdict_tables(
    pairs: Mapping[str, pd.DataFrame],
    claims: Mapping[str, Mapping[str, Any]],
    labels: Mapping[str, str],
) -> dict[str, pd.DataFrame]:
    """How many claims got which verdict, and for each setting each claim, as strings."""
    return {"How many claims": verdict_counts(pairs)} | {
        f"Each claim, classifier setting “{setting}”": verdict_cells(frame, claims, labels)
        for setting, frame in pairs.items()
    }


def verdict_cells(
    pairs: pd.DataFrame, claims: Mapping[str, Mapping[str, Any]], labels: Mapping[str, str]
) -> pd.DataFrame:
    """A row of strings for each claim and corpus: what is said, where, the verdict, and why."""
    rows = []
    for judged in of_claims(pairs).to_dict("records"):
        claim = claims[judged["claim"]]
        same = pairs[list(judged)].eq(pd.Series(judged)).all(axis=1)
        shown = pairs[same].sort_values("effect", key=DECIDING[claim["relation"]]).iloc[0]
        rows.append(
            {
                "the paper": f"“{claim['quotation']}” ({claim['section']})",
                "corpus": judged["corpus"],
                "verdict": judged["verdict"],
                "difference": _measured(shown, claim["relation"]),
                "p": NONE if pd.isna(shown["p_holm"]) else f"{shown['p_holm']:.2g}",
                "pair": _pair(shown, labels),
            }
        )
    return pd.DataFrame(rows)


def _pair(pair: "pd.Series[Any]", labels: Mapping[str, str]) -> str:
    """Left and right, and why they were not compared if they were not."""
    where = f" on {pair['right_on']}" if pair["right_on"] != pair["corpus"] else ""
    why = f": {pair['reason']}" if pd.isna(pair["effect"]) else ""
    return f"{labels[pair['left']]}, {labels[pair['right']]}{where}{why}"


def _parts(cells: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The rows of each corpus, in parts that fit on a page."""
    return {
        f"{corpus}, {first // PART + 1}" if len(rows) > PART else str(corpus): rows[
            first : first + PART
        ].drop(columns="corpus")
        for corpus, rows in cells.groupby("corpus", sort=False)
        for first in range(0, len(rows), PART)
    }


def _measured(pair: "pd.Series[Any]", relation: str) -> str:
    if pd.isna(pair["effect"]):
        return NONE
    if relation == "faster":
        return "{effect:.1f} × [{low:.1f}, {high:.1f}]".format_map(pair)
    return "{effect:+.2f} [{low:+.2f}, {high:+.2f}]".format_map(pair).replace("-", MINUS)
