"""Jobs run again for code that changes their results, and for no other: a few cases."""

from pathlib import Path

import pytest
import yaml

from pte_study.plan import fits as module
from pte_study.plan.fingerprint import closure
from pte_study.plan.study import Study

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def files():
    """By the name of a job, the files that an edit of which makes the job again."""
    original, module.fingerprint = module.fingerprint, closure
    try:
        values = yaml.safe_load((ROOT / "config.yaml").read_text("utf-8"))
        study = Study.load(values, ROOT / "workflow")
        fits = {name: study.fit_code("represent", name) for name in study.represented_methods}
        return {
            "claims": study.code("claims"),
            "table": study.code("show", "pte_study.report.comparison"),
            "figure": study.code("show", "pte_study.report.curves"),
            "encode mr": study.reading_code("encode", "mr"),
            "encode dblp": study.reading_code("encode", "dblp"),
            "network ww": study.network_code("network", "ww"),
            "network wl": study.network_code("network", "wl"),
            "score": study.scoring_code("score", "pte_joint"),
            **fits,
        }
    finally:
        module.fingerprint = original


@pytest.mark.parametrize(
    ("job", "file"),
    [
        ("claims", "pte_study/claims/significance.py"),
        ("figure", "pte_study/render/figures.mplstyle"),
        ("encode mr", "pte/corpora/readers/packed.py"),
        ("network ww", "pte/networks/kinds.py"),
        ("pte_joint", "pte/core/edges.py"),
        ("pte_joint", "pte/networks/bipartite.py"),
        ("skip_gram", "pte/training/passes.py"),
        ("pte_auto", "pte/networks/kinds.py"),
        ("score", "pte/evaluation/liblinear.py"),
    ],
)
def test_a_job_runs_again_when_this_file_changes(files, job, file):
    assert file in files[job]


@pytest.mark.parametrize(
    ("job", "file"),
    [
        ("pte_joint", "pte_study/claims/significance.py"),
        ("score", "pte/networks/bipartite.py"),
        ("encode dblp", "pte/corpora/readers/rcv1.py"),
        ("network ww", "pte/training/edges.py"),
        ("skip_gram", "pte/networks/bipartite.py"),
    ],
)
def test_a_job_does_not_run_again_for_this_file(files, job, file):
    assert (ROOT / "src" / file).is_file()
    assert file not in files[job]


def test_a_fit_depends_on_nothing_of_the_study(files):
    assert not [name for name in files["pte_joint"] if name.startswith("pte_study/")]
