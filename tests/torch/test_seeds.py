"""Five seeds of CNN with each step, on three corpora: scores and epochs differ by noise alone.

About five minutes on two cores: each training is a process of one thread, two at a time.
"""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

STEPS, SEEDS, PROCESSES = ("torch", "numpy"), range(1, 6), 2
ERRORS = 3
"""Standard errors that the means may differ by.

Of equally good steps 1.7 % differ by more: Student's t of the 8 degrees of freedom of ten runs.
Both steps have the same seeds, so the same first weights, batches and dropout, which makes them
differ by less.
"""

FLOORS = {"micro_f1": 0.1, "epochs": 1.0}
"""What the means may differ by even if the runs hardly spread, as ten runs by chance may.

A tenth of a point is two to twenty documents of these corpora, fewer than one run is off by; epochs
are counted whole.
"""


def train(folder, step, seed):
    """What `train.py` prints, and what it was asked."""
    script = Path(__file__).with_name("train.py")
    command = [sys.executable, script, folder, step, str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return {"corpus": folder.name, "step": step, "seed": seed} | json.loads(done.stdout)


def allowed(runs, measure):
    """The largest difference of the means of two steps, from the spread of the seeds of each."""
    variances = runs.groupby("step")[measure].var()
    error = np.sqrt(variances.mean() * 2 / len(SEEDS))
    return max(ERRORS * error, FLOORS[measure])


def difference(runs, measure):
    means = runs.groupby("step")[measure].mean()
    return means["numpy"] - means["torch"]


@pytest.fixture(scope="module")
def runs(folders):
    jobs = [(each, step, seed) for each in folders.values() for step in STEPS for seed in SEEDS]
    with ThreadPoolExecutor(PROCESSES) as pool:
        return pd.DataFrame(pool.map(lambda job: train(*job), jobs))


def test_five_seeds_score_the_same(runs, capsys):
    by_seed = runs.pivot(index=["corpus", "step"], columns="seed", values=["micro_f1", "epochs"])
    compared = pd.DataFrame(
        [
            {
                "corpus": corpus,
                "measure": measure,
                **part.groupby("step")[measure].mean(),
                "difference": difference(part, measure),
                "allowed": allowed(part, measure),
            }
            for corpus, part in runs.groupby("corpus")
            for measure in FLOORS
        ]
    )
    seconds = runs.pivot_table(index="corpus", columns="step", values="seconds", aggfunc="sum")
    with capsys.disabled():
        for table in (by_seed, compared, seconds):
            print("", table.round(2).to_string(), sep="\n")
    apart = compared[compared["difference"].abs() > compared["allowed"]]
    assert apart.empty, f"the steps differ:\n{apart}"


@pytest.mark.parametrize(
    ("spread", "loss", "found"),
    [(0.5, 1.5, True), (0.5, 0.5, False), (0, 0.2, True), (0, 0.05, False)],
)
def test_a_loss_beyond_the_noise_is_found(spread, loss, found):
    """Of runs whose seeds have this standard deviation, with either step."""
    scores = 70 + spread * np.array([-1, 1, 0, -1, 1])
    made = pd.concat(
        pd.DataFrame({"step": step, "micro_f1": scores - less})
        for step, less in (("torch", 0), ("numpy", loss))
    )
    assert difference(made, "micro_f1") == pytest.approx(-loss)
    assert (loss > allowed(made, "micro_f1")) == found
