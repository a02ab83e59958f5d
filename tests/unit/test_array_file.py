"""The doors for files of arrays: what is wrong is said before anything is made of it."""

import io
import json
import zipfile

import numpy as np
import pytest
from made import npy, zipped

import pte
from pte.array_file import ArrayFile, has_form, parsed, read_array_file, write_array_file
from pte.classify.model_file import facts_of
from pte.errors import PteError


@pytest.fixture(scope="module")
def members(tmp_path_factory):
    """The members of the file of a small classifier."""
    path = tmp_path_factory.mktemp("model") / "m.npz"
    texts = ["the team won the match", "the bank cut its rate"] * 6
    model = pte.TextClassifier(method="bow", random_state=0)
    model.fit(texts, ["sport", "money"] * 6).save(path)
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def loaded(folder, files, how=zipfile.ZIP_STORED):
    (folder / "m.npz").write_bytes(zipped(files, how))
    return pte.load(folder / "m.npz")


def with_facts(members, **changed):
    facts = json.loads(members["model.json"])
    return {**members, "model.json": json.dumps({**facts, **changed}).encode()}


def test_one_number_that_is_not_finite_is_named(members, tmp_path):
    weights = np.load(io.BytesIO(members["classifier_weights.npy"]))
    weights[3] = np.nan
    with pytest.raises(PteError, match=r"m.npz: classifier_weights.npy: a number is not finite"):
        loaded(tmp_path, {**members, "classifier_weights.npy": npy(weights)})


def test_a_newer_file_says_who_made_it(members, tmp_path):
    facts = json.loads(members["model.json"])
    made = {**facts["made"], "pte": "9.1.0"}
    said = "it was made by pte 9.1.0, and this is .*: install that version"
    with pytest.raises(PteError, match=f"it has format 99, and this version reads .*; {said}"):
        loaded(tmp_path, with_facts(members, made=made, format=99))
    with pytest.raises(PteError, match=r"it has format 0, .*; learn the model anew"):
        loaded(tmp_path, with_facts(members, made=made, format=0))
    more = {**facts["parameters"], "attention": 3}
    with pytest.raises(PteError, match=f"its parameter 'attention' is not known .*; {said}"):
        loaded(tmp_path, with_facts(members, made=made, parameters=more))
    with pytest.raises(PteError, match=f"its array later is not known .*; {said}"):
        loaded(tmp_path, {**with_facts(members, made=made), "later.npy": npy(np.ones(2))})
    newer = {"name": "transformer", "options": {}}
    with pytest.raises(PteError, match=f"method 'transformer' is not known; .*; {said}"):
        loaded(tmp_path, with_facts(members, made=made, method=newer))


def test_a_member_must_be_there_and_fit_the_others(members, tmp_path):
    short = {name: each for name, each in members.items() if name != "learnt_rarity.npy"}
    with pytest.raises(PteError, match="it has no array learnt_rarity"):
        loaded(tmp_path, short)
    fewer = np.load(io.BytesIO(members["learnt_rarity.npy"]))[:-1]
    with pytest.raises(PteError, match=r"the shape of learnt_rarity is \(\d+,\), not \d+"):
        loaded(tmp_path, {**members, "learnt_rarity.npy": npy(fewer)})
    with pytest.raises(PteError, match="the numbers of learnt_rarity are float64, not float32"):
        loaded(tmp_path, {**members, "learnt_rarity.npy": npy(fewer.astype(float))})


def test_a_model_is_not_larger_than_its_file(members, tmp_path):
    """3.1 MB of zeros, compressed, took 3.2 GB."""
    zeros = npy(np.zeros((2**24, 2), np.float32))
    with pytest.raises(PteError, match=r"its members are longer than [0-9,]+ bytes together"):
        loaded(tmp_path, {**members, "x.npy": zeros}, zipfile.ZIP_DEFLATED)
    assert facts_of(tmp_path / "m.npz") is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"[NaN]", "has NaN, which is no number"),
        (b"[" * 10_000, "nested too deeply"),
        (b"[" * 100 + b"]" * 100, "nested too deeply"),
        (b'"\\ud800"', "surrogates not allowed"),
    ],
)
def test_json_is_refused_that_could_not_be_shown(text, said):
    with pytest.raises(ValueError, match=said):
        parsed(text)


def test_forms():
    assert has_form({"a": 1, "b": None}, {"a": range(2), "b": (int, None)})
    assert has_form([1, 2.5], [float])
    wrong = [(True, int), (2, range(2)), (1e300, float), ({}, {"a": int}), ([1], [str]), (1, None)]
    assert not any(has_form(value, form) for value, form in wrong)


def test_arrays_are_asked_for_by_name_type_and_shape(tmp_path):
    arrays = {"a": np.arange(6.0).reshape(2, 3), "b": np.array([0, 2]), "never": np.ones(1)}
    write_array_file(tmp_path / "f", arrays, {"k": 1}, "f.json")
    kept = read_array_file(tmp_path / "f", "f.json", "take another")
    assert isinstance(kept, ArrayFile) and kept.fact("k", int) == 1
    assert kept.array("a", "float64", "rows", "columns").shape == (2, 3)
    assert kept.numbers("b", kept.lengths["columns"], "rows").tolist() == [0, 2]
    with pytest.raises(PteError, match=r"a number of b is not in 0 … 1; take another"):
        kept.numbers("b", 2, "rows")
    assert kept.strange == ["never"]
