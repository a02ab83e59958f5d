"""Look at a table while its runs go on: `python -m pte_study.report.look TABLE`."""

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import pandas as pd

from pte.errors import PteError
from pte_study import paths
from pte_study.configuration.entries import Row
from pte_study.plan.runs import Runs
from pte_study.report.comparison import comparison, format_for_terminal
from pte_study.report.here import runs_here
from pte_study.report.publication import existing
from pte_study.report.summaries import collect, reference_scores


def look(
    scores: Iterable[Path],
    reference: pd.DataFrame,
    methods: Sequence[Row],
    corpora: Sequence[str],
    protocols: Sequence[str],
) -> str:
    """Return the comparison of some score files for the terminal; other cells say "not yet run"."""
    return format_for_terminal(comparison(collect(scores), reference, methods, corpora, protocols))


def look_here(runs: Runs, name: str) -> str:
    """Return the table `name` from the scores that are there.

    Raises `PteError` when there is no table of this name.
    """
    study = runs.study
    if name not in study.tables:
        raise PteError(f"look: {name!r} is not one of {', '.join(study.tables)}")
    table = study.tables[name]
    reference = reference_scores(Path(paths.PAPER_SCORES), Path(paths.OTHERS_SCORES))
    methods = study.rows(study.methods_of(name))
    return look(existing(runs.of_table(name)), reference, methods, table.corpora, table.protocols)


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m pte_study.report.look", description=__doc__)
    parser.add_argument("table", metavar="TABLE", help="a table of config.yaml, or a corpus")
    asked = parser.parse_args()
    try:
        print(look_here(runs_here(), asked.table))
    except PteError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
