"""The scores of a run as rows of a table; a row comes as soon as its job has ended."""

import json
import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from pte_study import paths
from pte_study.configuration.joining import labels

SCORES = f"{paths.SCORES}.json"
COLUMNS = {
    "corpus": "{:<12}",
    "method": "{:<26}",
    "protocol": "{:<8}",
    "seed": "{:>4}",
    "micro-F1": "{:>9}",
    "macro-F1": "{:>9}",
    "seconds of training": "{:>20}",
}


class Rows:
    """The jobs that write scores, and whether the head of the table was shown."""

    def __init__(self) -> None:
        """Start without any job that has begun."""
        self.files: dict[int, Path] = {}
        self.headed = False

    def started(self, job: int, outputs: Sequence[str]) -> None:
        """Note that a job begins that will write the files `outputs`."""
        for path in outputs:
            if paths.wildcards_of(SCORES, path):
                self.files[job] = Path(path)

    def finished(self, job: int) -> list[str]:
        """Return the lines to show when a job ends: its row, if it wrote scores.

        The head of the table comes before the first row.
        """
        path = self.files.pop(job, None)
        if path is None or not path.is_file():
            return []
        head = [] if self.headed else [line(COLUMNS)]
        self.headed = True
        return [*head, line(cells(json.loads(path.read_text("utf-8")), self.labels))]

    @cached_property
    def labels(self) -> dict[str, str]:
        """The names of methods that tables show; empty outside a checkout of the project.

        They are read when the first job ends. By then Snakemake has read the configuration, which
        names the folders of plugins.
        """
        folders = filter(None, os.environ.get("PTE_PLUGINS", "").split(os.pathsep))
        return labels(Path("workflow"), [Path(folder) for folder in folders])


def cells(run: dict[str, object], labels: dict[str, str]) -> list[str]:
    """Return the cells of the row of a score file; for a method that could not run, the reason.

    `labels` are the names of methods that tables show.
    """
    names = [str(run[key]) for key in ("corpus", "method", "protocol", "seed")]
    names[1] = labels.get(names[1], names[1])
    if "unavailable" in run:
        return [*names, str(run["unavailable"]), "", ""]
    seconds = run["train_seconds"]
    taken = "—" if seconds is None else f"{seconds:.1f}"
    return [*names, f"{run['micro_f1']:.2f}", f"{run['macro_f1']:.2f}", taken]


def line(shown: Sequence[str] | dict[str, str]) -> str:
    """Return a line with texts in columns."""
    pairs = zip(COLUMNS.values(), shown, strict=True)
    return " ".join(form.format(text) for form, text in pairs).rstrip()
