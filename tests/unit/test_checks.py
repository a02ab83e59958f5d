"""Faults in what a user writes: one message each, naming the file and the key."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest
import yaml

from pte import plugins
from pte.errors import PteError
from pte.limits import MOST_SAMPLES
from pte.training.contract import KernelSet, Spec
from pte.warm_up import KERNELS
from pte_study.configuration.checks import NOT_TABLES
from pte_study.plan.claimed import Claimed
from pte_study.plan.runs import Runs
from pte_study.plan.study import Study

ROOT = Path(__file__).parents[2]
CONFIG, METHODS, CORPORA, CLAIMS = (
    "config.yaml",
    "workflow/registry/methods.yaml",
    "workflow/registry/corpora.yaml",
    "workflow/registry/claims.yaml",
)
FAULTS = {
    "unknown key": (
        CONFIG,
        lambda c: c.update(sedes=[1]),
        "config.yaml: top level, or --config: unknown key 'sedes'; did you mean 'seeds'?",
    ),
    "no shards": (
        CONFIG,
        lambda c: c.update(shards=0),
        "config.yaml: shards: 0 is less than the minimum of 1",
    ),
    "wrong type": (
        CONFIG,
        lambda c: c.update(seeds="one"),
        "config.yaml: seeds: 'one' is not of type 'array'",
    ),
    "table of an unknown corpus": (
        CONFIG,
        lambda c: c["tables"]["quickstart"].update(corpora=["tiyn"]),
        "config.yaml: tables.quickstart.corpora: 'tiyn' is not one of 20ng, dblp",
    ),
    "unknown method": (
        CONFIG,
        lambda c: c.update(methods=["pte_jiont"]),
        "config.yaml: methods: 'pte_jiont' is not one of bow, bow_pairs",
    ),
    "one seed of an unknown method": (
        CONFIG,
        lambda c: c["tables"]["quickstart"].update(one_seed=["skipgarm"]),
        "config.yaml: tables.quickstart.one_seed: 'skipgarm' is not one of bow, bow_pairs",
    ),
    "table without the paper's protocol": (
        CONFIG,
        lambda c: c["tables"]["quickstart"].update(protocols=["chosen"]),
        "config.yaml: tables.quickstart.protocols: add paper; chosen is shown only with it",
    ),
    "choices on an unknown corpus": (
        CONFIG,
        lambda c: c["choices"].update(r9={}),
        "config.yaml: choices: 'r9' is not one of 20ng, dblp",
    ),
    "choice of a method that searches nothing": (
        CONFIG,
        lambda c: c["choices"]["r8"].update(cnn={}),
        "config.yaml: choices.r8: 'cnn' is not one of fasttext, fasttext_pairs",
    ),
    "epochs of a method without epochs": (
        CONFIG,
        lambda c: c["choices"]["r8"]["nb_em"].update(epochs=5),
        "config.yaml: choices.r8.nb_em: unknown key 'epochs'; "
        "known are same_length, smoothing, unlabelled_weight",
    ),
    "choice that leaves one thing open": (
        CONFIG,
        lambda c: c["choices"]["r8"]["fasttext"].pop("epochs"),
        "config.yaml: choices.r8.fasttext: 'epochs' is a required property",
    ),
    "weight of an unknown network": (
        CONFIG,
        lambda c: c.update(network_weights={"wx": 2}),
        "config.yaml: network_weights: 'wx' is not one of wd, wl, ww",
    ),
    "choice out of bounds": (
        CONFIG,
        lambda c: c["choices"]["r8"]["fasttext"].update(rate=0),
        "config.yaml: choices.r8.fasttext.rate: 0 is less than or equal to the minimum of 0",
    ),
    "samples of an unknown corpus": (
        CONFIG,
        lambda c: c["samples"].update(tiyn=5),
        "config.yaml: samples: 'tiyn' is not one of 20ng, dblp",
    ),
    "curve of an unknown method": (
        CONFIG,
        lambda c: c["curves"]["labelled"]["methods"].__setitem__(0, "pte_jiont"),
        "config.yaml: curves.labelled.methods: 'pte_jiont' is not one of bow, bow_pairs",
    ),
    "more labels than there are": (
        CONFIG,
        lambda c: c["curves"]["labelled"]["corpora"]["mr"].update(labelled=[150]),
        "config.yaml: curves.labelled.corpora.mr.labelled.0: 150 is greater than",
    ),
    "curve along two things": (
        CONFIG,
        lambda c: c["curves"]["labelled"]["corpora"]["mr"].update(unlabelled=[0, 50]),
        "config.yaml: curves.labelled.corpora.mr: the curve is along labelled; give one value of "
        "unlabelled",
    ),
    "map of a method without word vectors": (
        CONFIG,
        lambda c: c["maps"].update({"mr": ["bow"]}),
        "config.yaml: maps.mr: 'bow' is not one of line_wd",
    ),
    "sensitivity on an unknown corpus": (
        CONFIG,
        lambda c: c["sensitivity"].update(corpora=["tiyn"]),
        "config.yaml: sensitivity.corpora: 'tiyn' is not one of 20ng, dblp",
    ),
    "sensitivity looked at in no order": (
        CONFIG,
        lambda c: c["sensitivity"].update(checkpoints=[0.5, 0.25, 1]),
        "config.yaml: sensitivity.checkpoints: [0.5, 0.25, 1] must rise to 1",
    ),
    "sensitivity that stops before the end": (
        CONFIG,
        lambda c: c["sensitivity"].update(checkpoints=[0.25, 0.33]),
        "config.yaml: sensitivity.checkpoints: [0.25, 0.33] must rise to 1",
    ),
    "table of more seeds than there are": (
        CONFIG,
        lambda c: c["tables"]["quickstart"].update(seeds=99),
        "config.yaml: tables.quickstart.seeds: 99 of 5 seeds",
    ),
    "table with the name of another result": (
        CONFIG,
        lambda c: c["tables"].update(network=c["tables"]["quickstart"]),
        "config.yaml: tables.network: network is the name of another result; rename the table",
    ),
    "T that is text": (
        CONFIG,
        lambda c: c["samples"].update(r8="12M"),
        "config.yaml: samples.r8: '12M' is not one of these: a whole number such as 12_000_000",
    ),
    "the old name of a T that is chosen": (
        CONFIG,
        lambda c: c["samples"].update(r8="validated"),
        "12_000_000, auto, or chosen (once called validated)",
    ),
    "weights by an unknown name": (
        CONFIG,
        lambda c: c.update(network_weights="papr"),
        "config.yaml: network_weights: 'papr' is not one of these: paper, auto, or a positive",
    ),
    "two archives with one file": (
        CORPORA,
        lambda c: c["archives"]["acl-imdb"].update(file="20news-bydate.tar.gz"),
        "corpora.yaml: archives.acl-imdb.file: 20news-bydate.tar.gz is the file of 20news-bydate",
    ),
    "claim about an unknown method": (
        CLAIMS,
        lambda c: c["claims"]["faster_than_cnn"].update(right=["lstm"]),
        "claims.yaml: claims.faster_than_cnn: 'lstm' is not one of bow, bow_pairs",
    ),
    "claim about a training of no edges": (
        "workflow/registry/claims.yaml",
        lambda c: c["claims"]["converges_in_samples"].update(right_with={"samples": 0.33}),
        "claims.yaml: claims.converges_in_samples.right_with",
    ),
    "claim beyond an unknown corpus": (
        "workflow/registry/claims.yaml",
        lambda c: c["claims"]["cnn_above_pte_more_on_short"].update(beyond=["mrr"]),
        "claims.yaml: claims.cnn_above_pte_more_on_short.corpora: 'mrr' is not one of",
    ),
    "claim without its factor": (
        CLAIMS,
        lambda c: c["claims"]["faster_than_cnn"].pop("factor"),
        "claims.yaml: claims.faster_than_cnn: faster needs a factor; add it",
    ),
    "method without phases": (
        METHODS,
        lambda m: m["line_ww"].pop("phases"),
        "methods.yaml: line_ww: 'phases' is a required property",
    ),
    "network that does not exist": (
        METHODS,
        lambda m: m["line_ww"].update(phases=[["wx"]]),
        "methods.yaml: line_ww: networks: wx: there is no module pte.networks.wx, nor wx.py in",
    ),
    "model that does not exist": (
        METHODS,
        lambda m: m["line_ww"].update(model="lstm"),
        "methods.yaml: line_ww.model: lstm: there is no module pte.models.lstm, nor lstm.py in",
    ),
    "model that is no method": (
        METHODS,
        lambda m: m["line_ww"].update(model="json"),
        "methods.yaml: line_ww.model: json: there is no module pte.models.json, nor json.py in",
    ),
    "option that a method does not have": (
        METHODS,
        lambda m: m["pvdm"].update(phases=[["ww"]]),
        "methods.yaml: pvdm: unknown key 'phases'",
    ),
    "features of a method without vectors": (
        METHODS,
        lambda m: m["pte_joint_unit"].update(vectors="bow"),
        "methods.yaml: pte_joint_unit.vectors: 'bow' is not one of line_wd",
    ),
    "stand-in that is no corpus": (
        CLAIMS,
        lambda r: r["stand_ins"].update(RCV1=["tiyn"]),
        "claims.yaml: stand_ins.RCV1: 'tiyn' is not one of",
    ),
    "stand-in for a corpus that is there": (
        CLAIMS,
        lambda r: r["stand_ins"].update(mr=["wiki"]),
        "claims.yaml: stand_ins: 'mr' is not one of RCV1, Twitter, Wiki",
    ),
    "rows of a table that are no methods": (
        CONFIG,
        lambda r: r["tables"]["imdb_splits"].update(methods=["tiyn"]),
        "config.yaml: tables.imdb_splits.methods: 'tiyn' is not one of",
    ),
    "hash that is none": (
        CORPORA,
        lambda r: r["corpora"]["mr"].update(documents_sha256="abc"),
        "corpora.yaml: corpora.mr.documents_sha256: 'abc' does not match",
    ),
    "unknown archive": (
        CORPORA,
        lambda r: r["corpora"]["mr"].update(archive="tiyn"),
        "corpora.yaml: corpora.mr.archive: 'tiyn' is not one of",
    ),
    "unknown archive of labels": (
        CORPORA,
        lambda r: r["corpora"]["wiki"].update(labels="tiyn"),
        "corpora.yaml: corpora.wiki.labels: 'tiyn' is not one of",
    ),
    "reader without its archive of labels": (
        CORPORA,
        lambda r: r["corpora"]["wiki"].pop("labels"),
        "corpora.yaml: corpora.wiki: reader wikiextractor: missing a required argument: 'labels'",
    ),
    "option that the reader needs": (
        CORPORA,
        lambda r: r["corpora"]["mr"].update(options={}),
        "corpora.yaml: corpora.mr: reader parallel_lines: missing a required argument: 'folder'",
    ),
    "option that no reader has": (
        CORPORA,
        lambda r: r["corpora"]["mr"].update(options={"foldr": "mr"}),
        "corpora.yaml: corpora.mr: reader parallel_lines: missing a required argument: 'folder'; "
        "it takes folder",
    ),
    "option of another reader": (
        CORPORA,
        lambda r: r["corpora"]["mr"]["options"].update(header=1),
        "corpora.yaml: corpora.mr: reader parallel_lines: got an unexpected keyword argument "
        "'header'; it takes folder",
    ),
    "archive in place of an option": (
        CORPORA,
        lambda r: r["corpora"]["mr"].update(options={}, files={"folder": "pte-mr"}),
        "corpora.yaml: corpora.mr.files: False schema does not allow",
    ),
    "archive and option of one name": (
        CORPORA,
        lambda r: r["corpora"]["rcv1_corporate"]["options"].update(topics="x"),
        "corpora.yaml: corpora.rcv1_corporate: topics is a file and an option; remove one",
    ),
    "option in place of an archive": (
        CORPORA,
        lambda r: r["corpora"]["wiki"]["options"].update(labels="one"),
        "corpora.yaml: corpora.wiki.options.labels: False schema does not allow 'one'",
    ),
    "split of an unknown rule": (
        CORPORA,
        lambda r: r["corpora"]["mr"].update(split={"rule": "shuffeld"}),
        "corpora.yaml: corpora.mr.split.rule: 'shuffeld' is not one of",
    ),
    "split without its seed": (
        CORPORA,
        lambda r: r["corpora"]["mr"].update(split={"rule": "shuffled", "train": 5}),
        "corpora.yaml: corpora.mr.split: 'seed' is a required property",
    ),
}


@pytest.fixture
def study(tmp_path):
    """Copies of the configuration, the registries and their schemas, free to edit."""
    shutil.copy(ROOT / CONFIG, tmp_path)
    for name in ("registry", "schemas"):
        shutil.copytree(ROOT / "workflow" / name, tmp_path / "workflow" / name)
    return tmp_path


def check(study):
    config = yaml.safe_load((study / CONFIG).read_text("utf-8"))
    return Study.load(config, study / "workflow")


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_one_message_with_file_and_key(study, fault):
    path, change, message = FAULTS[fault]
    value = yaml.safe_load((study / path).read_text("utf-8"))
    change(value)
    (study / path).write_text(yaml.safe_dump(value, sort_keys=False), "utf-8")
    with pytest.raises(PteError) as raised:
        check(study)
    assert message in str(raised.value)
    assert str(raised.value).count(f"{Path(path).name}: ") == 1


def test_what_is_in_the_repository_has_no_fault(study):
    checked = check(study)
    registries = checked.registries
    assert set(checked.config.methods) < registries.methods.keys()
    assert registries.yielding("documents") == ["pvdbow", "pvdm"]
    assert {"mr", "wiki"} <= registries.corpora.keys()
    assert checked.archives_of("wiki").keys() == {"archive", "labels"}
    assert checked.archives_of("mr").keys() == {"archive"}


def test_no_table_takes_the_name_of_another_published_file(study):
    names = {path.stem for path in (ROOT / "results/published").iterdir() if path.is_file()}
    others = {name for name in names if name.replace("_", "").isalnum()} - check(
        study
    ).tables.keys()
    assert {"scores", "leads", "moderation"} <= others <= {*NOT_TABLES}


def test_limits_are_those_of_the_library(study):
    config = yaml.safe_load((study / CONFIG).read_text("utf-8")) | {"samples_further": 0}
    config["protocols"]["chosen"]["step"] |= {"size": 10, "negatives": 80}
    checked = Study.load(config, study / "workflow").config
    assert checked.samples_further == 0 and checked.protocols["chosen"].step.negatives == 80
    config["protocols"]["chosen"]["step"]["negatives"] = 101
    with pytest.raises(
        PteError, match=r"^config.yaml: protocols\.chosen\.step\.negatives is 101; it must"
    ):
        Study.load(config, study / "workflow")


def test_the_most_edges_are_those_of_the_library(study):
    schema = yaml.safe_load((study / "workflow/schemas/config.schema.yaml").read_text("utf-8"))
    most = schema["properties"]["samples_further"]["maximum"], schema["$defs"]["edges"]["maximum"]
    assert most == (MOST_SAMPLES, MOST_SAMPLES)


def test_text_of_the_command_line_gets_its_type(study):
    config = yaml.safe_load((study / CONFIG).read_text("utf-8")) | {"seeds": ["1", "2", "3"]}
    assert Study.load(config, study / "workflow").config.seeds == (1, 2, 3)
    assert config["seeds"] == [1, 2, 3]


def test_tables_of_corpora_that_only_a_mirror_has_need_one(study, tmp_path):
    config = yaml.safe_load((study / CONFIG).read_text("utf-8"))
    alone, with_mirror = (
        Runs(Study.load(config, study / "workflow", mirror)) for mirror in ("", str(tmp_path))
    )
    of_mirrors = {"stand_ins_long", "stand_ins_short", "stand_ins_rcv1", "stand_ins_topics"}
    assert set(with_mirror.tables) - set(alone.tables) == of_mirrors
    assert of_mirrors < set(with_mirror.published)
    assert alone.in_readme == with_mirror.in_readme == ["long", "short", "news"]
    assert ("wiki", "pte_joint") in Claimed.by(with_mirror).pairs()
    assert ("wiki", "pte_joint") not in Claimed.by(alone).pairs()
    found = Claimed.by(with_mirror).scores()
    scores = [name for name in found if "/wiki/pte_joint/paper/" in name]
    assert len(scores) == 3


# What the SPEC of a method says


def spec_of(monkeypatch, model, **changes):
    """Change the SPEC of a model."""
    module = plugins.load("pte.models", model)
    monkeypatch.setattr(module, "SPEC", replace(module.SPEC, **changes))


SPECS = {
    "unknown kernels": (
        "cnn",
        {"kernels": lambda options: ("convolutoin",)},
        "methods.yaml: cnn: SPEC.kernels of cnn: 'convolutoin' is not one of convolution, counting",
    ),
    "unknown method": (
        "cnn",
        {"needs": lambda options: {"initial": "lstm"}},
        "methods.yaml: cnn.initial: 'lstm' is not one of line_wd",
    ),
    "a role that is taken": (
        "cnn",
        {"needs": lambda options: {"training": "pte_joint"}},
        "methods.yaml: cnn: SPEC.needs: the role training is taken; rename it",
    ),
    "features of networks": (
        "bow",
        {"networks": lambda options: ("ww",)},
        "methods.yaml: bow: features are made where they are scored; they may need word vectors of "
        "other methods, but no networks and no neighbours",
    ),
    "a function that fails": (
        "cnn",
        {"needs": lambda options: {"start": options["strat"]}},
        "methods.yaml: cnn: SPEC.needs of the model failed: KeyError: 'strat'",
    ),
}


@pytest.mark.parametrize("fault", SPECS)
def test_a_fault_of_a_spec_is_one_message_before_any_job(study, monkeypatch, fault):
    model, changes, message = SPECS[fault]
    spec_of(monkeypatch, model, **changes)
    with pytest.raises(PteError) as raised:
        check(study)
    assert str(raised.value).startswith(message)


def test_a_spec_uses_what_there_is():
    with pytest.raises(PteError, match=r"^SPEC: uses has 'sample', which is no field"):
        Spec(yields="words", uses=frozenset({"hyperparameters", "sample"}))


def test_a_method_finds_what_it_needs_by_roles_of_its_own(study, monkeypatch):
    """The names of options mean nothing to the study."""
    spec_of(
        monkeypatch,
        "cnn",
        needs=lambda options: {"one": "line_ww", "two": "pte_joint"},
        networks=lambda options: ("wd", "ww"),
    )
    inputs = check(study).fits.inputs("mr", "cnn", "paper", "3")
    assert inputs["one"] == "results/representations/mr/line_ww/paper/seed3.npy"
    assert inputs["two"] == "results/representations/mr/pte_joint/paper/seed3.npy"
    assert {"wd", "ww"} <= inputs.keys() and "start" not in inputs


def test_features_are_scored_with_the_cost_of_what_they_are_made_of(study):
    inputs = check(study).fits.score_inputs("mr", "pte_joint_unit", "paper", "3")
    stem = "results/representations/mr/pte_joint/paper/seed3"
    assert inputs["vectors"] == f"{stem}.npy" and inputs["training"] == f"{stem}.json"


def test_every_set_of_kernels_can_be_compiled():
    assert set(get_args(KernelSet)) == KERNELS.keys()


def test_memory_grows_with_the_corpus(study, tmp_path):
    checked, megabytes = check(study), {}
    for name, factor in {"mr": 1, "larger": 10}.items():
        folder = tmp_path / "resources" / name
        folder.mkdir(parents=True)
        counts = {"documents": 10_662, "tokens": 224_000, "vocabulary": 17_375, "classes": 2}
        counts = {key: factor * count for key, count in counts.items()}
        (folder / "corpus.json").write_text(json.dumps({"counts": counts}), "utf-8")
        for method in checked.fits.represented_methods:
            megabytes[name, method] = checked.fits.memory(method, str(folder))
    for method in checked.fits.represented_methods:
        assert 250 <= megabytes["mr", method] <= megabytes["larger", method] < 3000
    assert megabytes["larger", "majority"] < megabytes["larger", "random"]
    assert megabytes["larger", "random"] < megabytes["larger", "pte_joint"]
    folder = str(tmp_path / "resources" / "mr")
    first, second = (checked.fits.memory("bow", folder, attempt=n) for n in (1, 2))
    assert second == 2 * first
    assert checked.fits.memory("bow", folder, launched=True) == pytest.approx(first + 600, abs=1)
