"""Snakemake reads each script once for all jobs, and a script with wildcards for each."""

from pathlib import Path
from types import SimpleNamespace

from snakemake.script import get_source
from snakemake.sourcecache import SourceCache

from pte_study.plan.study import reads_once

ROOT = Path(__file__).parents[2]


def test_a_script_is_read_once_and_one_with_wildcards_for_each_job(tmp_path):
    read = []

    def counted(path, *given, **more):
        read.append(path)
        return get_source(path, *given, **more)

    once = reads_once(counted)
    cache, folder = SourceCache(tmp_path), str(ROOT / "workflow" / "rules")
    for name in ("score", "place", "score"):
        path = f"../scripts/{name}.py"
        for method in ("bow", "cnn"):
            wildcards = SimpleNamespace(method=method)
            found = once(path, cache, folder, wildcards, SimpleNamespace())
            assert found == get_source(path, cache, folder, wildcards, SimpleNamespace())
            assert found[1] == (ROOT / "workflow" / "scripts" / f"{name}.py").read_text("utf-8")
    assert read == ["../scripts/score.py", "../scripts/place.py"]
    sources = [
        once("../scripts/{wildcards.of}.py", cache, folder, SimpleNamespace(of=name), {})[1]
        for name in ("score", "place")
    ]
    assert sources[0] != sources[1]
