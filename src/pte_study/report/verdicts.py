"""The verdicts on the paper's claims as CSV, Markdown and HTML."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from pte_study.claims import verdicts
from pte_study.claims.claim import FROM_PAPER, Claim
from pte_study.claims.significance import JUDGED
from pte_study.paths import anchor
from pte_study.render.tables import MINUS, NONE, Section, write_tables
from pte_study.report.summaries import Files, Given

CAPTION = "What the paper claims by comparing methods, and what these runs say"
TEXTS = ["reason", "stand_in", "beyond"]
NUMBERS = [*verdicts.MEASURED[1:], *verdicts.ANSWERS, *verdicts.ADJUSTED]
BY_MACRO = "by macro-F1"
TOGETHER = "together"
SENTENCES, ALL = "sentences", "all"
NOTES = (
    "The difference is left minus right in points of micro-F1 with its 95 % interval, of the pair "
    "that decides; times (×) are right's seconds of training over left's, of our CNN, with all the "
    "threads of the machine. A last column, if there is one, has the verdict by macro-F1.",
    "Where a sentence is about a curve, its points follow each other. The verdict is at the "
    "point that decides; the mean of the curve has no part in it. "
    f"“{TOGETHER.capitalize()}” is the verdict on the whole sentence: on all its corpora, unless "
    "it says “usually” or “not consistently”.",
    "A claim and a corpus have one p-value for each question: is it so, is its contrary so, and "
    "are both sides level, within one point? The p-value shown is that of the verdict, adjusted "
    "for all claims on the corpus (Holm, 5 %); the interval is of the pair alone. A claim about "
    "several methods is reproduced if it holds for each.",
    "Too few documents: no number of seeds would be enough, and the pair says which differences "
    "would show. Too few seeds: the pair says how many would be enough, if the difference is as it "
    "was estimated.",
    "Some corpora of the paper are not to be had, and others stand in for them. Verdicts on these "
    "are counted apart.",
)


def write_verdicts(
    pairs: pd.DataFrame, claims: Mapping[str, Claim], labels: Mapping[str, str], stem: Path
) -> None:
    """Write `stem`.csv with every pair and all digits, and `stem`.md with a table of a sentence."""
    frame, tables = pairs.astype({"seeds": "Int64"}), verdict_tables(pairs, claims, labels)
    write_tables(frame, tables, stem, "\n\n".join([CAPTION, *_notes_on(pairs)]))


def read_verdicts(path: Path) -> pd.DataFrame:
    frame = pd.read_csv(path, dtype=dict.fromkeys([*NUMBERS, *TEXTS], str))
    return frame.astype(dict.fromkeys(NUMBERS, float))  # exact; the CSV parser may not be


def show_claims(files: Files, given: Given) -> Section:
    pairs = read_verdicts(files["csv"])
    tables = verdict_tables(pairs, given["claims"], given["labels"])
    return Section("Claim by claim", (f"{CAPTION}.", *_notes_on(pairs)), tables)


def verdict_classes(column: str, cell: str) -> list[str]:
    known = {*verdicts.VERDICTS, *verdicts.SENTENCE_VERDICTS} - {
        verdicts.NOT_RUN,
        verdicts.UNAVAILABLE,
    }
    return ["verdict", anchor(cell)] if cell in known else []


def _absent(pairs: pd.DataFrame) -> list[str]:
    """Return the corpora on which nothing was run yet; none if nothing was run at all."""
    ran = set(pairs.loc[pairs["verdict"] != verdicts.NOT_RUN, "corpus"])
    return [corpus for corpus in pairs["corpus"].unique() if corpus not in ran] if ran else []


def _notes_on(pairs: pd.DataFrame) -> tuple[str, ...]:
    absent = _absent(pairs)
    said = f"Claims on these are left out, because nothing was run there yet: {', '.join(absent)}."
    return (*NOTES, said) if absent else NOTES


def verdict_tables(
    pairs: pd.DataFrame, claims: Mapping[str, Claim], labels: Mapping[str, str]
) -> dict[str, pd.DataFrame]:
    """Return how many sentences and tests got each verdict, and a table for each sentence."""
    pairs = pairs[~pairs["corpus"].isin(_absent(pairs))]
    tables = {}
    for source in dict.fromkeys(claim.source for claim in claims.values()):
        ours = pairs[pairs["claim"].isin([n for n, c in claims.items() if c.source == source])]
        of = "" if source == FROM_PAPER else f" of the plugin {source}"
        tables[f"How many sentences{of}"] = counts_of_sentences(pairs, claims, source)
        tables[f"How many tests{of}"] = counts_of_tests(_by_metric(ours))
        tables[f"How many tests{of}, {BY_MACRO}"] = counts_of_tests(_by_metric(ours, macro=True))
    shown = {title: table for title, table in tables.items() if len(table)}
    said = {name: _said(claim) for name, claim in claims.items()}
    sentences = {
        name: verdicts.of_sentences(frame, claims)
        for name, frame in _in_parts(_by_metric(pairs)).items()
    }
    for sentence in dict.fromkeys(said.values()):
        its = {name: claim for name, claim in claims.items() if said[name] == sentence}
        if len(table := _sentence_cells(pairs, sentences, its, labels)):
            shown[sentence] = table
    return shown


def counts_of_sentences(
    pairs: pd.DataFrame, claims: Mapping[str, Claim], source: str = FROM_PAPER
) -> pd.DataFrame:
    """Count how many sentences of a source got each verdict: a row of strings for each, and all."""
    names = [name for name, claim in claims.items() if claim.source == source]
    known = pairs["claim"].isin(names) & ~pairs["corpus"].isin(_absent(pairs))
    judged = partial(verdicts.of_sentences, claims=claims)
    return _counts(_by_metric(pairs[known]), judged, verdicts.SENTENCE_VERDICTS, SENTENCES)


def counts_of_tests(pairs: pd.DataFrame) -> pd.DataFrame:
    """Count how many tests gave each verdict; claims that say the same on a corpus are one test."""
    return _counts(pairs, verdicts.of_tests, verdicts.VERDICTS, "tests")


def _counts(
    pairs: pd.DataFrame, judged: Callable[..., pd.DataFrame], words: Iterable[str], title: str
) -> pd.DataFrame:
    counts = {
        name: judged(frame)["verdict"].value_counts().reindex(list(words), fill_value=0)
        for name, frame in _in_parts(pairs).items()
    }
    if not counts:
        return pd.DataFrame()
    table = pd.DataFrame(counts)
    table = table[(table > 0).any(axis=1)]
    table.loc[ALL] = table.sum()
    return table.astype(str).reset_index(names=title)


def _in_parts(pairs: pd.DataFrame) -> dict[str, pd.DataFrame]:
    stands = pairs["stand_in"].notna()
    return {
        f"{protocol}{ending}": frame
        for part, ending in ((pairs[~stands], ""), (pairs[stands], ", stand-ins"))
        for protocol, frame in part.groupby("protocol", sort=False)
    }


def _by_metric(pairs: pd.DataFrame, macro: bool = False) -> pd.DataFrame:
    return pairs[(pairs["metric"] == JUDGED[1]) == macro]


def _sentence_cells(
    pairs: pd.DataFrame,
    sentences: Mapping[str, pd.DataFrame],
    claims: Mapping[str, Claim],
    labels: Mapping[str, str],
) -> pd.DataFrame:
    seconds = any(claim.measure == "seconds" for claim in claims.values())
    ours = pairs[pairs["claim"].isin(claims)]
    macro = (ours["metric"] == JUDGED[1]).any()
    shown = [row for part in _in_parts(ours).items() for row in _shown(*part)]
    rows = [
        {
            "corpus": _corpus(row),
            "protocol": part,
            "pair": _pair(row, labels),
            "difference": _measured(row, seconds),
            "verdict": verdict,
            "p": _chance(row, verdict) if verdict else "",
            BY_MACRO: by_macro,
        }
        for part, row, verdict, by_macro in shown
    ]
    first = next(iter(claims.values()))
    for part, frame in sentences.items():
        keys = {each: getattr(first, each) for each in ("source", "section", "quotation")}
        same = frame[(frame[list(keys)] == list(keys.values())).all(axis=1)]
        rows += [
            dict.fromkeys(rows[0], "")
            | {"corpus": TOGETHER, "protocol": part}
            | {"verdict": row["verdict"], "p": _chance(row, row["verdict"], NONE)}
            for row in same.to_dict("records")
            if rows
        ]
    cells = pd.DataFrame(rows)
    return cells if macro else cells.drop(columns=BY_MACRO, errors="ignore")


def _shown(part: str, pairs: pd.DataFrame) -> Iterator[tuple[str, dict[Any, Any], str, str]]:
    """Yield the part, a pair that is shown, and the verdicts by each metric if it decides."""
    macro = pairs["metric"] == JUDGED[1]
    by_macro = verdicts.of_claims(pairs[macro]).set_index(["claim", "corpus"])["verdict"].to_dict()
    for (name, corpus), group in pairs[~macro].groupby(["claim", "corpus"], sort=False):
        rows = group.to_dict("records")
        decides, verdict = verdicts.deciding(rows), verdicts.of_claims(group)["verdict"].item()
        curve = any(row["overall"] for row in rows)
        for row in rows if curve else [decides]:
            if (row["left"], row["right"]) == (decides["left"], decides["right"]):
                other = by_macro.get((name, corpus), NONE)
                yield (part, row, verdict, other) if row is decides else (part, row, "", "")


def _chance(row: Mapping[Any, Any], verdict: str, undecided: str = verdicts.ADJUSTED[0]) -> str:
    """Return the adjusted p-value of a verdict, or that of `undecided` if nothing is decided."""
    names = dict(
        zip(
            (verdicts.REPRODUCED, verdicts.NOT_REPRODUCED, verdicts.LEVEL_WITH),
            verdicts.ADJUSTED,
            strict=True,
        )
    )
    p = row.get(names.get(verdict, undecided))
    return NONE if pd.isna(p) else "< 0.0001" if p < 1e-4 else f"{p:.2g}"


def _said(claim: Claim) -> str:
    where = claim.section if claim.source == FROM_PAPER else f"{claim.source}, {claim.section}"
    return f"“{claim.quotation}” ({where})"


def _corpus(pair: Mapping[Any, Any]) -> str:
    stands = "" if pd.isna(pair["stand_in"]) else f", a stand-in for {pair['stand_in']}"
    splits = ", all splits" if pair["left_on"].endswith(", all splits") else ""
    return f"{pair['corpus']}{splits}{stands}"


def _pair(pair: Mapping[Any, Any], labels: Mapping[str, str]) -> str:
    left, right = (_where(pair, side) for side in ("left", "right"))
    both = left == right
    said = f"{labels[pair['left']]}{'' if both else left}, {labels[pair['right']]}{right}"
    beyond = "" if pd.isna(pair["beyond"]) else f", beyond that on {pair['beyond']}"
    why = "" if pd.isna(pair["reason"]) else f": {pair['reason']}"
    return f"{said}{beyond}{why}"


def _where(pair: Mapping[Any, Any], side: str) -> str:
    """Say where a side is measured; for a curve, name the first and the last point."""
    parts = pair[f"{side}_on"].split(" & ")
    if len(parts) > 1:
        return f" on {parts[0]} to {parts[-1]}, mean of {len(parts)}"
    corpus, _, what = parts[0].partition(", ")
    if what:
        return f" ({what})" if what != pair["metric"] else ""
    return f" on {corpus}" if corpus != pair["corpus"] else ""


def _measured(pair: Mapping[Any, Any], seconds: bool) -> str:
    if pd.isna(pair["effect"]):
        return NONE
    ends = [pair[name] for name in ("effect", "low", "high")]
    if seconds:
        return "{:.1f} × [{:.1f}, {:.1f}]".format(*np.exp(ends))
    return "{:+.2f} [{:+.2f}, {:+.2f}]".format(*ends).replace("-", MINUS)
