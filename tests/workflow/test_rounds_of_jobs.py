"""Jobs of several nodes train a method together, as one process would."""

import numpy as np

from pte.corpora.encoded import EncodedCorpus
from pte.files import load_array
from pte.models import in_rounds
from pte.training.contract import Task
from pte.training.setup import Hyperparameters

MADE = "results/representations/tiny/pte_joint_nodes/paper/seed1.npy"
OPTIONS = {"networks": ["ww", "wd", "wl"], "nodes": 2, "rounds": 2}


def test_jobs_of_nodes_train_together(finished, tmp_path):
    scratch = finished.copy(tmp_path)

    def two_nodes(methods):
        methods["pte_joint_nodes"] |= {"nodes": 2, "rounds": 2}

    scratch.rewrite("workflow/registry/methods.yaml", two_nodes)
    plan = scratch.plan(MADE)
    assert (plan["train_node"], plan["join_nodes"], plan["represent"]) == (4, 2, 1)
    assert "network" not in plan
    scratch.succeeds(MADE)

    corpus = EncodedCorpus.load(scratch.folder / "resources/corpora/tiny")
    shape = Hyperparameters(dim=16, negatives=5, rate=0.025, window=5)
    task = Task(corpus, seed=1, options=OPTIONS, hyperparameters=shape, samples=200_000)
    assert np.array_equal(load_array(scratch.folder / MADE), in_rounds.fit(task).array)
    left = (scratch.folder / "resources/rounds").rglob("*")
    assert [file for file in left if file.is_file()] == []


def test_a_page_may_show_a_row_of_nodes(checkout, tmp_path):
    copy = checkout.copy(tmp_path)
    copy.rewrite("config.yaml", lambda value: value["methods"].append("pte_joint_nodes"))
    assert copy.plan("quickstart")["join_nodes"] >= 20
