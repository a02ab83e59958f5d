"""Faults in what a user writes: one message each, naming the file and the key."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from pte import plugins
from pte.errors import PteError
from pte.limits import MOST_SAMPLES
from pte.training.contract import Spec
from pte.training.setup import Configured
from pte_study.configuration.registry import SAFE, typed
from pte_study.plan.study import Study

ROOT = Path(__file__).parents[2]
CONFIG, METHODS, CORPORA, CLAIMS = (
    "config.yaml",
    "workflow/registry/methods.yaml",
    "workflow/registry/corpora.yaml",
    "workflow/registry/claims.yaml",
)
NO_ORDER = ": line_ww cannot run on rcv1_sample_market (order lost); name another"
LINES = "corpora.mr: reader parallel_lines:"
RCV1, SHORTER = "corpora.rcv1_corporate", "claims.cnn_above_pte_more_on_short"
LACKING = "missing a required argument:"
PREDICTIVE, SHORT = "claims.predictive_vectors_separate_classes", "claims.faster_than_cnn"
FAULTS = {
    CONFIG: [
        ("sedes", [1], "top level: unknown key 'sedes'; did you mean 'seeds'?"),
        ("samples_limit", 0, ": 0 is less than the minimum of 1"),
        ("seeds", "one", ": 'one' is not of type 'array'"),
        ("seeds", [1.5], ".0: 1.5 is not of type 'integer'"),
        ("tables.quickstart.corpora", ["tiyn"], ": 'tiyn' is not one of 20ng, dblp"),
        ("methods", ["pte_jiont"], ": 'pte_jiont' is not one of bow, bow_pairs"),
        ("tables.quickstart.one_seed", ["skipgarm"], ": 'skipgarm' is not one of bow, bow_pairs"),
        ("tables.quickstart.protocols", ["chosen"], ": chosen is shown only with paper; add paper"),
        ("choices.r9", {}, "choices: 'r9' is not one of 20ng, dblp"),
        ("choices.r8.cnn", {}, "choices.r8: 'cnn' is not one of fasttext, fasttext_pairs"),
        ("choices.r8.nb_em.epochs", 5, "choices.r8.nb_em: unknown key 'epochs'; known are"),
        ("choices.r8.fasttext.epochs", ..., "choices.r8.fasttext: 'epochs' is a required property"),
        ("network_weights", {"wx": 2}, ": 'wx' is not one of wd, wl, ww"),
        ("choices.r8.fasttext.learning_rate", 0, ": 0 is less than or equal to the minimum of 0"),
        ("samples.tiyn", 5, "samples: 'tiyn' is not one of 20ng, dblp"),
        ("curves.labelled.methods.0", "lstm", "curves.labelled.methods: 'lstm' is not one of bow"),
        ("curves.labelled.corpora.mr.labelled", [150], ".0: 150 is greater than"),
        ("curves.labelled.corpora.mr.unlabelled", [0, 50], ": [0, 50] is too long"),
        ("maps.mr", ["bow"], ": 'bow' is not one of line_wd"),
        ("sensitivity.corpora", ["tiyn"], ": 'tiyn' is not one of 20ng, dblp"),
        ("sensitivity.checkpoints", [0.5, 0.25, 1], ": [0.5, 0.25, 1] must rise to 1"),
        ("sensitivity.checkpoints", [0.25, 0.33], ": [0.25, 0.33] must rise to 1"),
        ("tables.network", lambda tables: tables["quickstart"], "tables: small letters, digits"),
        ("samples.r8", "validated", ": 'validated' is not one of these: a whole number such as"),
        ("network_weights", "papr", ": 'papr' is not one of these: paper, auto, or a positive"),
        ("tables.imdb_splits.methods", ["tiyn"], ": 'tiyn' is not one of"),
        ("maps.rcv1_sample_market", ["line_ww"], NO_ORDER),
        ("more_seeds.mr, secnds", {"cnn": 9}, ": 'secnds' is not one of neighbours, seconds"),
    ],
    CORPORA: [
        ("archives.acl-imdb.file", "20news-bydate.tar.gz", ": 20news-bydate.tar.gz is the file of"),
        ("corpora.2020", lambda corpora: corpora["mr"], "corpora: '2020' may hold nothing but"),
        ("corpora.1e5", lambda corpora: corpora["mr"], "corpora: '1e5' may hold nothing but"),
        ("corpora.mr.documents_sha256", "abc", ": 'abc' does not match"),
        ("corpora.mr.archive", "tiyn", ": 'tiyn' is not one of"),
        ("corpora.wiki.labels", "tiyn", ": 'tiyn' is not one of"),
        ("corpora.wiki.labels", ..., f"corpora.wiki: reader wikiextractor: {LACKING} 'labels'"),
        ("corpora.mr.options", {"foldr": "mr"}, f"{LINES} {LACKING} 'folder'; it takes folder"),
        ("corpora.mr.options.header", 1, f"{LINES} got an unexpected keyword argument 'header'"),
        (
            "corpora.mr",
            lambda corpora: corpora["mr"] | {"options": {}, "files": {"folder": "pte-mr"}},
            ".files: the reader takes none; remove it",
        ),
        (f"{RCV1}.options.topics", "x", f"{RCV1}: topics is a file and an option; remove one"),
        ("corpora.wiki.options.labels", "one", ": the reader takes none; remove it"),
        ("corpora.mr.split", {"rule": "shuffeld"}, ".rule: 'shuffeld' is not one of"),
        ("corpora.mr.split", {"rule": "shuffled", "train": 5}, ": 'seed' is a required property"),
    ],
    CLAIMS: [
        (f"{SHORT}.right", ["lstm"], f"{SHORT}: 'lstm' is not one of bow, bow_pairs"),
        ("claims.converges_in_samples.right_with", {"samples": 0.33}, ""),
        (f"{SHORTER}.beyond", ["mrr"], f"{SHORTER}.corpora: 'mrr' is not one of"),
        (f"{SHORT}.factor", ..., f"{SHORT}: 'factor' is a required property"),
        ("stand_ins.RCV1", ["tiyn"], ": 'tiyn' is not one of"),
        ("stand_ins.mr", ["wiki"], "stand_ins: 'mr' is not one of RCV1, Twitter, Wiki"),
        (f"{PREDICTIVE}.right", ["bow"], f"{PREDICTIVE}: 'bow' is not one of line_wd"),
        (
            PREDICTIVE,
            lambda claims: (
                claims["predictive_vectors_separate_classes"]
                | {"right": ["line_ww"], "corpora": ["rcv1_sample_market"]}
            ),
            NO_ORDER,
        ),
        (f"{SHORT}.right", ["bow"], f"{SHORT}: no job trains bow, so it has no seconds; name"),
        ("claims.converges_in_samples.left", "pte_wl", "claims.converges_in_samples: 20ng"),
        *(
            (
                "claims.of_chosen",
                lambda claims, corpus=corpus: (
                    claims["predictive_vectors_separate_classes"]
                    | {"measure": "scores", "protocols": ["chosen"], "corpora": [corpus]}
                ),
                f".protocols: no table shows {corpus}, so its runs are by paper; add paper",
            )
            for corpus in ("mr-labelled1", "dblp_titles")
        ),
    ],
    METHODS: [
        ("line_ww.phases", ..., "line_ww: 'phases' is a required property"),
        (
            *("line_ww.phases", [["wx"]]),
            "line_ww: networks: wx: there is no module pte.networks.wx, nor wx.py in",
        ),
        ("line_ww.model", "lstm", ": lstm: there is no module pte.models.lstm, nor lstm.py in"),
        ("line_ww.model", "json", ": json: there is no module pte.models.json, nor json.py in"),
        ("pvdm.phases", [["ww"]], "pvdm: unknown key 'phases'"),
        ("pte_joint_unit.vectors", "bow", ": 'bow' is not one of line_wd"),
        ("nan", lambda methods: methods["bow"], "top level: 'nan' may hold nothing but small"),
    ],
}
"""By file: a key, its wrong value (`...` is none, a function makes it), and what is said of it.

What begins with a colon or a dot, or is empty, stands behind the key. jsonschema does not tell the
key that a schema does not allow.
"""


@pytest.fixture
def study(tmp_path):
    """Copies of the configuration, the registries and their schemas, free to edit."""
    shutil.copy(ROOT / CONFIG, tmp_path)
    for name in ("registry", "schemas"):
        shutil.copytree(ROOT / "workflow" / name, tmp_path / "workflow" / name)
    return tmp_path


def config_of(study):
    return yaml.load((study / CONFIG).read_text("utf-8"), SAFE)


def check(study, mirror="", **changes):
    return Study.load(config_of(study) | changes, study / "workflow", mirror)


def spoil(entries, key, wrong):
    """Give a key below others a wrong value."""
    *above, last = key.split(".")
    for name in above:
        entries = entries[name]
    last = int(last) if isinstance(entries, list) else last
    if wrong is ...:
        del entries[last]
    else:
        entries[last] = wrong(entries) if callable(wrong) else wrong


@pytest.mark.parametrize(
    ("path", "key", "wrong", "said"),
    [(path, *fault) for path, faults in FAULTS.items() for fault in faults],
)
def test_a_fault_is_one_message_with_file_and_key(study, path, key, wrong, said):
    value = yaml.load((study / path).read_text("utf-8"), SAFE)
    spoil(value, key, wrong)
    (study / path).write_text(yaml.dump(value, Dumper=yaml.CSafeDumper, sort_keys=False), "utf-8")
    with pytest.raises(PteError) as raised:
        check(study)
    message = f"{key}{said}" if said[:1] in ("", ":", ".") else said
    assert f"{Path(path).name}: {message}" in str(raised.value)
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
    tables = check(study).all_tables
    others = {name for name in names if name.replace("_", "").isalnum() and name not in tables}
    schema = yaml.safe_load((study / "workflow/schemas/config.schema.yaml").read_text("utf-8"))
    taken = schema["properties"]["tables"]["propertyNames"]["not"]["enum"]
    assert {"scores", "leads"} <= others <= {*taken}


def test_the_choices_that_the_page_of_protocols_shows_can_be_written(study):
    page = (ROOT / "docs" / "protocols.md").read_text("utf-8")
    shown = yaml.safe_load(page.split("```yaml\n")[1].split("```")[0])
    assert check(study, **shown).config.choices["mr"]["pte_joint"] == {"samples": 12_000_000}


def test_weights_of_other_networks_are_none_of_the_sensitivity_experiment(study):
    checked = check(study)
    assert checked.sensitivity_weights == "paper"
    weights = {"wl": 0.1, "cites": 0.1}
    changed = replace(checked, config=replace(checked.config, network_weights=weights))
    assert changed.sensitivity_weights == {"wl": 0.1}


def test_limits_are_those_of_the_library(study):
    protocols = config_of(study)["protocols"]
    protocols["chosen"]["step"] |= {"size": 10, "negatives": 80}
    checked = check(study, protocols=protocols, samples_further=0).config
    assert checked.samples_further == 0 and checked.protocols["chosen"].step.negatives == 80
    protocols["chosen"]["step"]["negatives"] = 101
    with pytest.raises(PteError, match=r"^config.yaml: protocols\.chosen\.step\.negatives is 101;"):
        check(study, protocols=protocols)
    schema = yaml.safe_load((study / "workflow/schemas/config.schema.yaml").read_text("utf-8"))
    most = schema["properties"]["samples_further"]["maximum"], schema["$defs"]["edges"]["maximum"]
    assert most == (MOST_SAMPLES, MOST_SAMPLES)


def test_text_of_the_command_line_becomes_what_it_is(study):
    config = config_of(study)
    config["tables"]["quickstart"] |= {"seeds": "2"}
    loaded = check(study, **typed(config | {"encoder": "null"})).config
    assert loaded.tables["quickstart"].seeds == 2 and loaded.encoder is None


def test_fewer_seeds_than_a_table_takes_are_all_its_seeds(study):
    assert config_of(study)["tables"]["more_news"]["seeds"] == 3
    assert check(study, seeds=[1, 2]).seeds_of("more_news") == (1, 2)


def test_tables_of_corpora_that_only_a_mirror_has_need_one(study, tmp_path):
    alone, with_mirror = (check(study, mirror) for mirror in ("", str(tmp_path)))
    of_mirrors = {"stand_ins_long", "stand_ins_short", "stand_ins_rcv1", "stand_ins_topics"}
    assert set(with_mirror.tables) - set(alone.tables) == of_mirrors
    assert of_mirrors < set(with_mirror.published)
    assert alone.in_readme == with_mirror.in_readme == ["long", "short", "news"]
    for study, many in ((with_mirror, 3), (alone, 0)):
        found = study.claim_scores(study.claims())
        assert sum("/wiki/pte_joint/paper/" in name for name in found) == many


# What the SPEC of a method says


def spec_of(monkeypatch, model, **changes):
    """Change the SPEC of a model."""
    module = plugins.load("pte.models", model)
    monkeypatch.setattr(module, "SPEC", replace(module.SPEC, **changes))


SPECS = {
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
        "words.Bow",
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
    inputs = check(study).fit_inputs("mr", "cnn", "paper", "3")
    for role, method in {"one": "line_ww", "two": "pte_joint"}.items():
        assert inputs[role] == f"results/representations/mr/{method}/paper/seed3.npy"
    assert {"wd", "ww"} <= inputs.keys() and "start" not in inputs


def test_features_are_scored_with_the_cost_of_what_they_are_made_of(study):
    inputs = check(study).score_inputs("mr", "pte_joint_unit", "paper", "3")
    stem = "results/representations/mr/pte_joint/paper/seed3"
    assert inputs["vectors"] == f"{stem}.npy" and inputs["training"] == f"{stem}.json"


def test_bounds_of_t_are_given_to_what_searches_for_it(study):
    fits = check(study)
    bounds = {"samples_limit", "samples_further"}
    searched = fits.plan("mr", "pte_joint", "chosen").configured
    fixed = fits.plan("mr", "pte_joint", "paper").configured
    usual = Configured()
    assert all(getattr(searched, name) == getattr(fits.config, name) for name in bounds)
    assert all(getattr(fixed, name) == getattr(usual, name) for name in bounds)


def test_memory_grows_with_the_corpus(study, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    checked, megabytes = check(study), {}
    for name, factor in {"mr": 1, "larger": 10}.items():
        folder = tmp_path / "resources" / name
        folder.mkdir(parents=True)
        counts = {"documents": 10_662, "tokens": 224_000, "vocabulary": 17_375, "classes": 2}
        counts = {key: factor * count for key, count in counts.items()}
        (folder / "corpus.json").write_text(json.dumps({"counts": counts}), "utf-8")
        encoded = tmp_path / "resources" / "encoded" / f"{name}.npy"
        encoded.parent.mkdir(exist_ok=True)
        encoded.write_bytes(bytes(factor * 10**7))
        for method in checked.represented_methods:
            megabytes[name, method] = checked.memory(method, str(folder))
    for method in checked.represented_methods:
        assert 250 <= megabytes["mr", method] <= megabytes["larger", method] < 3000
    assert megabytes["larger", "majority"] < megabytes["larger", "random"]
    assert megabytes["larger", "random"] < megabytes["larger", "pte_joint"]
    folder = str(tmp_path / "resources" / "mr")
    first, second = (checked.memory("bow", folder, attempt=n) for n in (1, 2))
    assert second == 2 * first
    assert checked.memory("bow", folder, launched=True) == pytest.approx(first + 600, abs=1)
    both = [checked.memory(name, folder) for name in ("pte_auto", "pte_auto_encoder")]
    assert both[1] - both[0] == pytest.approx(10, abs=1)
    scored = [checked.memory_to_score(name, folder) for name in ("bow_pairs", "encoder")]
    assert scored == [pytest.approx(1022, abs=1), pytest.approx(1122, abs=1)]
