"""The hours of processor time that the published runs took, with each fit counted once."""

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from pte_study.report.provenance import FITS, jobs_of
from pte_study.store.stored_runs import Store, read_store

ALL = "all"


def hours(stores: Iterable[Path], searches: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each file of runs, and a row for all files.

    A row has the numbers of runs, fits and searches, and hours of processor time. `processor_hours`
    are the hours of all runs, such as scores, trainings of the sensitivity experiment and timed
    trainings, and of fits, which several scores may share. `search_hours` are the hours of
    `searches`, a frame of `pte_study.report.searches`. The encoding of texts is not counted.
    `two_core_hours` are the hours that all this takes on two cores that are always busy.
    """
    taken = {path.stem: _taken(read_store(path)) for path in stores}
    columns = ["runs", "fits", "processor_hours"]
    frame = pd.DataFrame(list(taken.values()), list(taken), columns)
    searched = searches.groupby("corpus")["processor_seconds"].agg(["count", "sum"])
    searched = searched.reindex(frame.index, fill_value=0)
    frame = frame.assign(searches=searched["count"], search_hours=searched["sum"] / 3600)
    both = frame["processor_hours"] + frame["search_hours"]
    frame = frame.assign(two_core_hours=both / 2)
    frame.loc[ALL] = frame.sum()
    whole = dict.fromkeys(["runs", "fits", "searches"], int)
    return frame.astype(whole).reset_index(names="corpus")


def _taken(store: Store) -> dict[str, float]:
    jobs = list(jobs_of(store))
    return {
        "runs": len(store.runs),
        "fits": sum(job.kind == FITS for job in jobs),
        "processor_hours": sum(job.processor_seconds for job in jobs) / 3600,
    }
