"""What `pte_study.plan.stopwatch` measures of a job, and what `benchmarks.jobs` makes of it."""

import sys
import time

import pytest
from benchmarks.jobs import PARTS, by_kind, table

from pte.files import read_json
from pte_study.plan import stopwatch
from pte_study.plan.stopwatch import measured, part_of


def frame_in(*files):
    """A frame whose code lies in the last of these files, and is called from those before."""
    inside = None
    for file in reversed(files):
        names = {"inside": inside, "frame": sys._getframe}
        exec(compile("def f(): return inside() if inside else frame()", file, "exec"), names)
        inside = names["f"]
    return inside()


@pytest.mark.parametrize(
    "files, part",
    [
        (["/a/src/pte/evaluation/evaluate.py", "/b/scipy/sparse/x.py"], "classifier"),
        (["/a/src/pte/evaluation/documents.py", "/b/scipy/sparse/x.py"], "features"),
        (["/a/src/pte/models/cnn/training.py", "/a/src/pte/corpora/tfidf.py"], "features"),
        (["/a/src/pte/models/bow.py"], "method"),
        (["/a/src/pte/models/bow.py", "/b/numba/core/dispatcher.py"], "kernels"),
        (["/a/src/pte/models/bow.py", "<frozen importlib._bootstrap>", "/b/x.py"], "imports"),
        (["/b/x.py"], "other"),
    ],
)
def test_time_counts_for_the_nearest_file_of_ours(files, part):
    assert part_of(frame_in(*files)) == part


def test_all_processor_time_of_a_block_is_written_down(tmp_path, monkeypatch):
    monkeypatch.setattr(stopwatch, "EVERY", 0.001)
    began = time.process_time()
    with measured({"rule": "score"}, tmp_path):
        while time.process_time() < began + 0.05:
            pass
    whole = time.process_time()
    (path,) = tmp_path.iterdir()
    written = read_json(path)
    assert written["job"] == {"rule": "score"}
    assert written["parts"]["start"] >= began
    assert began + 0.03 < sum(written["parts"].values()) <= whole


def test_jobs_are_added_up_by_kind():
    score = {"job": {"rule": "score", "method": "bow"}, "parts": {"start": 1.0, "files": 0.5}}
    fetch = {"job": {"rule": "fetch", "file": "x"}, "parts": {"start": 2.0}}
    kinds = by_kind([fetch, score, score])
    assert list(kinds) == ["score bow", "fetch"]
    assert kinds["score bow"] == (2, {"start": 2.0, "files": 1.0})
    lines = table(kinds).splitlines()
    assert lines[2].startswith("| score bow | 2 | 3.0 | 2.0 |")
    assert {line.count("|") for line in lines} == {len(PARTS) + 4}
