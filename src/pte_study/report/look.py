"""Look at a table while its runs go on: `python -m pte_study.report.look TABLE`."""

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from pte.errors import PteError
from pte.files import read_json
from pte_study import paths
from pte_study.configuration.entries import Row
from pte_study.plan.runs import Runs
from pte_study.report.comparison import comparison, format_for_terminal
from pte_study.report.here import runs_here
from pte_study.report.summaries import frame_of, reference_scores


def look(
    records: Sequence[Mapping[str, Any]],
    reference: pd.DataFrame,
    methods: Sequence[Row],
    corpora: Sequence[str],
    protocols: Sequence[str],
) -> str:
    """Return the comparison of some scores for the terminal; other cells say "not yet run"."""
    frame = comparison(frame_of(records), reference, methods, corpora, protocols)
    return format_for_terminal(frame)


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
    files = map(Path, paths.with_ending(runs.of_table(name), "json"))
    records = [read_json(file) for file in files if file.exists()]
    return look(records, reference, methods, table.corpora, table.protocols)


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
