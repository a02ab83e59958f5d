"""Look at a table while its runs go on: `python -m pte_study.report.look TABLE`."""

import argparse
import sys
from pathlib import Path

from pte.errors import PteError
from pte.files import read_json
from pte_study import paths
from pte_study.plan.exhibits import COMPARISON
from pte_study.plan.runs import Runs
from pte_study.report.comparison import compared, format_for_terminal
from pte_study.report.here import runs_here


def look_here(runs: Runs, name: str) -> str:
    """Return the table `name` from the scores that are there; other cells say "not yet run".

    Raises `PteError` when there is no table of this name.
    """
    if name not in runs.study.tables:
        raise PteError(f"look: {name!r} is not one of {', '.join(runs.study.tables)}")
    files = map(Path, paths.with_ending(runs.of_table(name), "json"))
    records = [read_json(file) for file in files if file.exists()]
    return format_for_terminal(compared(records, COMPARISON.registry, COMPARISON.told(runs, name)))


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
