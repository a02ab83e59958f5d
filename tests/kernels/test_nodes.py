"""Nodes that train each round from files learn what nodes of one process learn, to the bit."""

from dataclasses import replace

import numpy as np
import pytest

from pte.errors import PteError
from pte.files import save_array
from pte.models import in_rounds
from pte.training import draws
from pte.training.contract import Task
from pte.training.rounds import NodeState, first_rows, joined
from pte.training.setup import Hyperparameters

pytestmark = pytest.mark.trainer

OPTIONS = {"networks": ["ww", "wd", "wl"], "nodes": 3, "rounds": 4}


@pytest.fixture
def task(corpus, monkeypatch):
    monkeypatch.setattr(draws, "BLOCK", 300)
    shape = Hyperparameters(dim=20, negatives=2, rate=0.1, window=3)
    return Task(corpus, seed=3, options=OPTIONS, hyperparameters=shape, samples=5000)


def in_jobs(task, folder):
    """What the jobs of the workflow do, each from the files of those before."""
    files = {}
    for turn in range(task.options["rounds"]):
        states = []
        for number in range(task.options["nodes"]):
            before = {"node": folder / f"{turn - 1}-{number}", **files} if turn else {}
            state = in_rounds.train_node(replace(task, inputs=before), number, turn)
            state.save(folder / f"{turn}-{number}")
            states.append(NodeState.load(folder / f"{turn}-{number}"))
        rows = joined(
            np.load(files["rows"]) if files else first_rows(len(states[0].rows), task.setup),
            [state.rows for state in states],
            [state.pulls for state in states],
        )
        files = {"rows": folder / f"rows{turn}.npy"}
        save_array(files["rows"], rows)
    return in_rounds.fit(replace(task, inputs=files))


@pytest.mark.parametrize("samples", [5000, 700, "auto"])
def test_jobs_learn_what_one_process_learns(task, tmp_path, samples):
    task = replace(task, samples=samples, samples_limit=4000)
    here, apart = in_rounds.fit(task), in_jobs(task, tmp_path)
    assert apart.array.shape == (task.corpus.n_words, 20)
    assert apart.array.tobytes() == here.array.tobytes()
    assert apart.samples == here.samples and apart.notes == here.notes


def test_rows_of_documents_stay_with_their_node(task, tmp_path):
    in_jobs(task, tmp_path)
    own = [NodeState.load(tmp_path / f"3-{number}").own for number in range(3)]
    assert sum(map(len, own)) == (task.corpus.split == 0).sum()


def test_weights_are_those_of_the_configuration(task):
    assert in_rounds.plan_of(task).weights == {}
    assert in_rounds.plan_of(replace(task, weights={"wl": 0.5})).weights == {"wl": 0.5}
    assert set(in_rounds.plan_of(replace(task, weights="auto")).weights) <= {"ww", "wd", "wl"}


def test_a_damaged_state_is_named(task, tmp_path):
    in_jobs(task, tmp_path)
    (tmp_path / "0-0" / "own.npy").write_bytes(b"short")
    with pytest.raises(PteError, match=r"own\.npy"):
        NodeState.load(tmp_path / "0-0")


def test_groups_are_not_trained_in_rounds():
    """Parts of a text have other groups, and nodes could not join their rows."""
    options = {"networks": ["ww", "wg"], "nodes": 2, "rounds": 2}
    task = Task(None, seed=1, options=options, hyperparameters=Hyperparameters())
    with pytest.raises(PteError, match="network wg: nodes cannot train it in rounds; leave it out"):
        in_rounds.plan_of(task)
