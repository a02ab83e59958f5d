"""A job as a script: what it is given, and a run of it without Snakemake's executor."""

import numpy as np

JOB = ("corpus=tiny", "method=random", "protocol=paper", "seed=1")


def test_a_job_shows_what_it_is_given(finished):
    run = finished.run("pte_study.plan.debug", "represent", *JOB)
    assert run.returncode == 0, run.stdout
    for text in ("resources/corpora/tiny", "results/representations/tiny/random/paper/seed1.npy"):
        assert text in run.stdout
    assert "pte.models.random_vectors" in run.stdout


def test_a_job_runs_as_a_script(finished, tmp_path):
    copy = finished.copy(tmp_path)
    path = "results/representations/tiny/random/paper/seed1.npy"
    (copy.folder / path).unlink()
    run = copy.run("pte_study.plan.debug", "--run", "represent", *JOB)
    assert run.returncode == 0, run.stdout
    assert np.array_equal(np.load(copy.folder / path), np.load(finished.folder / path))


def test_an_unknown_rule_or_wildcard_is_one_message(finished):
    run = finished.run("pte_study.plan.debug", "represnt", *JOB)
    assert run.returncode != 0
    assert "error: represnt: there is no such rule; known are 20ng, all" in run.stdout
    assert "Traceback" not in run.stdout
    run = finished.run("pte_study.plan.debug", "represent", "corpus=tiny")
    assert run.returncode != 0
    assert "error: represent: give its wildcards: corpus=… method=… protocol=… seed=…" in run.stdout
    assert "Traceback" not in run.stdout


def test_keys_of_the_configuration_can_be_set(finished):
    job = ("corpus=tiny", "method=pte_joint", "protocol=paper", "seed=1")
    config = ("--config", "deterministic=true", "hyperparameters={dim: 8, negatives: 3}")
    run = finished.run("pte_study.plan.debug", "represent", *job, *config)
    assert run.returncode == 0, run.stdout
    assert "deterministic=True" in run.stdout
    assert "dim=8, negatives=3" in run.stdout
    for wrong, message in (
        ("sedes=[1]", "error: config.yaml: top level"),
        ("seeds", "error: seeds: write NAME=VALUE"),
    ):
        run = finished.run("pte_study.plan.debug", "represent", *job, "--config", wrong)
        assert run.returncode != 0
        assert message in run.stdout
        assert "Traceback" not in run.stdout
