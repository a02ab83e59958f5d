"""The tables of docs/choosing.md: what `pte.recommend` says, and how good its advice is.

There are also two tables of docs/findings.md, the lead of PTE(auto) and what choosing took, and a
table of docs/claims.md, the verdicts that depend on moderated variances. After a run is published,
write these tables and the scores behind them again:

    python -m pte.report.guidelines
"""

import statistics
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pandas as pd

from pte.recommendation import (
    METHODS,
    SITUATIONS,
    Situation,
    chosen,
    measured,
    points_behind,
    recommend,
    weighed,
)
from pte.render.markdown import markdown_table, write_into
from pte.render.text import write_csv
from pte.report.here import runs_here
from pte.report.lead import lead
from pte.report.moderation import moderation
from pte.report.publication import judged_published
from pte.report.searches import choosing
from pte.report.situations import situations
from pte.study import paths

DOCUMENT, FINDINGS = Path("docs/choosing.md"), Path("docs/findings.md")
CLAIMS = Path("docs/claims.md")

LABELLED = (100, 300, 1_000, 3_000, 10_000, 50_000)
LENGTHS = (10, 20, 100, 250)
OTHERS = {"advice-alone": 0, "advice-texts": 30}
"""The tables of advice, and how many unlabelled texts each table has for each labelled text."""


def advice(others: int) -> pd.DataFrame:
    """Return the recommended methods by labelled texts and by lengths; a star marks a caution."""
    rows = []
    for labelled in LABELLED:
        said = [recommend(labelled, others * labelled, length) for length in LENGTHS]
        rows.append([f"{labelled:,}", *(each.method + "*" * bool(each.cautions) for each in said)])
    return pd.DataFrame(rows, columns=["labelled", *(f"{n} words" for n in LENGTHS)])


def unseen() -> pd.DataFrame:
    """Return how far the advice is behind the best method, in points, over situations.

    The corpus of a situation is left out of the advice. Further rows say how far each method is
    behind if it is always taken, for each method that was measured in all these situations. A row
    has the mean and the worst.
    """
    cases = list(_left_out())
    always = [name for name in METHODS if all(name in there.scores for there, _ in cases)]
    points = {"as recommended": [there.behind(method) for there, method in cases]}
    points |= {
        f"always {METHODS[name].label}": [there.behind(name) for there, _ in cases]
        for name in always
    }
    ordered = sorted(points.items(), key=lambda item: statistics.mean(item[1]))
    rows = [(name, f"{statistics.mean(found):.1f}", f"{max(found):.1f}") for name, found in ordered]
    return pd.DataFrame(rows, columns=["taken", "points behind, mean", "worst"])


def _left_out() -> Iterator[tuple[Situation, str]]:
    """Yield each situation where NB+EM was measured, and the method that the other corpora advise.

    These are the situations with all labels, or with text without labels. A method that was not
    measured in a situation cannot be advised for it.
    """
    known = measured()
    for there in known:
        if "nb_em" in there.scores:
            others = [each for each in known if each.corpus != there.corpus]
            behind = points_behind(weighed(there, others))
            possible = {name: points for name, points in behind.items() if name in there.scores}
            yield replace(there, between={}), chosen(possible)


def main() -> None:
    """Write `situations.csv` and the tables of the documents, from the repository's root."""
    published = Path(paths.PUBLISHED)
    write_csv(situations(published), SITUATIONS.with_suffix(""))
    measured.cache_clear()
    for name, others in OTHERS.items():
        write_into(DOCUMENT, name, markdown_table(advice(others)))
    write_into(DOCUMENT, "unseen", markdown_table(unseen()))
    write_into(FINDINGS, "lead", markdown_table(lead(published)))
    runs = runs_here()
    write_into(FINDINGS, "choosing", markdown_table(choosing(runs.study, published)))
    moderated, alone = judged_published(runs), judged_published(runs, moderated=False)
    if moderated and alone:
        write_into(CLAIMS, "moderation", markdown_table(moderation(moderated, alone)))


if __name__ == "__main__":
    main()
