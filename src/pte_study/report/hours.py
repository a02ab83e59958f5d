"""The hours of processor time that the published runs took, with each fit counted once."""

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from pte_study.store.stored_runs import Store, StoredRun, read_store

ALL = "all"


def hours(stores: Iterable[Path], searches: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each file of runs, and a row for all files.

    A row has the numbers of runs, fits and searches, and hours of processor time. `processor_hours`
    are the hours of fits, which several scores may share, and of scores. `search_hours` are the
    hours of `searches`, a frame of `pte_study.report.searches`. The encoding of texts is not
    counted. `two_core_hours` are the hours that all this takes on two cores that are always busy.
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
    fits = {run.made["fit"]: _seconds(run, "fit_cost") for run in store.runs if "fit" in run.made}
    scores = sum(_seconds(run, "cost") for run in store.runs)
    return {
        "runs": len(store.runs),
        "fits": len(fits),
        "processor_hours": (sum(fits.values()) + scores) / 3600,
    }


def _seconds(run: StoredRun, of: str) -> float:
    """Return the processor seconds of a cost of a run; 0 if they are not known."""
    seconds: float = run.made.get(of, {}).get("processor_seconds", 0.0)
    return seconds
