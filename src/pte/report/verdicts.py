"""The verdicts on the paper's claims as CSV, Markdown, LaTeX and HTML."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from pte.claims import relations
from pte.claims.claim import PAPER, Claim
from pte.claims.verdicts import JUDGED, VERDICTS, of_claims
from pte.files import atomic_file
from pte.render.cells import MINUS, NONE
from pte.render.html import Section, anchor, html_page
from pte.render.latex import write_latex
from pte.render.markdown import write_markdown
from pte.render.text import write_csv

Pairs = Mapping[str, pd.DataFrame]
"""Frames of `pte.claims.verdicts.judge` by classifier setting."""
CAPTION = "What the paper claims by comparing methods, and what these runs say"
PART = 7
"""How many claims a float of LaTeX holds, so that it fits on a page."""
COLUMNS = "".join(rf"p{{{share}\textwidth}}" for share in (0.34, 0.12, 0.16, 0.05, 0.19))
"""Widths of a claim, its verdict, the difference, p and the pair."""
POINTS, CHANCES = "{:.2f}", "{:.6g}"
"""How claims.csv rounds differences, and p-values."""
TEXTS = ["reason", "stand_in"]
ROUNDED = dict.fromkeys(["effect", "low", "high"], POINTS) | dict.fromkeys(["p", "p_holm"], CHANCES)
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
    "Some corpora of the paper are not to be had, and others stand in for them. Verdicts on these "
    "are counted apart, and their tests are a family of their own.",
)


def write_verdicts(
    pairs: Pairs, claims: Mapping[str, Claim], labels: Mapping[str, str], stem: Path
) -> None:
    """Write `stem`.csv with every pair, and .md and .tex with a row for each claim and corpus.

    LaTeX has the first classifier setting alone. `labels` are the names of methods. The CSV file is
    rounded for readers; `write_pairs` keeps all digits.
    """
    frame = _joined(pairs)
    p_values = frame[["p", "p_holm"]].map(lambda p: "" if pd.isna(p) else CHANCES.format(p))
    write_csv(frame.assign(**p_values), stem)
    write_markdown(verdict_tables(pairs, claims, labels), stem, CAPTION, NOTES)
    cells = verdict_cells(next(iter(pairs.values())), claims, labels)
    write_latex(_parts(cells), stem, CAPTION, NOTES, COLUMNS)


def write_pairs(pairs: Pairs, path: Path) -> None:
    """Write every pair as CSV with all digits, so that verdicts can be joined with others."""
    with atomic_file(path) as temporary:
        _joined(pairs).to_csv(temporary, index=False, lineterminator="\n")


def read_verdicts(path: Path) -> dict[str, pd.DataFrame]:
    """Read the frames by classifier setting, from the CSV file of either function."""
    frame = pd.read_csv(path, dtype=dict.fromkeys([*ROUNDED, *TEXTS], str))
    frame = frame.astype(dict.fromkeys(ROUNDED, float))  # exact, as the parser of CSV need not be
    return {
        str(setting): rows.drop(columns="setting").reset_index(drop=True)
        for setting, rows in frame.groupby("setting", sort=False)
    }


def rounded(pairs: Pairs) -> dict[str, pd.DataFrame]:
    """Round the numbers as claims.csv does, so that tables made of either show the same digits."""
    return {
        setting: frame.assign(
            **{
                name: [float(text.format(value)) for value in frame[name]]
                for name, text in ROUNDED.items()
            }
        )
        for setting, frame in pairs.items()
    }


def verdicts_page(pairs: Pairs, claims: Mapping[str, Claim], labels: Mapping[str, str]) -> str:
    """Write the tables of `write_verdicts` as a page of HTML."""
    section = Section(tables=verdict_tables(pairs, claims, labels))
    return html_page(CAPTION, [section], NOTES, verdict_classes)


def verdict_classes(column: str, cell: str) -> list[str]:
    """Return the classes of a cell that holds a verdict."""
    return ["verdict", anchor(cell)] if cell in JUDGED else []


def verdict_counts(pairs: Pairs) -> pd.DataFrame:
    """Count how many claims got which verdict, on each corpus: a row of strings for a verdict.

    Stand-ins have columns of their own, if there are any.
    """
    parts = {setting: frame[frame["stand_in"].isna()] for setting, frame in pairs.items()}
    parts |= {
        f"{setting}, stand-ins": frame[frame["stand_in"].notna()]
        for setting, frame in pairs.items()
        if frame["stand_in"].notna().any()
    }
    counts = {
        name: of_claims(frame)["verdict"].value_counts().reindex(VERDICTS, fill_value=0)
        for name, frame in parts.items()
    }
    table = pd.DataFrame(counts).astype(str)
    return table[(table != "0").any(axis=1)].reset_index(names="claims")


def of_source(
    pairs: Pairs, claims: Mapping[str, Claim], source: str = PAPER
) -> dict[str, pd.DataFrame]:
    """Keep the rows of the claims that one source makes."""
    names = [name for name, claim in claims.items() if claim.source == source]
    return {setting: frame[frame["claim"].isin(names)] for setting, frame in pairs.items()}


def _title(source: str) -> str:
    return "How many claims" if source == PAPER else f"How many claims of the plugin {source}"


def verdict_tables(
    pairs: Pairs, claims: Mapping[str, Claim], labels: Mapping[str, str]
) -> dict[str, pd.DataFrame]:
    """Return tables of strings: how many claims got which verdict, and each claim by setting."""
    sources = dict.fromkeys(claim.source for claim in claims.values())
    counts = {
        _title(source): verdict_counts(of_source(pairs, claims, source)) for source in sources
    }
    return counts | {
        f"Each claim, classifier setting “{setting}”": verdict_cells(frame, claims, labels)
        for setting, frame in pairs.items()
    }


def verdict_cells(
    pairs: pd.DataFrame, claims: Mapping[str, Claim], labels: Mapping[str, str]
) -> pd.DataFrame:
    """Return a row of strings for each claim and corpus: what it says, the verdict, and why.

    The numbers are those of the pair that is hardest for the claim.
    """
    rows = []
    for judged in of_claims(pairs).to_dict("records"):
        claim = claims[judged["claim"]]
        same = pairs[list(judged)].eq(pd.Series(judged)).all(axis=1)
        relation = relations.named(claim.relation)
        by_ease = pairs[same].sort_values("effect", key=lambda effects: effects.map(relation.ease))
        shown = by_ease.iloc[0]
        rows.append(
            {
                "the paper": _said(claim),
                "corpus": _corpus(shown),
                "verdict": judged["verdict"],
                "difference": _measured(shown, relation.compares),
                "p": NONE if pd.isna(shown["p_holm"]) else f"{shown['p_holm']:.2g}",
                "pair": _pair(shown, labels),
            }
        )
    return pd.DataFrame(rows)


def _said(claim: Claim) -> str:
    """Quote a claim, and say where it stands."""
    where = claim.section if claim.source == PAPER else f"{claim.source}, {claim.section}"
    return f"“{claim.quotation}” ({where})"


def _corpus(pair: "pd.Series[Any]") -> str:
    """Name the corpus, and the one of the paper that it stands in for."""
    stands = "" if pd.isna(pair["stand_in"]) else f", a stand-in for {pair['stand_in']}"
    return f"{pair['corpus']}{stands}"


def _pair(pair: "pd.Series[Any]", labels: Mapping[str, str]) -> str:
    """Name left and right, and say why if they were not compared."""
    where = f" on {pair['right_on']}" if pair["right_on"] != pair["corpus"] else ""
    why = f": {pair['reason']}" if pd.isna(pair["effect"]) else ""
    return f"{labels[pair['left']]}, {labels[pair['right']]}{where}{why}"


def _parts(cells: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Split the rows of each corpus into parts that fit on a page."""
    return {
        f"{corpus}, {first // PART + 1}" if len(rows) > PART else str(corpus): rows[
            first : first + PART
        ].drop(columns="corpus")
        for corpus, rows in cells.groupby("corpus", sort=False)
        for first in range(0, len(rows), PART)
    }


def _joined(pairs: Pairs) -> pd.DataFrame:
    """Return the frames as one, with the classifier setting as its first column."""
    frame = pd.concat(pairs, names=["setting"]).reset_index("setting").reset_index(drop=True)
    return frame.assign(seeds=frame["seeds"].astype("Int64"))


def _measured(pair: "pd.Series[Any]", compares: str) -> str:
    if pd.isna(pair["effect"]):
        return NONE
    if compares == "seconds":
        return "{effect:.1f} × [{low:.1f}, {high:.1f}]".format_map(pair)
    return "{effect:+.2f} [{low:+.2f}, {high:+.2f}]".format_map(pair).replace("-", MINUS)
