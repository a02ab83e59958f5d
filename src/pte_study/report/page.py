"""The pages of a run: what won, verdicts, tables beside the paper, figures, and their origin."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from pte.files import atomic_file
from pte_study.configuration.config import MAIN_METHOD
from pte_study.plan.study import PAGES
from pte_study.render.tables import NONE, Section, html_page, seconds, signed, spread
from pte_study.report import verdicts
from pte_study.report.comparison import difference_classes
from pte_study.report.summaries import caveats, each_once, ranked

Told = tuple[str, Mapping[str, pd.DataFrame]]  # sentences and tables
QUICKSTART = "PTE in two minutes: what came out"
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
EXTRA = "\u00a0†"


class Item(NamedTuple):
    """A table, figure or verdicts; `show_RULE` of `module` shows it beside others of its `part`."""

    module: str
    rule: str
    part: str
    files: Mapping[str, Any]
    given: Mapping[str, Any]


def write_page(page: str, sections: Iterable[Section], path: Path) -> None:
    """Write a page, atomically, with links to the others of `PAGES` if it is one of them."""

    def classes(column: str, cell: str) -> list[str]:
        return difference_classes(column, cell) or verdicts.verdict_classes(column, cell)

    pages = {f"{name}.html": title for name, title in PAGES.items()} if page in PAGES else {}
    title = PAGES.get(page, QUICKSTART)
    with atomic_file(path) as temporary:
        text = html_page(title, list(sections), classes=classes, pages=pages)
        temporary.write_text(text, encoding="utf-8")


def page_sections(page: str, items: Sequence[Item], here: Told | None = None) -> Iterator[Section]:
    """Yield the sections of a page of `PAGES`, or of the quickstart."""
    told: set[str] = set()
    for section in _sections(page, items, here):
        yield replace(section, text=[each for each in section.text if each not in told])
        told |= {*section.text}


def _sections(page: str, items: Sequence[Item], here: Told | None) -> Iterator[Section]:
    comparisons, claims = (
        [item for item in items if item.rule == rule] for rule in ("comparison", "claims")
    )
    if page in ("index", "quickstart") and comparisons:
        yield what_won([pd.read_csv(item.files["csv"]) for item in comparisons])
    for item in claims:
        judged = verdicts.read_verdicts(item.files["csv"])
        counted = verdicts.counts_of_sentences(judged, item.given["claims"]).set_index(
            verdicts.SENTENCES
        )
        text = []
        for part, counts in counted.items():
            each = [
                f"{many} {name}" for name, many in counts.drop(verdicts.ALL).items() if many != "0"
            ]
            text.append(f"Sentences by “{part}”: {', '.join(each)}; {counts[verdicts.ALL]} in all.")
        yield Section("How many of the paper's claims hold", text)
    shown = [item for item in items if page != "index" or item not in [*comparisons, *claims]]
    for part in dict.fromkeys(item.part for item in shown):
        of_part = [
            getattr(import_module(item.module), f"show_{item.rule}")(item.files, item.given)
            for item in shown
            if item.part == part
        ]
        yield reduce(Section.joined, of_part)
    if here is not None:
        yield Section("Where the numbers come from", (here[0],), here[1])


def what_won(frames: Sequence[pd.DataFrame]) -> Section:
    """Show the best method of each corpus of some comparisons, its lead over others, its cost."""
    frame = each_once(frames)
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
    text = (*_sentences(frame), ABOUT, NOTE, *caveats(frame))
    return Section(TITLE, text, {"": pd.DataFrame(rows)})


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
            f"documents are right, {lead} with {second['label']}."
        )
