"""What every adapter shares: the job's log file, and errors without a traceback."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from pte.errors import PteError


@contextmanager
def logged(snakemake: Any) -> Iterator[None]:
    """Send what the block prints to the rule's log; a `PteError` is printed there, once."""
    with Path(snakemake.log[0]).open("w", buffering=1, encoding="utf-8") as log:
        try:
            with redirect_stdout(log), redirect_stderr(log):
                yield
        except PteError as error:
            print(f"error in {snakemake.rule} {dict(snakemake.wildcards)}: {error}", file=log)
            sys.exit(1)


@contextmanager
def bar(unit: str) -> Iterator[Callable[[int, int], None]]:
    """A bar of progress that is told how much is done, and how much there is."""
    from tqdm import tqdm  # takes longer than the rest of this file; jobs without a bar go without

    with tqdm(unit=unit, unit_scale=True, mininterval=5, maxinterval=5) as shown:

        def progress(done: int, whole: int) -> None:
            shown.total = whole
            shown.update(done - shown.n)

        yield progress
