"""A job as a script: what it is given, and a run of it without Snakemake's executor."""

import tempfile
from types import SimpleNamespace

import numpy as np
from snakemake.iocontainers import Log, OutputFiles

from pte_study.plan.debug import _write_elsewhere

JOB = ("corpus=tiny", "method=random", "protocol=paper", "seed=1")


def test_a_job_runs_as_a_script(finished, tmp_path):
    copy = finished.copy(tmp_path)
    path = "results/representations/tiny/random/paper/seed1.npy"
    (copy.folder / path).unlink()
    run = copy.run("pte_study.plan.debug", "--run", "represent", *JOB)
    assert run.returncode == 0, run.stdout
    assert np.array_equal(np.load(copy.folder / path), np.load(finished.folder / path))


def test_an_unknown_rule_is_one_message(finished):
    run = finished.run("pte_study.plan.debug", "represnt", *JOB)
    assert run.returncode != 0
    assert "error: represnt: there is no such rule; known are 20ng, all" in run.stdout
    assert "Traceback" not in run.stdout


def test_a_job_shows_what_it_is_given_and_keys_can_be_set(finished):
    job = ("corpus=tiny", "method=pte_joint", "protocol=paper", "seed=1")
    config = ("--config", "network_weights=auto", "hyperparameters={dim: 8, negatives: 3}")
    run = finished.run("pte_study.plan.debug", "represent", *job, *config)
    assert run.returncode == 0, run.stdout
    made = "results/representations/tiny/pte_joint/paper/seed1.npy"
    for text in ("resources/corpora/tiny", made, "pte.models.network_embedding"):
        assert text in run.stdout
    assert "weights='auto'" in run.stdout
    assert "dim=8, negatives=3" in run.stdout
    wrong = finished.run("pte_study.plan.debug", "represent", *job, "--config", "sedes=[1]")
    assert wrong.returncode != 0
    assert "error: config.yaml: top level" in wrong.stdout
    assert "Traceback" not in wrong.stdout


def test_a_job_with_keys_of_its_own_writes_elsewhere(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    files = OutputFiles(fromdict={"choice": "results/choices/a.json", "cost": "results/b.json"})
    job = SimpleNamespace(output=files, log=Log(toclone=["logs/a.log"]))
    _write_elsewhere(job)
    (folder,) = tmp_path.iterdir()
    assert job.output.choice == str(folder / files.choice) != files.choice
    assert job.output.get("cost") == str(folder / files.cost)
    assert list(job.log) == [str(folder / "logs" / "a.log")]
