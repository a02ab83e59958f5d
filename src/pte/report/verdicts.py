"""The verdicts on the paper's claims as CSV, Markdown, LaTeX and HTML."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from pte.report.cells import MINUS, NONE
from pte.report.claims import VERDICTS, of_claims, views
from pte.report.html import Section, html_page
from pte.report.tables import write_csv, write_latex, write_markdown, write_text

CAPTION = "What the paper claims by comparing methods, and what these runs say"
PART = 7
"""Claims in a float of LaTeX, that it fits on a page."""
NOTES = (
    "The difference is left minus right in points of micro-F1 with its 95 % interval, of the pair "
    "that decides; times (×) are right's seconds of training over left's, median and range over "
    "seeds.",
    "Documents are bootstrapped, seeds add their variance; p-values of all pairs are adjusted "
    "together (Holm), 5 %. A claim about several methods is reproduced if it holds for each.",
    "Whether scores converge in T is judged with the paper's classifier setting alone.",
)


def write_verdicts(
    pairs: Mapping[str, pd.DataFrame],
    claims: Mapping[str, Mapping[str, Any]],
    labels: Mapping[str, str],
    stem: Path,
) -> None:
    """Write `stem`.csv with every pair, and tables with a row for each claim and corpus.

    `pairs` are frames of `pte.report.claims.judge` by classifier setting, the first of which gives
    the differences that are shown; `labels` are the names of methods.
    """
    frame = pd.concat(pairs, names=["setting"]).reset_index("setting").reset_index(drop=True)
    write_csv(frame, stem)
    cells = verdict_cells(pairs, claims, labels)
    tables = {"How many claims": verdict_counts(pairs), "Each claim": cells}
    write_markdown(tables, stem, CAPTION, NOTES)
    write_latex(_parts(cells), stem, CAPTION, NOTES, _columns(len(pairs)))
    write_text(stem, "html", html_page(CAPTION, [Section(tables=tables)], NOTES))


def read_verdicts(judged: Path) -> dict[str, pd.DataFrame]:
    """The frames of `write_verdicts` by classifier setting, from `stem`.csv."""
    frame = pd.read_csv(judged, dtype={"reason": str})
    return {
        str(setting): rows.reset_index(drop=True)
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


def verdict_cells(
    pairs: Mapping[str, pd.DataFrame],
    claims: Mapping[str, Mapping[str, Any]],
    labels: Mapping[str, str],
) -> pd.DataFrame:
    """A row of strings for each claim and corpus: what is said, where, and the verdicts."""
    verdicts = {setting: of_claims(frame) for setting, frame in pairs.items()}
    first = next(iter(pairs.values()))
    rows = []
    for i, row in next(iter(verdicts.values())).iterrows():
        claim = claims[row["claim"]]
        same = (first["claim"] == row["claim"]) & (first["corpus"] == row["corpus"])
        deciding = first[same & (first["verdict"] == row["verdict"])]
        least = deciding.sort_values("effect").iloc[0]
        rows.append(
            {
                "the paper": f"“{claim['quotation']}” ({claim['section']})",
                "corpus": row["corpus"],
            }
            | {setting: frame.at[i, "verdict"] for setting, frame in verdicts.items()}
            | {
                "difference": _measured(least, claim["relation"]),
                "pair": _pair(claim, least, labels),
            }
        )
    return pd.DataFrame(rows)


def _pair(claim: Mapping[str, Any], pair: "pd.Series[Any]", labels: Mapping[str, str]) -> str:
    """Left and right, and why they were not compared if they were not."""
    _, other = views(claim, pair["corpus"])
    where = f" on {other}" if other != pair["corpus"] else ""
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


def _columns(n_settings: int) -> str:
    """Widths of a claim, the verdict in each setting, the difference and its pair."""
    shares = [0.34, *[0.22 / n_settings] * n_settings, 0.16, 0.16]
    return "".join(rf"p{{{share:.3f}\textwidth}}" for share in shares)


def _measured(pair: "pd.Series[Any]", relation: str) -> str:
    if pd.isna(pair["effect"]):
        return NONE
    if relation == "faster":
        return "{effect:.1f} × [{low:.1f}, {high:.1f}]".format_map(pair)
    return "{effect:+.2f} [{low:+.2f}, {high:+.2f}]".format_map(pair).replace("-", MINUS)
