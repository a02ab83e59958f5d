"""What choosing took: the jobs that search for hyperparameters and classifiers.

A row of `searches.csv` is a job. `corpus` is the corpus of the job, not a subset. `made` is the
name of the result, without ending. `seconds` are by the clock, and `processor_seconds` of the
processor. `memory_mb` is the most memory that the job held.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from pte.corpora.subsets import Subset
from pte.files import read_json
from pte_study import paths
from pte_study.configuration.entries import CHOSEN
from pte_study.plan.costs import searched_for
from pte_study.plan.runs import Runs
from pte_study.plan.study import Study
from pte_study.plan.targets import all_scores
from pte_study.render.cells import NONE
from pte_study.render.text import read_csv

COLUMNS = ["corpus", "made", "seconds", "processor_seconds", "memory_mb"]
TABLES = ("long", "short", "news")
"""The published tables whose methods are shown."""


def searches(runs: Runs, published: Path) -> pd.DataFrame:
    """Return the searches that are here, and the searches of the file `published`.

    A search that is in both is taken from here. The file may not be there.
    """
    scores = [paths.wildcards_of(paths.SCORES, name) or {} for name in all_scores(runs)]
    asked = {(run["corpus"], run["method"], run["protocol"]) for run in scores}
    names = {name for each in asked for name in searched_for(runs.study, *each)}
    rows = [_row(name) for name in names if Path(paths.cost(name)).exists()]
    if published.exists():
        rows += read_csv(published)[COLUMNS].to_numpy().tolist()
    found = pd.DataFrame(rows, columns=COLUMNS).drop_duplicates("made")
    return found.sort_values(["corpus", "made"], ignore_index=True)


def _row(name: str) -> list[Any]:
    _, _, corpus, *_ = name.split("/")
    cost = read_json(Path(paths.cost(name)))
    return [Subset.parse(corpus).base, _made(name), *(cost[column] for column in COLUMNS[2:])]


def _made(name: str) -> str:
    """Return the name of a search in the file."""
    return name.removeprefix("results/").removesuffix(".json")


def choosing(study: Study, published: Path) -> pd.DataFrame:
    """Return the seconds that a fit and its searches take, by method and corpus.

    A cell has the seconds of a fit with the chosen values, and the processor seconds of all its
    searches. Both are from files in the folder `published`. A cell is a dash if a method searches
    nothing, or if a search was not measured. Rows and columns of dashes are left out.
    """
    found = read_csv(published / "searches.csv")
    took = dict(zip(found["made"], found["processor_seconds"], strict=True))
    rows = pd.concat([read_csv(published / f"{name}.csv") for name in TABLES])
    cells = [_cell(study, row, took) for _, row in rows.iterrows()]
    table = rows.assign(cell=cells).pivot(index="label", columns="corpus", values="cell")
    table = table.loc[rows["label"].unique(), rows["corpus"].unique()].fillna(NONE)
    known = table != NONE
    return table.loc[known.any(axis=1), known.any()].reset_index(names="method")


def _cell(study: Study, row: "pd.Series[Any]", took: Mapping[str, float]) -> str:
    names = [_made(name) for name in searched_for(study, row["corpus"], row["method"], CHOSEN)]
    if not names or not all(name in took for name in names):
        return NONE
    fit = 0 if pd.isna(row["chosen_train_seconds"]) else row["chosen_train_seconds"]
    return f"{fit:,.0f} + {sum(took[name] for name in names):,.0f}"
