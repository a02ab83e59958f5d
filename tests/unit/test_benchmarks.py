"""The benchmarks run by hand. What they import, and read at once, must be there."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAMES = sorted(path.stem for path in (ROOT / "benchmarks").glob("[a-z]*.py"))


def test_benchmarks_find_what_they_import():
    code = ";".join(f"import benchmarks.{name}" for name in NAMES)
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


@pytest.mark.long
def test_a_corpus_of_a_thousandth_of_the_size_goes_from_text_to_scores(tmp_path):
    """1,000 documents, 100,000 tokens, 1,000 words; and a second call finds all done."""
    command = [sys.executable, "-m", "benchmarks.size", str(tmp_path / "size")]
    sizes = ["--documents", "1000", "--words", "1000", "--draws", "10"]
    environment = os.environ | {"PTE_RESULTS": str(tmp_path)}

    def lines(*changes):
        run = subprocess.run(
            [*command, *sizes, *changes], cwd=ROOT, capture_output=True, text=True, env=environment
        )
        found = [json.loads(line) for line in run.stdout.splitlines()]
        return run, {line["step"]: line for line in found if "step" in line}

    run, found = lines()
    assert run.returncode == 0, run.stderr
    assert list(found) == ["generate", "encode", "streams", "represent", "score"]
    tokens = found["generate"]["tokens"]
    assert 98_000 < tokens < 102_000
    assert found["represent"]["samples"] == pytest.approx(
        10 * tokens, rel=0.001
    )  # rarer words drop out
    assert found["score"]["micro_f1"] > 80
    assert all(line["peak_mb"] < 1000 for line in found.values())
    made = (tmp_path / "size" / "vectors.npy").stat().st_mtime_ns
    assert lines()[1] == found
    assert (tmp_path / "size" / "vectors.npy").stat().st_mtime_ns == made
    run, _ = lines("--seed", "2")
    assert run.returncode != 0 and "holds a corpus of another size" in run.stderr


def test_a_step_that_needs_more_memory_than_it_may_have_fails(tmp_path):
    command = [sys.executable, "-m", "benchmarks.size", str(tmp_path), "--documents", "100"]
    run = subprocess.run(
        [*command, "--gigabytes", "0.05"], cwd=ROOT, capture_output=True, text=True
    )
    assert run.returncode != 0
    assert "generate failed" in run.stderr
    assert not list(tmp_path.glob("generate.json"))
