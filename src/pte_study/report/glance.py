"""The first sections of a page: what won, by how much and at what cost, and counts of verdicts."""

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import pandas as pd
from markupsafe import Markup

from pte_study.claims.verdicts import VERDICTS, of_tests
from pte_study.configuration.entries import CHOSEN, MAIN_METHOD, PAPER
from pte_study.render.cells import NONE, seconds, signed, spread
from pte_study.render.charts import Part, bars
from pte_study.render.html import anchor
from pte_study.render.section import Section
from pte_study.report.overview import each_once
from pte_study.report.summaries import caveats
from pte_study.report.verdicts import Pairs, by_metric, in_parts, judged_corpora

TITLE = "What won, by how much, and at what cost"
NOTE = (
    "Micro-F1 in percent, mean ± standard deviation over seeds; seconds of training. Δ is another "
    "method's score minus the best. The protocol “chosen” chooses hyperparameters on held-out "
    "training documents, and “paper” takes the paper's. † is not in the paper."
)
EXTRA = "\u00a0†"
Record = dict[Hashable, Any]


def glance_sections(
    frames: Sequence[pd.DataFrame], judged: Pairs | None = None
) -> Iterator[Section]:
    """Yield what won on each corpus, and the counts of verdicts, if any.

    `frames` are comparisons of `pte_study.report.comparison`, and `judged` are the verdicts.
    """
    if frames:
        frame = each_once(frames)
        text = (*_sentences(frame), NOTE, *caveats(frame))
        yield Section(TITLE, text, {"": best_cells(frame)})
    if judged:
        chart = {"Verdicts of all tests, by protocol": verdict_bars(judged_corpora(judged))}
        yield Section("How many of the paper's claims hold", charts=chart)


def best_cells(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a row of strings for each corpus: the best method, its lead over others, its cost.

    Scores are by the protocol "chosen" if a corpus has such scores, and otherwise by "paper".
    Controls are left out.
    """
    rows = []
    for corpus, protocol, ranked in _ranked(frame):
        best = ranked[0]
        behind = {row["method"]: row["score"] - best["score"] for row in ranked}
        rows.append(
            {
                "corpus": corpus,
                "best": f"{best['label']}{EXTRA if best['group'] == 'extra' else ''}",
                "micro-F1": spread(best["score"], best["deviation"]),
                "seconds": seconds(best["seconds"]),
                "second": ranked[1]["label"] if len(ranked) > 1 else NONE,
                "Δ second": signed(ranked[1]["score"] - best["score"]) if len(ranked) > 1 else NONE,
                "Δ PTE(joint)": signed(behind.get(MAIN_METHOD, float("nan"))),
                "Δ BOW": signed(behind.get("bow", float("nan"))),
                "protocol": protocol,
            }
        )
    return pd.DataFrame(rows)


def _ranked(frame: pd.DataFrame) -> Iterator[tuple[str, str, list[Record]]]:
    """Yield each corpus, the protocol that it is ranked by, and its methods, the best first."""
    for corpus, panel in frame[frame["group"] != "control"].groupby("corpus", sort=False):
        chosen = "chosen_micro_mean" in panel and bool(panel["chosen_micro_mean"].notna().any())
        names = ("micro_mean", "micro_sd", "train_seconds")
        of = {f"chosen_{name}" if chosen else name: name for name in names}
        taken = panel.reindex(columns=[*of, "method", "label", "group"])
        taken.columns = ["score", "deviation", "seconds", "method", "label", "group"]
        scored = taken[taken["score"].notna()].sort_values("score", ascending=False, kind="stable")
        if len(scored):
            yield str(corpus), CHOSEN if chosen else PAPER, scored.to_dict("records")


def _sentences(frame: pd.DataFrame) -> Iterator[str]:
    """Yield a sentence on the only corpus, or one on how often the most frequent winner won."""
    ranked = list(_ranked(frame))
    if len(ranked) > 1:
        winners = [rows[0]["label"] for _, _, rows in ranked]
        most = max(winners, key=winners.count)
        of = sum(any(row["label"] == most for row in rows) for _, _, rows in ranked)
        wins = winners.count(most)
        yield f"{most} has the best score on {wins} of the {of} corpora on which it was run."
    elif ranked and len(ranked[0][2]) > 1:
        corpus, _, (best, second, *_) = ranked[0]
        ahead = best["score"] - second["score"]
        yield (
            f"{best['label']} has the best score on {corpus}: {best['score']:.2f} % of the test "
            f"documents are right, {ahead:.2f} points more than with {second['label']}. "
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
