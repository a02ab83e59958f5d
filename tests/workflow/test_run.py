"""The whole workflow over a hundred documents: what it makes, and what it makes again."""

import gzip
import re
import shutil
from itertools import product

import numpy as np
import pytest
import yaml
from made import ONE_SEED, tar_of

from pte.corpora.encode_entry import documents_sha256
from pte.corpora.readers import read
from pte.files import read_json
from pte_study.plan.study import PAGES, Study
from pte_study.store import read_store

PROTOCOLS = ("paper", "chosen")
NAMED = ("results", "verdicts")
REPORT = ["comparison", "comparison_figure", "write_page", "quickstart"]
DOWNSTREAM = dict.fromkeys(REPORT, 1)


@pytest.fixture
def study(finished):
    values = yaml.safe_load((finished.folder / "config.yaml").read_text("utf-8"))
    return Study.load(values, finished.folder / "workflow")


@pytest.fixture
def methods(study):
    """The methods that have a row."""
    return study.config.methods


def test_one_command_makes_every_table_and_figure(finished, methods):
    results = finished.folder / "results"
    rows = finished.rows("tables/quickstart.csv")
    assert [(row["corpus"], row["method"]) for row in rows] == [("tiny", name) for name in methods]
    assert all(row["micro_mean"] and row["chosen_micro_mean"] for row in rows)
    for kind in ("md",):
        text = (results / "tables" / f"quickstart.{kind}").read_text("utf-8")
        assert "PTE(joint)" in text
        assert "not yet run" not in text
    starts = {"pdf": b"%PDF", "png": b"\x89PNG", "svg": b"<?xml"}
    for kind, start in starts.items():
        assert (results / "figures" / f"quickstart.{kind}").read_bytes().startswith(start)


def test_the_page_shows_the_tables_the_figures_and_where_they_come_from(finished, methods):
    page = (finished.folder / "results" / "quickstart.html").read_text("utf-8")
    for text in ("Tiny documents: micro-F1", "tiny.tar.gz", "fit methods"):
        assert text in page
    assert page.count("<img ") == 1
    assert page.count(">tiny</th>") == 2  # rows of the corpora and of the best
    assert page.count("</tr>") - page.count("</thead>") > len(methods)


def test_every_method_protocol_and_seed_leaves_scores_and_predictions(finished, study, methods):
    alone = {*ONE_SEED, *study.unseeded_methods}
    runs = [
        f"{method}/{protocol}/seed{seed}"
        for method in methods
        for protocol in PROTOCOLS
        for seed in ([1] if method in alone else [1, 2])
    ]
    folder = finished.folder / "results" / "scores" / "tiny"
    found = {path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("seed*")}
    assert found == set(runs)
    for run in runs:
        scores = read_json(folder / f"{run}.json")
        assert 0 < scores["micro_f1"] <= 100
        assert np.load(folder / f"{run}.npy").shape == (40,)


def test_epochs_are_chosen_where_they_are_not_given(finished):
    folder = finished.folder / "results"
    chosen = read_json(folder / "choices" / "tiny" / "skip_gram.json")
    epochs = chosen["choice"]["epochs"]
    assert epochs in [tried["epochs"] for tried in chosen["curve"]]
    score = read_json(folder / "scores/tiny/skip_gram/paper/seed1.json")
    assert score["epochs"] == epochs
    assert score["samples"] > 0
    assert not (folder / "choices" / "tiny" / "pvdbow.json").exists()
    assert read_json(folder / "scores/tiny/pvdbow/paper/seed1.json")["epochs"] == 20


def test_other_memory_and_threads_are_no_reason_to_run_again(finished):
    other = ["--set-resources", "network:mem_mb=500", "--set-threads", "network=1"]
    assert finished.plan("results/tables/quickstart.csv", *other) == {}


def test_a_further_seed_runs_only_that_seed(finished, study, methods, tmp_path):
    more = tmp_path / "more.yaml"
    more.write_text("seeds: [1, 2, 3]\n", "utf-8")
    alone = {*ONE_SEED, *study.unseeded_methods}
    seeded = [name for name in methods if name not in alone]
    trained = [name for name in seeded if study.method(name).is_represented]
    assert trained == ["pte_joint"]
    assert finished.plan("quickstart", "--configfile", str(more)) == DOWNSTREAM | {
        "represent": 2,  # each protocol has its T
        "score": len(seeded) * len(PROTOCOLS),
    }


@pytest.mark.long
def test_a_table_and_curves_may_have_fewer_seeds(finished, tmp_path):
    curve = {"caption": "x", "along": "labelled", "methods": ["bow"]}
    curve["corpora"] = {"tiny": {"labelled": [20, 100]}}
    fewer = {"seeds": [1, 2, 3], "curve_seeds": 1, "curves": {"few": curve}}
    fewer["tables"] = {"quickstart": {"seeds": 2}}
    (tmp_path / "fewer.yaml").write_text(yaml.safe_dump(fewer), "utf-8")
    other = ["--configfile", str(tmp_path / "fewer.yaml")]
    assert finished.plan("results/tables/quickstart.csv", *other) == {}
    plan = finished.plan("results/curves/few.csv", *other)
    assert plan == {"subset": 1, "score": 1, "curve": 1}


def test_an_edited_kernel_trains_every_method_again(edited, edit):
    edit("src/pte/core/edges.py", "RATE_FLOOR = 1e-4", "RATE_FLOOR = 2e-4")
    plan = edited.plan("quickstart")
    once = ["pte_joint_shuffled", "skip_gram", "pvdbow", "cnn_pretrain", "its LINE", "pte_auto"]
    apart = ["pte_joint", "skip_gram", "pvdbow"]  # for the choice of the classifier
    joint = 2 * 2  # seeds and protocols, each with a T of its own
    assert plan["represent"] == len(once) + joint + len(apart)
    assert plan["choose"] == len(["pte_joint", "skip_gram"])
    assert not plan.keys() & {"fetch", "encode", "warm_up"}


def test_a_package_that_comes_or_goes_runs_its_method_again(edited, edit):
    edit("src/pte_study/plan/fits.py", "find_spec(package) is not None", "package is None")
    assert edited.plan("quickstart") == DOWNSTREAM | {
        "choose": 1,
        "represent": 1,
        "score": len(PROTOCOLS),
    }


@pytest.mark.long
def test_a_method_without_its_package_says_so_and_the_rest_runs(finished, tmp_path):
    copy = finished.copy(tmp_path)
    missing = "raise ModuleNotFoundError('no such package', name='fasttext')\n"
    (tmp_path / "fasttext.py").write_text(missing, "utf-8")
    again = ("--forcerun", "results/representations/tiny/fasttext/paper/seed1.npy")
    shown = ("results/tables/quickstart.csv", "results/figures/quickstart.svg")
    copy.succeeds(*shown, *again, PYTHONPATH=str(tmp_path))
    why = "not installed: pip install fasttext-community"
    results = copy.folder / "results"
    for kind in ("csv", "md"):
        assert why in (results / "tables" / f"quickstart.{kind}").read_text("utf-8")
    assert f">{why}</text>" in (results / "figures" / "quickstart.svg").read_text("utf-8")
    scores = results / "scores" / "tiny" / "fasttext" / "chosen" / "seed1.json"
    found = read_json(scores)
    assert found["unavailable"] == why
    assert "micro_f1" not in found


def test_same_seed_gives_the_same_bytes_in_another_checkout(finished, tmp_path):
    path = "results/representations/tiny/pte_joint/paper/seed1.npy"
    copy = finished.copy(tmp_path)
    (copy.folder / path).unlink()
    copy.succeeds(path)
    first = (finished.folder / path).read_bytes()
    assert (copy.folder / path).read_bytes() == first
    assert (finished.folder / path.replace("seed1", "seed2")).read_bytes() != first


def test_report_needs_no_network(finished, tmp_path):
    finished.succeeds("quickstart", "--report", str(tmp_path / "report.html"))
    html = (tmp_path / "report.html").read_text("utf-8")
    assert "the mean over seeds" in html
    for part in ('"Pages"', '"Figures"', "quickstart.html", "quickstart.svg"):
        assert part in html


@pytest.mark.long
def test_labels_may_be_in_an_archive_of_their_own(scratch):
    articles = scratch.mirror / "enwiki2018_15044.tar.xz"
    labels = scratch.mirror / "enwiki2018_labels.tsv.gz"
    content = b"".join(b'<doc id="%d">\nword%d\n</doc>\n' % (i, i % 2) for i in range(9))
    tar_of(articles, {"AA/wiki_00": content}, "xz")
    rows = b"".join(b"%d\tclass%d\n" % (i, i % 2) for i in range(8))
    labels.write_bytes(gzip.compress(b"doc_id\tpaper7\n" + rows))
    scratch.listed(articles, labels)

    def register(registry):
        entry = registry["corpora"]["wiki"]
        documents = read(articles, entry["reader"], entry["options"], {"labels": labels})
        entry["documents_sha256"] = documents_sha256(documents)
        entry["split"]["train"] = 6

    scratch.rewrite("workflow/registry/corpora.yaml", register)
    scratch.succeeds("resources/corpora/wiki")
    corpus = scratch.folder / "resources" / "corpora" / "wiki" / "corpus.json"
    meta = read_json(corpus)
    assert meta["classes"] == ["class0", "class1"]
    assert (meta["counts"]["train"], meta["counts"]["labelled_train"]) == (7, 6)
    assert (meta["archive"]["file"], meta["labels"]["file"]) == (articles.name, labels.name)


def test_short_targets(checkout):
    assert {"table1", "comparison", "comparison_figure", "all"} <= checkout.plan().keys()
    targets = {"table1", "tables", "figures", "tiny", "r8", "wiki"}
    assert targets | {"fetch", "encode", "comparison"} <= checkout.plan(*targets).keys()


def test_a_run_tells_how_far_it_is(finished, tmp_path):
    copy = finished.copy(tmp_path)
    for made in ("scores/tiny/bow/paper/seed1.json", "tables/quickstart.csv"):
        (copy.folder / "results" / made).unlink()
    said = copy.succeeds("results/tables/quickstart.csv", "--logger", "pte")
    assert re.search(
        r"^0 of 2 jobs; running: score tiny bow paper 1 \(\d+ s\)$", said, re.MULTILINE
    )
    assert re.search(r"^2 of 2 jobs$", said, re.M)
    assert re.search(r"^tiny +bow +paper +1 +\d+\.\d\d +\d+\.\d\d +—$", said, re.M)


@pytest.mark.long
def test_claims_are_judged_on_the_scores_that_are_there(finished, tmp_path):
    copy = finished.copy(tmp_path)
    said = {"section": "5", "quotation": "better", "relation": "above", "left": "pte_joint"}
    claims = {
        "any": said | {"right": ["majority"], "corpora": ["tiny", "RCV1"]},
        "chance": said | {"right": ["random"], "corpora": ["tiny", "RCV1"]},
        "wrong": said | {"left": "majority", "right": ["bow"], "corpora": ["tiny"]},
    }
    registry = copy.folder / "workflow" / "registry" / "claims.yaml"
    official = yaml.safe_load(registry.read_text("utf-8"))["official"]["RCV1"]
    only = {"claims": claims, "stand_ins": {}, "other_splits": {}}
    copy.rewrite("workflow/registry/claims.yaml", lambda value: value.update(only))
    copy.succeeds("claims")
    keys = ("protocol", "metric", "corpus", "right")
    rows = {tuple(row[key] for key in keys): row for row in copy.rows("claims/claims.csv")}
    # A corpus that cannot be run says so once, by micro-F1.
    tiny, absent = 2 + 1, 2 * len(official)
    assert len(rows) == len(PROTOCOLS) * (2 * tiny + absent)
    for protocol, corpus in product(PROTOCOLS, official):
        assert rows[protocol, "micro_f1", corpus, "majority"]["verdict"] == "cannot be run here"
    for protocol, metric in product(PROTOCOLS, ("micro_f1", "macro_f1")):
        assert rows[protocol, metric, "tiny", "majority"]["verdict"] == "reproduced"
        # Two seeds of random vectors may differ so much that two are too few for a verdict.
        assert float(rows[protocol, metric, "tiny", "random"]["effect"]) > 0
        assert rows[protocol, metric, "tiny", "bow"]["verdict"] == "not reproduced"


@pytest.mark.long
def test_a_curve_trains_on_parts_of_the_labels(finished, tmp_path):
    """What does not see labels is not made again, and a second run has nothing to do."""
    copy = finished.copy(tmp_path)
    curve = {
        "caption": "Two points",
        "along": "labelled",
        "corpora": {"tiny": {"labelled": [20, 100]}},
        "methods": ["pte_joint", "skip_gram", "cnn_pretrain", "nb_em", "label_propagation"],
    }
    copy.rewrite("config.yaml", lambda value: value.update(curves={"few": curve}))
    assert copy.plan("curves") == {
        "subset": 2,
        "network": 6,
        "represent": 2 + 2 + 7,  # joint; the second seeds of Skip-gram and LINE; classifiers
        "score": 5 + 7,
        "curve": 1,
        "curves": 1,
    }
    curve["methods"] = ["pte_joint", "label_propagation"]
    copy.rewrite("config.yaml", lambda value: value.update(curves={"few": curve}))
    few = ("--config", "curve_seeds=1")
    copy.succeeds("curves", *few)
    rows = copy.rows("curves/few.csv")
    found = {(row["method"], float(row["labelled"])): int(row["n_seeds"]) for row in rows}
    assert found == {(method, share): 1 for method in curve["methods"] for share in (20, 100)}
    assert copy.plan("curves", *few) == {}


def test_text_that_is_left_out_trains_nothing(finished, tmp_path):
    """Neither the vectors that a CNN starts from nor the graph are those of the whole corpus."""
    copy = finished.copy(tmp_path)
    curve = {
        "caption": "Less text",
        "along": "unlabelled",
        "corpora": {"tiny": {"labelled": [20], "unlabelled": [0, 100]}},
        "methods": ["cnn_pretrain", "label_propagation"],
    }
    copy.rewrite("config.yaml", lambda value: value.update(curves={"less": curve}))
    plan = copy.plan("curves")
    assert plan["subset"] == 4
    assert plan["neighbours"] == 2
    # The second seed of LINE; what has no text; the two classifiers on both.
    assert plan["represent"] == 1 + 2 + 2 * (2 + 2)


@pytest.mark.long
def test_every_experiment_on_a_small_corpus_and_what_is_published(finished, tmp_path):
    copy = finished.copy(tmp_path)
    main = {"corpora": ["tiny"], "caption": "Tiny & main", "one_seed": list(ONE_SEED)}
    small = {
        "network_picture": {"corpus": "tiny", "documents": 2, "words": [15, 25], "seed": 1},
        "curves": {},
        "maps": {"tiny": ["line_wd", "pte_wl"]},
        "sensitivity": {
            "corpora": ["tiny"],
            "seeds": 2,
            "samples": {"tiny": 50_000},
            "most_samples": {"tiny": 400_000},
            "checkpoints": [0.25, 1],
            "values": {"dim": [8, 16], "negatives": [3, 5]},
        },
    }
    copy.rewrite("config.yaml", lambda value: value.update(small))
    copy.rewrite("config.yaml", lambda value: value["tables"].update(main=main))
    said = {"section": "5", "quotation": "converges", "relation": "comparable", "margin": 50}
    said |= {"left": "pte_joint", "right": ["pte_joint"], "corpora": ["tiny"]}
    claims = {
        "x": said | {"left_with": {"samples": 400_000}, "right_with": {"samples": 100_000}},
        "y": said | {"left_with": {"default": "all"}, "each": {"dim": [8], "negatives": [3]}},
        "near": said | {"measure": "neighbours", "left": "pte_wl"},
        "quick": said | {"relation": "faster", "factor": 1, "left": "pte_wl"},
    }
    del claims["quick"]["margin"]
    claims = {name: claim | {"quotation": name} for name, claim in claims.items()}
    copy.rewrite("workflow/registry/claims.yaml", lambda value: value.update(claims=claims))
    markers = [f"<!-- {name}: {end} -->" for name in NAMED for end in ("begin", "end")]
    (copy.folder / "README.md").write_text("\n".join(markers), "utf-8")
    run = copy.snakemake("page", "publish")
    assert run.returncode == 0, run.stdout
    results = copy.folder / "results"
    found = {}
    for parameter in ("samples", "dim", "negatives"):
        rows = copy.rows(f"sensitivity/{parameter}.csv")
        assert all(0 < float(row["micro_mean"]) <= 100 for row in rows)
        assert all(row["n_seeds"] == "2" for row in rows)
        found[parameter] = [float(row["value"]) for row in rows]
        assert (results / f"figures/sensitivity/{parameter}.pdf").exists()
    assert found == {"samples": [100_000, 400_000], "dim": [8, 16], "negatives": [3, 5]}
    trained = results / "sensitivity/runs/tiny"
    assert {str(path.relative_to(trained)) for path in trained.glob("*/*")} == {
        *("samples/all", "samples/100000", "samples/400000", "dim/8", "negatives/3"),
        "default/all",  # once, for both
    }
    assert [row["method"] for row in copy.rows("maps/tiny.csv")] == ["LINE(Gwd)", "PTE(Gwl)"]
    assert np.load(results / "maps/tiny/pte_wl/seed1.npy").shape == (120, 2)
    assert (results / "figures/maps/tiny.svg").exists()
    rows = copy.rows("claims/claims.csv")
    judged = {(row["claim"], row["metric"], row["protocol"]): row for row in rows}
    assert len({key for key in judged if key[0] != "quick"}) == 3 * 2
    assert float(judged["quick", "seconds", "paper"]["error"]) > 0
    assert {row["verdict"] for key, row in judged.items() if key[0] != "quick"} == {"reproduced"}
    pages = {name: (results / f"{name}.html").read_text("utf-8") for name in PAGES}
    for name, title in (
        ("scores", "Tiny &amp; main"),
        ("corpora", "Corpora"),
        ("curves", "What PTE(joint) depends on"),
    ):
        assert f">{title}</h2>" in pages[name]
    assert "<h1>Claims of the paper</h1>" in pages["claims"]
    headings = re.findall(r'<section aria-labelledby="(.+?)">', pages["claims"])
    assert headings == ["how-many-of-the-paper-s-claims-hold", "claim-by-claim"]
    assert "Tiny &amp; main: micro-F1" in pages["scores"]
    stored = read_store(results / "published" / "runs" / "tiny.npz")
    names = {run.name for run in stored.runs}
    assert "results/sensitivity/runs/tiny/dim/8/seed1" in names
    assert "results/scores/tiny/pte_joint/chosen/seed1" in names
    assert "results/claims/timed/tiny/pte_wl/seed1" in names
    assert "results/claims/neighbours/tiny/pte_wl/seed1" in names
    pictures = {name: page.count("<img ") for name, page in pages.items() if "<img " in page}
    assert pictures == {"scores": 1, "curves": 3, "corpora": 2}
    published = results / "published"
    for name in (
        *("main.md", "claims.md", "table1.csv", "provenance.md"),
        *("network.svg", "sensitivity-dim.csv", "sensitivity-samples.svg", "maps-tiny.svg"),
    ):
        assert (published / name).stat().st_size > 0
    assert "| fit methods | " in (published / "provenance.md").read_text("utf-8")
    readme = (copy.folder / "README.md").read_text("utf-8")
    assert "| PTE(joint) |" in readme
    # One of the four sentences is about seconds, which depend on how busy the machine is.
    (reproduced,) = re.findall(r"\| reproduced \| [34] \|", readme)
    assert copy.plan("page", "publish") == {}

    # Published runs alone tell the same, seconds and neighbours included.
    kept = ("main.csv", "main.svg", "claims.md", "sensitivity-samples.csv")
    before = {name: (published / name).read_text("utf-8") for name in kept}
    for folder in ("scores", "claims", "costs", "sensitivity/runs/tiny/samples"):
        shutil.rmtree(results / folder)
    run = copy.run("pte_study.report.publish")
    assert run.returncode == 0, run.stdout
    assert {name: (published / name).read_text("utf-8") for name in kept} == before
    assert reproduced in (copy.folder / "README.md").read_text("utf-8")
    rows = copy.rows("published/claims.csv")
    again = {(row["claim"], row["metric"], row["protocol"]): row for row in rows}
    assert set(again) == set(judged)
    for key, first in judged.items():
        assert again[key]["effect"] == first["effect"]
