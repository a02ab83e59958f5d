"""Runs of jobs and published runs: what is written is read back, judged, and joined."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from made import configured
from sklearn.metrics import f1_score

from pte.errors import PteError
from pte.files import save_array, sha256_of, write_json
from pte_study import paths
from pte_study.claims.claim import Claim
from pte_study.claims.judging import Kinds, judge_protocols
from pte_study.plan import study as planned
from pte_study.plan.study import Study
from pte_study.report import adding
from pte_study.report.adding import joined, replaced, verify, write_verified
from pte_study.report.verdicts import verdict_tables
from pte_study.store import (
    Store,
    StoredRun,
    held,
    read_records,
    read_store,
    read_stores,
    run_of_job,
    write_store,
)

ROOT = Path(__file__).parents[2]
CORPUS = {"documents_sha256": "a" * 64, "counts": {"test": 11}}


def run_of(seed, code="1", method="bow", share=0.5, machine="here"):
    """A run on 11 test documents, which are not a whole number of bytes."""
    hits = np.random.default_rng(seed).random((1, 11)) < share
    kept = {"corpus": "c", "method": method, "protocol": "paper", "seed": seed}
    kept |= {"micro_f1": 50.0 + seed, "macro_f1": 1 / 3, "samples": None, "train_seconds": 2.5}
    made = {"code": [code, "of the fit"], "machine": {"processor": machine}}
    return StoredRun(f"results/scores/c/{method}/paper/seed{seed}", kept, made, hits)


def right_and_wrong(truth, *tests):
    """The hits and the misses of tests that predicted these classes."""
    hits = np.stack([test == truth for test in tests])
    return hits, np.stack(tests)[~hits]


def with_misses(run, truth):
    """The same run, whose misses have the class after the true one of three."""
    (hits,) = run.hits
    return replace(run, misses=(truth[~hits] + 1) % 3)


def seeds(store):
    return [(run.kept["seed"], run.made["code"][0]) for run in store.runs]


def store_of(*runs):
    return Store(CORPUS, runs)


def test_runs_are_read_back_as_they_were(tmp_path):
    one, none = run_of(1), StoredRun("results/scores/c/x/paper/seed1", {}, {}, np.empty((0, 11)))
    write_store(store_of(one, none, run_of(2, machine="there")), tmp_path / "c.npz")
    found = read_store(tmp_path / "c.npz")
    assert found.corpus == CORPUS
    assert [run.kept for run in found.runs] == [one.kept, {}, run_of(2).kept]
    assert [run.made["machine"] for run in found.runs][::2] == [
        {"processor": "here"},
        {"processor": "there"},
    ]
    assert found.runs[0].hits.tolist() == one.hits.tolist()
    assert found.runs[1].hits.shape == (0, 11)
    assert found.runs[2].hits.tolist() == run_of(2).hits.tolist()


def test_predictions_are_read_back(tmp_path):
    """Of two runs, and of a training with two tests; a run may keep its hits alone."""
    truth = np.array([0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1], np.int32)
    first = np.array([0, 1, 2, 1, 1, 2, 2, 1, 0, 0, 1], np.int32)
    second = np.roll(first, 1)
    one = StoredRun("results/scores/c/a/paper/seed1", {}, {}, *right_and_wrong(truth, first))
    tests = right_and_wrong(truth, first, second)
    several = StoredRun("results/sensitivity/runs/c/dim/8/seed1", {}, {}, *tests)
    none = StoredRun("results/scores/c/x/paper/seed1", {}, {}, np.empty((0, 11)))
    whole = Store(CORPUS, (one, none, several), truth)
    write_store(whole, tmp_path / "c.npz")
    found = read_store(tmp_path / "c.npz")
    assert found.truth.tolist() == truth.tolist()
    assert not any(run.keeps_hits_alone for run in found.runs)
    assert found.runs[1].predicted(truth).shape == (0, 11)
    assert found.runs[0].predicted(truth).tolist() == [first.tolist()]
    assert found.runs[2].predicted(truth).tolist() == [first.tolist(), second.tolist()]
    write_store(Store(CORPUS, (one, run_of(2), several), truth), tmp_path / "c.npz")
    found = read_store(tmp_path / "c.npz")
    assert [run.keeps_hits_alone for run in found.runs] == [False, True, False]
    assert found.runs[2].predicted(truth).tolist() == [first.tolist(), second.tolist()]
    with pytest.raises(PteError, match=r"seed2: its hits alone are published; run it again"):
        found.runs[1].predicted(truth)


def test_documents_of_several_classes_are_written_with_their_hits_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    truth = np.array([[1, 0], [1, 1], [0, 1]], np.bool_)
    predicted = np.array([[1, 0], [1, 0], [0, 1]], np.bool_)
    name = "results/scores/c/bow/paper/seed1"
    write_json(Path(f"{name}.json"), {"seed": 1})
    save_array(Path(f"{name}.npy"), predicted)
    run = run_of_job(name, truth)
    assert run.hits.tolist() == [[True, False, True]]
    assert (run.predicted(truth) == predicted).all()
    write_store(Store(CORPUS, (run,), truth), tmp_path / "c.npz")
    found = read_store(tmp_path / "c.npz")
    assert found.truth is None
    assert found.runs[0].keeps_hits_alone and found.runs[0].hits.tolist() == run.hits.tolist()


OTHER_VECTORS = replace(run_of(2, "2"), made={"code": ["2"], "vectors": "other"})
JOINED = {
    "pieces of one code": ([run_of(2, share=0.9), run_of(3)], [(1, "1"), (2, "1"), (3, "1")]),
    "newer code": ([run_of(1, "2", share=0.9)], [(1, "2")]),
    "the same with other code": ([run_of(2, "2"), run_of(3, "2")], [(1, "1"), (2, "1"), (3, "2")]),
    "other vectors": ([OTHER_VECTORS], [(2, "2")]),
}


@pytest.mark.parametrize("new", JOINED)
def test_runs_join_if_their_code_or_a_seed_of_both_is_the_same(new):
    """Otherwise newer code replaces all seeds of a method, and no other method."""
    given, expected = JOINED[new]
    other = run_of(1, method="pte_joint")
    together = joined(store_of(*given), store_of(run_of(1), run_of(2), other))
    assert seeds(together) == [*expected, (1, "1")]
    if new == "pieces of one code":
        assert together.runs[1].hits.tolist() == given[0].hits.tolist()


def test_a_run_that_is_published_again_keeps_the_code_and_the_machine_that_made_it():
    earlier = store_of(run_of(1, machine="there"), run_of(2, machine="there"))
    together = joined(store_of(run_of(1), run_of(2, share=0.9)), earlier)
    assert [run.made["machine"]["processor"] for run in together.runs] == ["there", "here"]
    (again,) = joined(store_of(run_of(1, "2")), store_of(run_of(1, machine="there"))).runs
    assert again.made == run_of(1, machine="there").made


def test_a_run_that_is_published_again_adds_its_predictions():
    truth = np.arange(11, dtype=np.int32) % 3
    new = Store(CORPUS, (with_misses(run_of(1), truth),), truth)
    earlier = Store(CORPUS, (run_of(1, machine="there"),), truth)
    (again,) = joined(new, earlier).runs
    assert again.made["machine"] == {"processor": "there"}
    assert again.misses.tolist() == new.runs[0].misses.tolist()


def test_published_runs_that_are_replaced_are_named(capsys):
    old = store_of(*map(run_of, (1, 2)))
    new = store_of(run_of(1), run_of(2, "2", share=0.9), run_of(3))
    assert replaced(new, old) == {run_of(2).name}
    assert replaced(store_of(run_of(1, machine="there"), run_of(2)), old) == set()
    assert replaced(store_of(run_of(3, "2")), old) == {run_of(1).name, run_of(2).name}
    adding._tell("c", replaced(new, old))
    said = "c: 1 published runs are replaced, such as results/scores/c/bow/paper/seed2\n"
    assert capsys.readouterr().out == said


def test_runs_on_other_test_documents_or_classes_do_not_join():
    truth = np.arange(11, dtype=np.int32) % 3
    corpus = CORPUS | {"classes": ["a", "b", "c"], "entry": {"split": {"seed": 1}}}
    one = Store(corpus, (with_misses(run_of(1), truth),), truth)
    assert len(joined(one, one).runs) == 1
    others = (
        replace(one, truth=np.roll(truth, 1)),
        replace(one, truth=None),
        replace(one, corpus=corpus | {"classes": ["b", "a", "c"]}),
        replace(one, corpus=corpus | {"entry": {"split": {"seed": 2}}}),
    )
    for other in others:
        with pytest.raises(PteError, match="other classes or other test documents than these"):
            joined(other, one)


def test_a_damaged_file_is_one_error(tmp_path):
    path = tmp_path / "c.npz"
    write_store(store_of(run_of(1)), path)
    content = bytearray(path.read_bytes())
    content[len(content) // 3] ^= 255
    path.write_bytes(content)
    with pytest.raises(PteError, match=r"c\.npz: .*no file of runs, or damaged: restore"):
        read_store(path)


def test_a_run_that_no_file_holds_is_named(tmp_path):
    write_store(store_of(run_of(1)), tmp_path / "c.npz")
    name = run_of(1).name
    assert held(tmp_path) == {name: str(tmp_path / "c.npz")}
    other = "results/scores/c/bow/paper/seed9"
    assert read_records([tmp_path / "c.npz"], [name]) == [run_of(1).kept]
    assert read_stores([tmp_path / "c.npz"], [])[0].runs == ()
    for read in (read_records, read_stores):
        with pytest.raises(PteError, match="seed9: no published file holds this run"):
            read([tmp_path / "c.npz"], [name, other])
    with pytest.raises(PteError, match="none of these runs is published"):
        read_records([tmp_path / "c.npz"], [])
    with pytest.raises(PteError, match="has no runs; copy this folder from the"):
        held(tmp_path / "empty")


def test_macro_f1_is_judged_where_all_runs_keep_their_predictions(tmp_path):
    """A method that misses all of the rare class is level by micro-F1, and below by macro-F1."""
    rng = np.random.default_rng(0)
    truth = (np.arange(800) % 40 == 0).astype(np.int32)
    right = np.where(rng.random((3, 800)) < 0.97, truth, 1 - truth)
    runs = []
    for seed, predicted in enumerate(right, start=1):
        for method, said in (("pte_joint", predicted), ("bow", np.zeros_like(truth))):
            kept = run_of(seed, method=method)
            hits, misses = right_and_wrong(truth, said)
            runs.append(replace(kept, hits=hits, misses=misses))
    claims = {"x": Claim("5.2", "it is better", ("pte_joint",), ("bow",), "above", ("c",))}
    names = [run.name for run in runs]

    def judged(*written):
        write_store(Store(CORPUS, written, truth), tmp_path / "c.npz")
        stores = read_stores([tmp_path / "c.npz"], names)
        frame = judge_protocols(claims, stores, ["paper"], {}, Kinds())
        return frame.set_index("metric")

    both = judged(*runs)
    assert both.index.tolist() == ["micro_f1", "macro_f1"]
    assert both.loc["macro_f1", "verdict"] == "reproduced"
    exact = [100 * f1_score(truth, said, average="macro") for said in right]
    lone = 100 * f1_score(truth, np.zeros_like(truth), average="macro")
    assert both.loc["macro_f1", "effect"] == pytest.approx(np.mean(exact) - lone, abs=1e-4)
    assert abs(both.loc["micro_f1", "effect"]) < 1
    partly = judged(*runs[:-1], replace(runs[-1], misses=None))
    assert partly.index.tolist() == ["micro_f1"]
    assert partly.loc["micro_f1"].equals(both.loc["micro_f1"])


def test_seconds_and_neighbours_are_judged_on_stored_runs():
    rng = np.random.default_rng(0)
    runs = []
    for method, took, share in (("pte_joint", 2.0, 0.9), ("cnn", 30.0, 0.6)):
        for seed in (1, 2, 3):
            name, said = f"c/{method}/seed{seed}", {"corpus": "c", "method": method}
            seconds = {**said, "seconds": took + seed / 10}
            timed = StoredRun(f"results/claims/timed/{name}", seconds, {}, np.empty((0, 800)))
            hits = rng.random((1, 800)) < share
            runs += [timed, StoredRun(f"results/claims/neighbours/{name}", said, {}, hits)]
    gone = {"corpus": "c", "method": "fasttext", "unavailable": "not installed"}
    runs.append(StoredRun("results/claims/timed/c/fasttext/seed1", gone, {}, np.empty((0, 800))))
    sides = ("pte_joint",), ("cnn",)
    fast = Claim("5.2", "it is faster", *sides, "faster", ("c",), measure="seconds", factor=10)
    claims = {
        "fast": fast,
        "too fast": replace(fast, factor=20),
        "near": Claim("5.5", "it is better", *sides, "above", ("c",), measure="neighbours"),
    }
    judged = judge_protocols(claims, [store_of(*runs)], ["paper"], {}, Kinds())
    judged = judged.set_index("claim")
    assert judged.loc["fast", "verdict"] == judged.loc["near", "verdict"] == "reproduced"
    assert judged.loc["too fast", "verdict"] == "not reproduced"
    assert 25 < judged.loc["near", "effect"] < 35
    for name, each in claims.items():  # also alone, where macro-F1 judges nothing
        judged = judge_protocols({name: each}, [store_of(*runs)], ["paper"], {}, Kinds())
        tables = verdict_tables(judged, {name: each}, {"pte_joint": "PTE", "cnn": "CNN"})
        assert tables and judged["overall"].dtype == bool


def test_verify_tells_bytes_of_vectors_and_each_document(tmp_path, monkeypatch):
    """Of 11 documents, two are right there and wrong here."""
    monkeypatch.chdir(tmp_path)
    hits = np.ones((1, 11), np.bool_)
    save_array(tmp_path / "fit.npy", np.zeros(3, np.int32))
    made = {"machine": {}, "fit": "fit"}
    here = [replace(run_of(seed), hits=hits) for seed in (1, 2)]
    fewer = hits.copy()
    fewer[0, 3:5] = False
    same = replace(here[0], made=made | {"vectors": sha256_of(tmp_path / "fit.npy")})
    other = replace(here[1], made=made | {"vectors": "0" * 64}, hits=fewer)
    found = verify([store_of(same, other)], [store_of(*here)])
    assert found["hits"].tolist() == [0, 2]
    assert found["vectors"].tolist() == ["same", "different"]
    assert found["agrees"].tolist() == [True, False]
    assert write_verified(found, tmp_path / "runs") == "1 of 2 published runs are the same here"


def test_runs_whose_package_is_not_installed_are_not_verified(monkeypatch):
    study = Study.load(configured(), ROOT / "workflow")
    monkeypatch.setattr(Study, "is_installed", lambda self, method: method != "fasttext")
    runs = {
        method: paths.SCORES.format(corpus="mr", method=method, protocol="paper", seed=1)
        for method in ("bow", "fasttext")
    }
    monkeypatch.setattr(planned, "held", lambda: dict.fromkeys(runs.values(), "mr.npz"))
    assert study.to_verify == {runs["bow"]: "mr.npz"}


def test_a_few_verified_runs_are_of_many_methods(monkeypatch):
    study = Study.load(configured(), ROOT / "workflow")
    often = [("bow", "chosen", seed) for seed in range(50)]
    rare = [("svm_pairs", "chosen", 1), ("svm_pairs", "paper", 1), ("line_ww", "paper", 1)]
    runs = [
        paths.SCORES.format(corpus="mr", method=method, protocol=protocol, seed=seed)
        for method, protocol, seed in often + rare
    ]
    monkeypatch.setattr(planned, "held", lambda: dict.fromkeys(runs, "mr.npz"))
    object.__setattr__(study.config, "verified", 4)
    assert set(runs[50:]) < set(study.to_verify)
