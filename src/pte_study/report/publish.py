"""Publish what a run made, as a whole or in parts: `python -m pte_study.report.publish [NAME ...]`.

A NAME is a table (`long`, `table1`), the picture `network`, the verdicts `claims`, or an
experiment, such as `curves-labelled`, `sensitivity-dim` or `maps-20ng`. Without a name, all that is
there is published. The name `runs` publishes the runs alone. Runs are published with every other
part, too. Verdicts are judged on the published runs, so the runs that are here are published first.
"""

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from pte.errors import PteError
from pte_study.report.here import runs_here
from pte_study.report.publication import publish_here


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(
        prog="python -m pte_study.report.publish",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="a part; all that is there without"
    )
    parser.add_argument(
        "--keep",
        action="store_true",
        help="keep published rows of the named tables and experiments that this run lacks",
    )
    asked = parser.parse_args()
    if asked.keep and not asked.names:
        parser.error("--keep: name the tables, curves or parameters")
    try:
        with TemporaryDirectory() as folder:
            partial = Path(folder) if asked.keep else None
            published = publish_here(runs_here(), asked.names, partial)
    except PteError as error:
        sys.exit(f"error: {error}")
    print("published:", *published, sep="\n  ")


if __name__ == "__main__":
    main()
