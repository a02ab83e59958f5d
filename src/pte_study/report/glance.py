"""The first section of the page: verdicts, the best methods, and all methods beside the paper."""

from collections.abc import Iterator, Sequence

import pandas as pd
from markupsafe import Markup

from pte_study.claims.verdicts import VERDICTS, of_claims
from pte_study.configuration.entries import MAIN_METHOD
from pte_study.render.cells import signed, spread
from pte_study.render.charts import Dot, Part, bars, dot_plot
from pte_study.render.html import anchor
from pte_study.render.section import Section
from pte_study.report.overview import each_once
from pte_study.report.verdicts import Pairs, by_metric, judged_corpora

TITLE = "At a glance"
DIFFERENCE = "ours minus reported, points of micro-F1"
CHART = "All methods beside the numbers that are reported"


def glance_section(frames: Sequence[pd.DataFrame], judged: Pairs | None) -> Section:
    """Return the first section of the page.

    `frames` are comparisons of `pte_study.report.comparison`, and `judged` are the verdicts, if
    any.
    """
    frame = each_once(frames)
    charts = {}
    if judged:
        charts["Claims of the paper"] = verdict_bars(judged_corpora(judged))
    if dots := list(_dots(frame)):
        charts[CHART] = dot_plot(dots, DIFFERENCE)
    text = ("Micro-F1 in percent, mean ± standard deviation over seeds. † is not in the paper.",)
    tables = {"The best method of each corpus": best_cells(frame)}
    return Section(TITLE, text, tables, charts=charts)


def best_cells(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a row of strings for each corpus: the best method, and its lead over two others.

    The row says how far PTE(joint) and BOW are behind the best method.

    Scores are by the protocol "chosen" if a corpus has such scores, and otherwise by "paper".
    Controls are left out.
    """
    rows = []
    for corpus, panel in frame[frame["group"] != "control"].groupby("corpus", sort=False):
        chosen = bool("chosen_micro_mean" in panel and panel["chosen_micro_mean"].notna().any())
        mean, deviation = (f"{'chosen_' if chosen else ''}micro_{each}" for each in ("mean", "sd"))
        scored = panel[panel[mean].notna()].sort_values(mean, ascending=False).to_dict("records")
        if not scored:
            continue
        best, behind = scored[0], {row["method"]: row[mean] - scored[0][mean] for row in scored}
        rows.append(
            {
                "corpus": corpus,
                "best": f"{best['label']}{' †' if best['group'] == 'extra' else ''}",
                "micro-F1": spread(best[mean], best[deviation]),
                "PTE(joint), behind": signed(behind.get(MAIN_METHOD, float("nan"))),
                "BOW, behind": signed(behind.get("bow", float("nan"))),
                "protocol": "chosen" if chosen else "paper",
            }
        )
    columns = ["corpus", "best", "micro-F1", "PTE(joint), behind", "BOW, behind", "protocol"]
    return pd.DataFrame(rows, columns=columns)


def verdict_bars(judged: Pairs) -> Markup:
    """Return a bar of verdicts for each protocol, and another bar for its stand-in corpora."""
    rows: dict[str, list[Part]] = {}
    for protocol, frame in by_metric(judged).items():
        alone = frame["stand_in"].isna()
        for name, part in ((protocol, frame[alone]), (f"{protocol}, stand-ins", frame[~alone])):
            if len(part):
                rows[name] = _parts(part)
    return bars(rows)


def _parts(frame: pd.DataFrame) -> list[Part]:
    verdicts = list(of_claims(frame)["verdict"])
    return [Part(verdicts.count(name), name, f"verdict {anchor(name)}") for name in VERDICTS]


def _dots(frame: pd.DataFrame) -> Iterator[Dot]:
    """Yield the difference of each method on each corpus for which a score is reported."""
    for row in frame[frame["difference"].notna()].to_dict("records"):
        ours = spread(row["micro_mean"], row["micro_sd"])
        reported = f"{row['reference_source']} {row['reference_micro']:.2f}"
        said = f"{row['label']} on {row['corpus']}: {ours}, {reported}, {signed(row['difference'])}"
        yield Dot(str(row["label"]), str(row["corpus"]), float(row["difference"]), said)
