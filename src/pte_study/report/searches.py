"""What choosing took: the jobs that search for hyperparameters and classifiers.

A row of `searches.csv` is a job. `corpus` is the corpus of the job, not a subset. `made` is the
name of the result, without ending. `seconds` are by the clock, and `processor_seconds` of the
processor. `memory_mb` is the most memory that the job held.
"""

from pathlib import Path
from typing import Any

import pandas as pd

from pte.corpora.subsets import Subset
from pte.files import read_json
from pte_study import paths
from pte_study.plan.costs import searched_for
from pte_study.plan.runs import Runs
from pte_study.plan.targets import all_scores
from pte_study.render.text import read_csv

COLUMNS = ["corpus", "made", "seconds", "processor_seconds", "memory_mb"]


def searches(runs: Runs, published: Path) -> pd.DataFrame:
    """Return the searches that are here, and the searches of the file `published`.

    A search that is in both is taken from here. Published searches of a corpus for other scores
    than now, as with other seeds, are left out. The file may not be there.
    """
    scores = [paths.wildcards_of(paths.SCORES, name) or {} for name in all_scores(runs)]
    asked = {(run["corpus"], run["method"], run["protocol"]) for run in scores}
    names = {name for each in asked for name in searched_for(runs.study, *each)}
    rows = [_row(name) for name in names if Path(paths.cost(name)).exists()]
    if published.exists():
        corpora, wanted = {_corpus_of(name) for name in names}, {_made(name) for name in names}
        kept = read_csv(published)[COLUMNS].to_numpy().tolist()
        rows += [row for row in kept if row[0] not in corpora or row[1] in wanted]
    found = pd.DataFrame(rows, columns=COLUMNS).drop_duplicates("made")
    return found.sort_values(["corpus", "made"], ignore_index=True)


def _row(name: str) -> list[Any]:
    cost = read_json(Path(paths.cost(name)))
    return [_corpus_of(name), _made(name), *(cost[column] for column in COLUMNS[2:])]


def _corpus_of(name: str) -> str:
    return Subset.parse(name.split("/")[2]).base


def _made(name: str) -> str:
    return name.removeprefix("results/").removesuffix(".json")
