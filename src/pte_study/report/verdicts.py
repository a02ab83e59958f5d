"""The verdicts on the paper's claims as CSV, Markdown and HTML."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from pte.corpora.subsets import Subset
from pte.files import atomic_file
from pte_study.claims.claim import FROM_PAPER, Claim
from pte_study.claims.points import METRICS
from pte_study.claims.sentences import SENTENCE_VERDICTS, of_sentences
from pte_study.claims.verdicts import (
    ADJUSTED,
    ANSWERS,
    LEVEL_WITH,
    MEASURED,
    NOT_REPRODUCED,
    NOT_RUN,
    REPRODUCED,
    UNAVAILABLE,
    VERDICTS,
    deciding,
    of_claims,
    of_tests,
)
from pte_study.paths import anchor
from pte_study.render.cells import MINUS, NONE
from pte_study.render.html import html_page
from pte_study.render.markdown import write_markdown
from pte_study.render.section import Section
from pte_study.report.forest import axis, forest, scale_of

Pairs = Mapping[str, pd.DataFrame]
"""Frames of `pte_study.claims.judging.judge` by protocol."""
CAPTION = "What the paper claims by comparing methods, and what these runs say"
TEXTS = ["reason", "stand_in", "beyond"]
NUMBERS = [*MEASURED[1:], *ANSWERS, *ADJUSTED]
BY_MACRO = "by macro-F1"
TOGETHER = "together"
STAND_INS = "{}, stand-ins"
SENTENCES, ALL = "sentences", "all"
NOTES = (
    "The difference is left minus right in points of micro-F1 with its 95 % interval, of the pair "
    "that decides; times (×) are right's seconds of training over left's, of our CNN, with all the "
    "threads of the machine. The plot shows the same: ● is the difference, ├ and ┤ are the ends "
    "of its interval, │ is 0, and ┊ is a margin of the claim. A last column, if there is one, has "
    "the verdict by macro-F1.",
    "Where a sentence is about a curve, its points follow each other. The verdict is at the "
    "point that decides, and ◆ is the mean of the curve, which has no part in the verdict. "
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
    pairs: Pairs, claims: Mapping[str, Claim], labels: Mapping[str, str], stem: Path
) -> None:
    """Write `stem`.csv with every pair, and `stem`.md with a table for each sentence.

    `labels` are the names of methods. The CSV file has all digits, so that these verdicts can be
    joined with other verdicts.
    """
    with atomic_file(stem.with_name(f"{stem.name}.csv")) as temporary:
        _joined(pairs).to_csv(temporary, index=False, lineterminator="\n")
    tables = verdict_tables(judged_corpora(pairs), claims, labels)
    write_markdown(tables, stem, "\n\n".join([CAPTION, *notes_on(pairs)]))


def read_verdicts(path: Path) -> dict[str, pd.DataFrame]:
    """Read the frames by protocol, from the CSV file of `write_verdicts`."""
    frame = pd.read_csv(path, dtype=dict.fromkeys([*NUMBERS, *TEXTS], str))
    frame = frame.astype(dict.fromkeys(NUMBERS, float))  # exact; the CSV parser may not be
    return {
        str(protocol): rows.drop(columns="protocol").reset_index(drop=True)
        for protocol, rows in frame.groupby("protocol", sort=False)
    }


def section(files: Mapping[str, Path], given: Mapping[str, Any]) -> Section:
    """Show the verdicts that `read_verdicts` reads."""
    pairs = read_verdicts(files["csv"])
    tables = verdict_tables(judged_corpora(pairs), given["claims"], given["labels"])
    return Section("Claim by claim", (f"{CAPTION}.", *notes_on(pairs)), tables)


def verdicts_page(pairs: Pairs, claims: Mapping[str, Claim], labels: Mapping[str, str]) -> str:
    """Return the tables of `write_verdicts` as a page of HTML."""
    section = Section(tables=verdict_tables(judged_corpora(pairs), claims, labels))
    return html_page(CAPTION, [section], notes_on(pairs), verdict_classes)


def judged_corpora(pairs: Pairs) -> dict[str, pd.DataFrame]:
    """Return the frames without the corpora on which nothing was run yet."""
    absent = _absent(pairs)
    return {name: frame[~frame["corpus"].isin(absent)] for name, frame in pairs.items()}


def _absent(pairs: Pairs) -> list[str]:
    """Return the corpora on which nothing was run yet; no corpus if nothing was run at all."""
    ran = {corpus for f in pairs.values() for corpus in f.loc[f["verdict"] != NOT_RUN, "corpus"]}
    known = dict.fromkeys(corpus for frame in pairs.values() for corpus in frame["corpus"])
    return [corpus for corpus in known if corpus not in ran] if ran else []


def notes_on(pairs: Pairs) -> tuple[str, ...]:
    """Return the notes below the tables."""
    absent = _absent(pairs)
    said = f"Claims on these are left out, because nothing was run there yet: {', '.join(absent)}."
    return (*NOTES, said) if absent else NOTES


def verdict_classes(column: str, cell: str) -> list[str]:
    """Return the CSS classes of a cell that holds a verdict."""
    known = {*VERDICTS, *SENTENCE_VERDICTS} - {NOT_RUN, UNAVAILABLE}
    return ["verdict", anchor(cell)] if cell in known else []


def in_parts(pairs: Pairs) -> dict[str, pd.DataFrame]:
    """Return the frame of each protocol, and apart from it the frame of its stand-ins, if any."""
    parts = {protocol: frame[frame["stand_in"].isna()] for protocol, frame in pairs.items()}
    stand_ins = {
        STAND_INS.format(protocol): frame[frame["stand_in"].notna()]
        for protocol, frame in pairs.items()
    }
    return parts | {name: frame for name, frame in stand_ins.items() if len(frame)}


def counts_of_tests(pairs: Pairs) -> pd.DataFrame:
    """Count how many tests gave each verdict: a row of strings for each, and one for all.

    Claims that say the same on a corpus are one test.
    """
    verdicts = {name: of_tests(frame)["verdict"] for name, frame in in_parts(pairs).items()}
    return _counts(verdicts, VERDICTS, "tests")


def counts_of_sentences(pairs: Pairs, claims: Mapping[str, Claim]) -> pd.DataFrame:
    """Count how many sentences got each verdict: a row of strings for each, and one for all."""
    verdicts = {
        name: of_sentences(frame, claims)["verdict"] for name, frame in in_parts(pairs).items()
    }
    return _counts(verdicts, SENTENCE_VERDICTS, SENTENCES)


def _counts(
    verdicts: Mapping[str, "pd.Series[str]"], words: Sequence[str], title: str
) -> pd.DataFrame:
    counts = {
        name: each.value_counts().reindex(list(words), fill_value=0)
        for name, each in verdicts.items()
    }
    table = pd.DataFrame(counts)
    table = table[(table > 0).any(axis=1)]
    table.loc[ALL] = table.sum()
    return table.astype(str).reset_index(names=title)


def counts_by_corpus(pairs: pd.DataFrame) -> pd.DataFrame:
    """Count how many tests gave each verdict: a row of strings for a corpus and its subsets."""
    judged = of_tests(pairs)
    bases = judged["corpus"].map(lambda name: Subset.parse(name).base)
    counts = pd.crosstab(bases, judged["verdict"]).reindex(list(dict.fromkeys(bases)))
    shown = [verdict for verdict in VERDICTS if verdict in counts]
    return counts[shown].astype(str).rename_axis("corpus").reset_index()


def by_metric(pairs: Pairs, macro: bool = False) -> dict[str, pd.DataFrame]:
    """Return the verdicts by macro-F1 if `macro`, and otherwise all other verdicts."""
    return {
        protocol: frame[(frame["metric"] == METRICS[1]) == macro]
        for protocol, frame in pairs.items()
    }


def of_source(
    pairs: Pairs, claims: Mapping[str, Claim], source: str = FROM_PAPER
) -> dict[str, pd.DataFrame]:
    """Return the rows of the claims that one source makes."""
    names = [name for name, claim in claims.items() if claim.source == source]
    return {protocol: frame[frame["claim"].isin(names)] for protocol, frame in pairs.items()}


def _title(what: str, source: str) -> str:
    return f"How many {what}" if source == FROM_PAPER else f"How many {what} of the plugin {source}"


def verdict_tables(
    pairs: Pairs, claims: Mapping[str, Claim], labels: Mapping[str, str]
) -> dict[str, pd.DataFrame]:
    """Return tables of strings: how many sentences and tests got each verdict, and all sentences.

    A table for each sentence has its differences.
    """
    counts = {}
    for source in dict.fromkeys(claim.source for claim in claims.values()):
        ours = of_source(pairs, claims, source)
        tests = _title("tests", source)
        counts[_title("sentences", source)] = counts_of_sentences(by_metric(ours), claims)
        counts[tests] = counts_of_tests(by_metric(ours))
        counts[f"{tests}, {BY_MACRO}"] = counts_of_tests(by_metric(ours, macro=True))
    of_corpora = {
        f"How many tests on each corpus, protocol “{protocol}”": counts_by_corpus(frame)
        for protocol, frame in by_metric(pairs).items()
    }
    shown = {title: table for title, table in (counts | of_corpora).items() if len(table)}
    said = {name: _said(claim) for name, claim in claims.items()}
    sentences = {
        name: of_sentences(frame, claims) for name, frame in in_parts(by_metric(pairs)).items()
    }
    for sentence in dict.fromkeys(said.values()):
        its = {name: claim for name, claim in claims.items() if said[name] == sentence}
        if len(table := sentence_cells(pairs, sentences, its, labels)):
            shown[sentence] = table
    return shown


def sentence_cells(
    pairs: Pairs,
    sentences: Mapping[str, pd.DataFrame],
    claims: Mapping[str, Claim],
    labels: Mapping[str, str],
) -> pd.DataFrame:
    """Return the rows of strings of a sentence: its differences, and the verdict on all together.

    `claims` are those of the sentence, and `sentences` are frames of `of_sentences` by part.
    """
    seconds = any(claim.measure == "seconds" for claim in claims.values())
    ours = {name: frame[frame["claim"].isin(claims)] for name, frame in pairs.items()}
    macro = any((frame["metric"] == METRICS[1]).any() for frame in ours.values())
    shown = [row for part in in_parts(ours).items() for row in _shown(*part)]
    scale = scale_of([row for _, row, _, _ in shown])
    rows = [
        {
            "corpus": _corpus(row),
            "protocol": part,
            "pair": _pair(row, labels),
            "difference": _measured(row, seconds),
            axis(scale, seconds): forest(row, scale),
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
    """Yield the part, a row of the frame, and the verdicts by micro-F1 and macro-F1 if it decides.

    All points of a curve are shown, and otherwise the pair that decides.
    """
    macro = pairs["metric"] == METRICS[1]
    by_macro = of_claims(pairs[macro]).set_index(["claim", "corpus"])["verdict"].to_dict()
    for (name, corpus), group in pairs[~macro].groupby(["claim", "corpus"], sort=False):
        rows = group.to_dict("records")
        decides, verdict = deciding(rows), of_claims(group)["verdict"].item()
        curve = any(row["overall"] for row in rows)
        for row in rows if curve else [decides]:
            if (row["left"], row["right"]) != (decides["left"], decides["right"]):
                continue
            other = by_macro.get((name, corpus), NONE)
            yield (part, row, verdict, other) if row is decides else (part, row, "", "")


def _chance(row: Mapping[Any, Any], verdict: str, undecided: str = ADJUSTED[0]) -> str:
    """Return the adjusted p-value of a verdict, or that of `undecided` if nothing is decided."""
    names = dict(zip((REPRODUCED, NOT_REPRODUCED, LEVEL_WITH), ADJUSTED, strict=True))
    p = row.get(names.get(verdict, undecided))
    return NONE if pd.isna(p) else "< 0.0001" if p < 1e-4 else f"{p:.2g}"


def _said(claim: Claim) -> str:
    """Return the quotation of a claim, with its section and the plugin that makes it, if any."""
    where = claim.section if claim.source == FROM_PAPER else f"{claim.source}, {claim.section}"
    return f"“{claim.quotation}” ({where})"


def _corpus(pair: Mapping[Any, Any]) -> str:
    """Name the corpus, and the corpus of the paper that it stands in for."""
    stands = "" if pd.isna(pair["stand_in"]) else f", a stand-in for {pair['stand_in']}"
    splits = ", all splits" if pair["left_on"].endswith(", all splits") else ""
    return f"{pair['corpus']}{splits}{stands}"


def _pair(pair: Mapping[Any, Any], labels: Mapping[str, str]) -> str:
    """Name left and right, where they are measured if not on the corpus, and what is missing."""
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


def _joined(pairs: Pairs) -> pd.DataFrame:
    """Return the frames as one, with the protocol as its first column."""
    frame = pd.concat(pairs, names=["protocol"]).reset_index("protocol").reset_index(drop=True)
    return frame.assign(seeds=frame["seeds"].astype("Int64"))


def _measured(pair: Mapping[Any, Any], seconds: bool) -> str:
    if pd.isna(pair["effect"]):
        return NONE
    ends = [pair[name] for name in ("effect", "low", "high")]
    if seconds:
        return "{:.1f} × [{:.1f}, {:.1f}]".format(*np.exp(ends))
    return "{:+.2f} [{:+.2f}, {:+.2f}]".format(*ends).replace("-", MINUS)
