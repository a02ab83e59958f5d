"""The hours of published runs: a fit that several scores share counts once."""

import numpy as np
import pandas as pd

from pte_study.report.provenance import hours
from pte_study.store.stored_runs import Store, StoredRun, write_store

OF_COST = {"seconds": 1.0, "memory_mb": 1.0}
HITS = np.ones((1, 3), np.bool_)
CORPUS = {"documents_sha256": "a" * 64}


def run(name, **made):
    return StoredRun(f"results/scores/{name}", {}, made, HITS)


def test_a_fit_counts_once_and_a_score_each_time(tmp_path):
    fit = {
        "fit": "results/representations/a/x/paper/seed1",
        "fit_cost": OF_COST | {"processor_seconds": 3600.0},
    }
    score = {"cost": OF_COST | {"processor_seconds": 900.0}}
    runs = (run("a/x/paper/seed1", **fit, **score), run("a/x/chosen/seed1", **fit, **score))
    write_store(Store(CORPUS, runs), tmp_path / "a.npz")
    other = {
        "fit": "results/representations/b/x/paper/seed1",
        "fit_cost": OF_COST | {"processor_seconds": 1800.0},
    }
    write_store(
        Store(CORPUS, (run("b/x/paper/seed1", **other), run("b/y/paper/seed1"))), tmp_path / "b.npz"
    )
    searches = pd.DataFrame({"corpus": ["b", "b"], "processor_seconds": [1800.0, 3600.0]})
    found = hours(sorted(tmp_path.glob("*.npz")), searches)
    assert found.to_dict("list") == {
        "corpus": ["a", "b", "all"],
        "runs": [2, 2, 4],
        "fits": [1, 1, 2],
        "processor_hours": [1.5, 0.5, 2.0],
        "searches": [0, 2, 2],
        "search_hours": [0.0, 1.5, 1.5],
        "two_core_hours": [0.75, 1.0, 1.75],
    }
