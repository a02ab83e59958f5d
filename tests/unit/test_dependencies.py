"""Which results depend on which code: what is written down is what the rules hash.

`dependencies.yaml` names for each file the jobs that an edit of it makes again. If you move code,
and this test fails: check that the new list is right, and write it down with

    python tests/unit/test_dependencies.py
"""

import os
from collections import defaultdict
from pathlib import Path

import pytest
import yaml

from pte.study import study as module
from pte.study.fingerprint import SILENT, closure
from pte.study.study import Study

ROOT = Path(__file__).parents[2]
EXPECTED = Path(__file__).with_name("dependencies.yaml")


class Closures:
    """Instead of a hash, the names of the files that would be hashed."""

    def __call__(self, *parts):
        return closure(*parts)


def jobs(study):
    """By the names of jobs, the files that each depends on."""
    methods = study.registries.methods.values()
    models = {method.model: method.name for method in methods}
    plain = (
        *("subset", "neighbours", "place", "collect_scores", "comparison", "table1"),
        *("number_shard", "join_corpus", "join_network", "join_nodes"),
        *("comparison_figure", "times", "curve", "sensitivity_figure", "map", "network_picture"),
    )
    found = {name: study.code(name) for name in plain}
    found["claims"] = study.claims_code
    found["page"] = study.code("page", *study.relations)
    found["publish"] = study.code("publish", *study.relations)
    found["sensitivity_run"] = study.sensitivity_code
    found["warm_up"] = study.kernels_code("stored")
    for corpus in ("mr", "20ng", "r8", "wiki", "dblp_titles"):
        found[f"encode {corpus}"] = study.reading_code("encode", corpus)
    found["read_documents"] = study.reading_code("read_documents", "dblp")
    for network in ("ww", "wd", "wl"):
        found[f"network {network}"] = study.network_code("network", network)
    found["network_shard"] = study.network_code("network_shard", "ww")
    for model, method in models.items():
        if study.method(method).is_represented:
            found[f"represent {model}"] = study.fits.code("represent", method)
            found[f"score {model}"] = study.fits.score_code(method)
        else:
            found[f"score {model}"] = study.fits.score_code(method)
    found["train_node"] = study.fits.code("train_node", models["in_rounds"])
    for model in ("bow", "document_features", "random_vectors"):
        found[f"choose_classifier {model}"] = study.fits.classifier_code(models[model])
    for model in ("fasttext", "skip_gram", "paragraph_vector", "network_embedding", "pte_auto"):
        found[f"choose {model}"] = study.fits.code("choose", models[model])
    return found


def dependencies():
    """By the names of files, the jobs that depend on each."""
    original, module._fingerprint = module._fingerprint, Closures()
    try:
        values = yaml.safe_load((ROOT / "config.yaml").read_text("utf-8"))
        of_jobs = jobs(Study.load(values, ROOT / "workflow"))
    finally:
        module._fingerprint = original
    found = defaultdict(set)
    for job, names in of_jobs.items():
        for name in names:
            found[name].add(job)
    return found


def every_file():
    """All files that a result could depend on, by the names that `closure` gives them."""
    package, scripts = ROOT / "src" / "pte", ROOT / "workflow" / "scripts"
    files = {path.relative_to(package).as_posix() for path in package.rglob("*.py")}
    return files | {f"../scripts/{path.name}" for path in scripts.glob("*.py")}


@pytest.fixture(scope="module")
def found():
    return dependencies()


@pytest.fixture(scope="module")
def written():
    groups = yaml.safe_load(EXPECTED.read_text("utf-8"))
    return {name: set(group["jobs"]) for group in groups for name in group["files"]}


def test_every_file_is_in_the_list(written):
    assert every_file() <= written.keys()


@pytest.mark.parametrize("name", sorted(every_file()))
def test_jobs_depend_on_the_files_that_are_written_down(found, written, name):
    assert found.get(name, set()) == written.get(name, set())


def test_what_no_result_may_depend_on(written):
    for name in SILENT:
        assert written[f"../{name}"] == set()


def test_results_do_not_depend_on_more_than_they_should(written):
    """Some that slipped before."""
    assert written["claims/significance.py"] == {"claims", "page", "publish"}
    networks = {"network ww", "network wd", "network wl", "join_network"}
    assert written["networks/statistics.py"] == networks
    trains = {job for job in written["networks/bipartite.py"] if job.startswith("represent")}
    models = ("network_embedding", "equal_draws", "pte_auto", "in_rounds")
    assert trains == {f"represent {model}" for model in models}
    fits = {job for job in written["training/passes.py"] if job.startswith("represent")}
    assert fits == {"represent skip_gram", "represent paragraph_vector"}


def write():
    """Write down what is found, files with the same jobs together."""
    found = dependencies()
    groups = defaultdict(list)
    for name in sorted(every_file() | found.keys()):
        groups[tuple(sorted(found.get(name, ())))].append(name)
    value = [{"files": files, "jobs": list(jobs)} for jobs, files in groups.items()]
    text = yaml.safe_dump(value, sort_keys=False, width=100, default_flow_style=None)
    EXPECTED.write_text(f"# An edit of one of the files makes the jobs again.\n{text}", "utf-8")


if __name__ == "__main__":
    os.chdir(ROOT)
    write()
