"""The first sections of a page: what won, by how much and at what cost, and counts of verdicts."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import NamedTuple

import pandas as pd
from markupsafe import Markup

from pte_study.claims.claim import Claim
from pte_study.claims.verdicts import VERDICTS, of_tests
from pte_study.configuration.entries import MAIN_METHOD
from pte_study.paths import anchor
from pte_study.render.cells import NONE, seconds, signed, spread
from pte_study.render.section import Section
from pte_study.report.overview import each_once
from pte_study.report.summaries import Record, caveats, ranked
from pte_study.report.verdicts import (
    ALL,
    SENTENCES,
    Pairs,
    by_metric,
    counts_of_sentences,
    in_parts,
    judged_corpora,
    of_source,
)

TITLE = "What won, by how much, and at what cost"
ABOUT = (
    "This repeats the experiments of PTE, Predictive Text Embedding (Tang, Qu and Mei, 2015). "
    "PTE(auto) is this project's: a pool of classifiers, which a pretrained encoder may join."
)
NOTE = (
    "Micro-F1 in percent, mean ± standard deviation over seeds; seconds of training. A lead is the "
    "best score minus another. The protocol “chosen” chooses hyperparameters on held-out "
    "training documents, and “paper” takes the paper's. † is not in the paper."
)
BARS = "Verdicts of all tests, of which a sentence has several, by protocol"
EXTRA = "\u00a0†"


class Part(NamedTuple):
    """A part of a bar: how `many` there are, their `name`, and the class that colours the part."""

    many: int
    name: str
    kind: str


def what_won(frames: Sequence[pd.DataFrame]) -> Section:
    """Show what won on each corpus of comparisons of `pte_study.report.comparison`."""
    frame = each_once(frames)
    text = (*_sentences(frame), ABOUT, NOTE, *caveats(frame))
    return Section(TITLE, text, {"": best_cells(frame)})


def how_many_hold(judged: Pairs, claims: Mapping[str, Claim]) -> Section:
    """Count the verdicts on the paper's sentences in words, and those of all tests as bars."""
    ours = of_source(judged_corpora(judged), claims)
    counted = counts_of_sentences(by_metric(ours), claims).set_index(SENTENCES)
    text = [_counted(name, column) for name, column in counted.items()]
    chart = {BARS: verdict_bars(ours)}
    return Section("How many of the paper's claims hold", text, charts=chart)


def _counted(part: Hashable, counts: "pd.Series[str]") -> str:
    """Say how many sentences got each verdict; `part` is a protocol, or one with stand-ins."""
    each = [f"{many} {name}" for name, many in counts.drop(ALL).items() if many != "0"]
    return f"Sentences by “{part}”: {', '.join(each)}; {counts[ALL]} in all."


def best_cells(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a row of strings for each corpus: the best method, its lead over others, its cost.

    Scores are by the protocol "chosen" if a corpus has such scores, and otherwise by "paper".
    Controls are left out.
    """
    rows = []
    for corpus, protocol, methods in ranked(frame):
        best, *others = methods
        second = others[0] if others else {"label": NONE, "score": float("nan")}
        lead = {row["method"]: best["score"] - row["score"] for row in methods}
        rows.append(
            {
                "corpus": corpus,
                "best": f"{best['label']}{EXTRA if best['group'] == 'extra' else ''}",
                "micro-F1": spread(best["score"], best["deviation"]),
                "second": second["label"],
                "lead": signed(best["score"] - second["score"]),
                "over PTE(joint)": signed(lead.get(MAIN_METHOD, float("nan"))),
                "over BOW": signed(lead.get("bow", float("nan"))),
                "seconds": seconds(best["seconds"]),
                "protocol": protocol,
            }
        )
    return pd.DataFrame(rows)


def _sentences(frame: pd.DataFrame) -> Iterator[str]:
    """Yield a sentence on the only corpus, or one on how often the most frequent winner won."""
    found = list(ranked(frame))
    if len(found) > 1:
        winners = [rows[0]["label"] for _, _, rows in found]
        most = max(winners, key=winners.count)
        of = sum(any(row["label"] == most for row in rows) for _, _, rows in found)
        wins = winners.count(most)
        yield f"{most} has the best score on {wins} of the {of} corpora on which it was run."
    elif found and len(found[0][2]) > 1:
        corpus, _, (best, second, *_) = found[0]
        ahead = best["score"] - second["score"]
        lead = f"{ahead:.2f} points more than" if round(ahead, 2) else "as many as"
        yield (
            f"{best['label']} has the best score on {corpus}: {best['score']:.2f} % of the test "
            f"documents are right, {lead} with {second['label']}. "
            f"{_took(best)} {_took(second)}"
        )


def _took(row: Record) -> str:
    if pd.isna(row["seconds"]):
        return f"{row['label']} has no vectors to train."
    return f"{row['label']} trained for {seconds(row['seconds'])} seconds."


def verdict_bars(judged: Pairs) -> Markup:
    """Return a bar of verdicts for each protocol, and another bar for its stand-in corpora."""
    parts = in_parts(by_metric(judged))
    return bars({name: _parts(frame) for name, frame in parts.items() if len(frame)})


def _parts(frame: pd.DataFrame) -> list[Part]:
    verdicts = list(of_tests(frame)["verdict"])
    return [Part(verdicts.count(name), name, f"verdict {anchor(name)}") for name in VERDICTS]


def bars(rows: Mapping[str, Sequence[Part]]) -> Markup:
    """Draw a bar for each row; its parts are as long as their counts, without the parts of 0."""
    drawn = []
    for name, parts in rows.items():
        there = [part for part in parts if part.many]
        segments = Markup("").join(
            Markup('<span class="{0}" style="flex-grow: {1}" title="{1} {2}">{1}</span>').format(
                part.kind, part.many, part.name
            )
            for part in there
        )
        said = f"{name}: " + ", ".join(f"{part.many} {part.name}" for part in there)
        bar = Markup(
            '<div class="bar"><span>{}</span><div role="img" aria-label="{}">{}</div></div>'
        )
        drawn.append(bar.format(name, said, segments))
    kinds = {part.name: part.kind for parts in rows.values() for part in parts if part.many}
    key = Markup("").join(
        Markup('<li><span class="{}"></span>{}</li>').format(kind, name)
        for name, kind in kinds.items()
    )
    return Markup('<ul class="key">{}</ul>').format(key) + Markup("").join(drawn)
