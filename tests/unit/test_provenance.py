"""Where numbers come from: what was run, in which piece, and what it took."""

import subprocess
import sys

import pytest

from pte.files import read_json, write_json
from pte.machine import code_and_machine, commit
from pte_study.report import provenance as shown
from pte_study.report.provenance import provenance, text_cells, with_piece
from pte_study.store.provenance import gather

WHOLE = "Fits, scores and the sensitivity experiment"

FIT = "representations/c/{}/paper/seed{}"


def piece(checkout, corpora, costs, labels):
    return shown.piece(gather(checkout, corpora, costs), labels)


def cost(folder, made, seconds, processor, memory):
    """The file that says what a job took."""
    path = folder / "results" / "costs" / f"{made}.json"
    took = {"seconds": seconds, "processor_seconds": processor, "memory_mb": memory}
    write_json(path, took)
    return path


@pytest.fixture
def run(tmp_path):
    """The record of an encoded corpus, and what fits took."""
    corpus = tmp_path / "corpora" / "c"
    corpus.mkdir(parents=True)
    record = {
        "archive": {"file": "c.zip", "sha256": "a" * 64},
        "documents_sha256": "b" * 64,
        "counts": {"documents": 1234, "vocabulary": 99, "tokens": 2_500_000},
    }
    write_json(corpus / "corpus.json", record)
    costs = [
        cost(
            tmp_path, f"representations/c/{method}/paper/seed{seed}", s + 0.4, 2 * s + 0.4, 100 * s
        )
        for method, seconds in {"late": [5], "early": [10, 30, 20]}.items()
        for seed, s in enumerate(seconds, 1)
    ]
    return corpus, costs


def test_runs_tell_the_median_of_seconds_and_the_most_memory(run, tmp_path):
    labels = {"early": "Early", "late": "Late"}
    score = cost(tmp_path, "scores/c/early/paper/seed1", 7, 7, 9000)
    here = piece(tmp_path, [], [*run[1], score], labels)
    cells = provenance([here], labels)[1]["Runs"]
    assert cells["method"].tolist() == ["Early", "Late"]
    assert cells["seeds"].tolist() == ["3", "1"]
    assert cells["seconds"].tolist() == ["20", "5.4"]
    assert cells["MB"].tolist() == ["3,000", "500"]
    assert cells["of processor"].tolist() == ["40", "10"]


@pytest.mark.parametrize(("seconds", "said"), [(90, "1.5 minutes"), (9000, "2.5 hours")])
def test_hours_are_those_of_all_jobs(tmp_path, seconds, said):
    """Those of a short run are told in minutes."""
    costs = [cost(tmp_path, f"scores/c/m/paper/seed{i}", 1, seconds / 2, 1) for i in (1, 2)]
    here = piece(tmp_path, [], costs, {})
    assert provenance([here], {})[0].startswith(f"{WHOLE} took {said} of")


def test_corpora_tell_what_they_were_read_from(run, tmp_path):
    row = text_cells(gather(tmp_path, [run[0]], []).corpora).iloc[0]
    assert row.tolist() == ["c", "c.zip", "a" * 16, "b" * 16, "1,234", "99", "2.5 M"]


def test_corpora_tell_all_archives_that_they_were_read_from(run, tmp_path):
    corpora = gather(tmp_path, [run[0]], []).corpora
    topics = {"file": "topics.gz", "sha256": "d" * 64, "official": True}
    row = text_cells({"c": {**corpora["c"], "topics": topics}}).iloc[0]
    assert row["archive"] == "c.zip, topics.gz"
    assert row["sha256 of the archive"] == f"{'a' * 16}, {'d' * 16}"


def test_the_commit_of_a_folder_that_has_none_is_unknown(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert commit(tmp_path) == "unknown"
    assert set(code_and_machine(tmp_path)) > {"commit", "cores", "numba", "matplotlib"}


def test_an_installed_package_does_not_have_the_commit_of_the_repository_around_it(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    who = ["-c", "user.name=me", "-c", "user.email=me@example.org"]
    for asked in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "mine"]):
        subprocess.run(["git", *asked], cwd=tmp_path, check=True)
    (installed := tmp_path / "site-packages").mkdir()
    (installed / "module.py").write_text("")
    assert len(commit(tmp_path)) == 40
    assert commit(installed) == "unknown"


def test_runs_of_the_sensitivity_experiment_tell_its_value(tmp_path):
    costs = [
        cost(tmp_path, f"sensitivity/runs/mr/{value}/seed1", 1, 1, 1)
        for value in ("dim/25", "default/all")
    ]
    here = piece(tmp_path, [], costs, {"pte_joint": "PTE(joint)"})
    assert [(row["method"], row["corpus"]) for row in here["runs"]] == [
        ("PTE(joint)", "mr, dim 25"),
        ("PTE(joint)", "mr, default"),
    ]


def with_runs(hours, **seeds):
    """A piece of runs on a corpus of one method, by the corpus and how many seeds."""
    return {
        "hours": [hours, 2 * hours],
        "code": {"commit": str(hours)},
        "texts": [{"corpus": name, "archive": f"{name}.zip"} for name in ("c", "d")],
        "runs": [
            {"method": "M", "corpus": name.replace("_", ", dim "), "seeds": str(n)}
            for name, n in seeds.items()
        ],
    }


@pytest.mark.parametrize(
    ("earlier", "new", "left"),
    [
        ({"c": 3, "d": 3}, {"c": 3}, [["d"], ["c"]]),
        ({"c": 3, "d": 3}, {"c": 5, "d": 3}, [["c", "d"]]),
        ({"c": 5}, {"c": 2, "d": 2}, [["c"], ["d"]]),
        ({"c": 5}, {"c": 2}, [["c"]]),
        ({"c": 5}, {}, [["c"]]),
        ({"c_25": 3}, {"c": 3}, [["c, dim 25"], ["c"]]),
        ({}, {}, [[]]),
    ],
)
def test_each_run_is_of_the_last_piece_with_most_seeds(earlier, new, left):
    pieces = with_piece([with_runs(1, **earlier)], with_runs(2, **new))
    assert [[row["corpus"] for row in each["runs"]] for each in pieces] == left
    for each in pieces:
        on = {row["corpus"].partition(",")[0] for row in each["runs"]} or {"c", "d"}
        assert {row["corpus"] for row in each["texts"]} == on


def test_what_is_of_several_pieces_says_of_which():
    pieces = with_piece([with_runs(1, c_25=3, d=3)], with_runs(2, c=3))
    said, tables = provenance(pieces, {"m": "M"})
    assert said.startswith(f"{WHOLE} took 3.0 to 6.0 hours")
    assert "1.0 to 2.0 hours in piece 1, 2.0 to 4.0 hours in piece 2." in said
    assert tables["Code and machine"].loc[0].tolist() == ["commit", "1", "2"]
    runs = tables["Runs"]
    assert list(zip(runs["corpus"], runs["piece"], strict=True)) == [
        ("c", "2"),
        ("c, dim 25", "1"),
        ("d", "1"),
    ]
    texts = tables["Texts"]
    assert list(zip(texts["corpus"], texts["piece"], strict=True)) == [("c", "1, 2"), ("d", "1")]
    assert "piece" not in provenance(pieces[:1], {})[1]["Runs"]


def test_pieces_survive_their_file(run, tmp_path):
    here = piece(tmp_path, [run[0]], run[1], {"early": "Early", "late": "Late"})
    write_json(tmp_path / "pieces.json", [here])
    (read,) = read_json(tmp_path / "pieces.json")
    assert provenance([read], {})[0] == provenance([here], {})[0]
    assert read["runs"] == here["runs"] and read["code"] == here["code"]


def test_work_has_hours_of_every_kind_of_job(tmp_path):
    """Also of what methods share, which no row of runs and no sum of hours has."""
    made = {
        "corpora/c": 1,
        "networks/c/given/ww": 2,
        "networks/c-labelled1-seed1/given/ww": 4,
        "neighbours/c": 3,
        "choices/c/m": 5,
        "representations/c/m/paper/seed1": 6,
        "scores/c/m/paper/seed1": 7,
        "sensitivity/runs/c/dim/25/seed1": 8,
        "maps/c/m/seed1": 9,
    }
    costs = [cost(tmp_path, name, 1, 3600 * n, 10 * n) for name, n in made.items()]
    here = piece(tmp_path, [], costs, {"m": "M"})
    assert here["hours"] == (21, 21)
    work = provenance([here], {"m": "M"})[1]["Work"]
    assert work["hours of the processor"].map(float).tolist() == [1, 6, 3, 5, 6, 7, 8, 9]
    assert work["number"].tolist() == ["1", "2", *["1"] * 6]
    assert work["MB"].tolist() == ["10", "40", "30", "50", "60", "70", "80", "90"]
    assert work["jobs that"].is_unique


def test_a_piece_without_work_has_no_row_of_it():
    old = with_runs(1, c=3)
    new = with_runs(2, d=3) | {"work": [{"jobs that": "fit methods", "number": "1"}]}
    pieces = with_piece([old], new)
    assert provenance(pieces, {})[1]["Work"].to_numpy().tolist() == [["fit methods", "1", "2"]]
    assert "Work" not in provenance(pieces[:1], {})[1]


def test_the_peak_of_a_process_is_its_own_and_not_that_of_what_started_it():
    child = "from pte.memory import peak_memory; print(peak_memory())"
    parent = (
        "import subprocess, sys; held = b'x' * 200_000_000\n"
        f"subprocess.run([sys.executable, '-c', {child!r}], check=True)"
    )
    run = subprocess.run([sys.executable, "-c", parent], capture_output=True, text=True, check=True)
    assert 1e6 < int(run.stdout) < 100e6
