import sys
from pathlib import Path

import pytest
from made import configured

from pte.errors import PteError
from pte_study.configuration.registry import check, read, typed
from pte_study.plan.study import Study, prepare

ROOT = Path(__file__).parents[2]

SCHEMA = """
type: object
additionalProperties: false
required: [seeds]
properties:
  seeds: {type: array, items: {type: integer}}
  samples: {type: object, additionalProperties: {type: integer, minimum: 1}}
"""


@pytest.fixture
def schema(tmp_path):
    path = tmp_path / "config.schema.yaml"
    path.write_text(SCHEMA)
    return path


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"seeds": [1, "two"]}, r"^config\.yaml: seeds\.1: 'two' is not"),
        ({"seeds": [], "samples": {"mr": 0}}, r"^config\.yaml: samples\.mr: 0 is less"),
        ({"samples": {}}, r"^config\.yaml: top level: 'seeds' is a required"),
        (
            {"seeds": [], "seed": 1},
            r"^config\.yaml: top level: unknown key 'seed'; did you mean 'seeds'\?",
        ),
        ([], r"^config\.yaml: top level: \[\] is not"),
    ],
)
def test_a_fault_is_named_with_file_and_key(schema, value, message):
    with pytest.raises(PteError, match=message):
        check(value, schema, "config.yaml")


def test_every_fault_has_a_line(schema):
    with pytest.raises(PteError) as caught:
        check({"seeds": ["a", "b"], "samples": {"mr": 0}}, schema, "config.yaml")
    lines = str(caught.value).splitlines()
    assert [line.split(": ")[1] for line in lines] == ["samples.mr", "seeds.0", "seeds.1"]


def test_a_schema_may_be_given_as_it_is_and_keys_stand_behind_others():
    schema = {"type": "object", "additionalProperties": False, "properties": {"k": {}, "a": {}}}
    message = r"^config\.yaml: choices\.r8: unknown key 'l'; known are a, k$"
    with pytest.raises(PteError, match=message):
        check({"l": 1}, schema, "config.yaml", "choices", "r8")


@pytest.mark.parametrize("text", ["own: {2024: {file: a}}", "on: {a: 1}", "a: [{null: 1}]"])
def test_a_key_that_is_no_text_is_refused(tmp_path, text):
    (tmp_path / "config.yaml").write_text(text)
    with pytest.raises(PteError, match=r"config\.yaml: .*the key .* is no text; put it"):
        read(tmp_path / "config.yaml")


def test_a_file_that_is_not_yaml_is_named(tmp_path):
    (tmp_path / "broken.yaml").write_text("seeds: [1\n")
    with pytest.raises(PteError, match="Is a directory"):
        read(tmp_path)
    with pytest.raises(PteError, match=r"broken\.yaml: not valid YAML"):
        read(tmp_path / "broken.yaml")


def test_text_from_the_command_line_becomes_what_it_is():
    given = {"seeds": ["1", "2"], "rate": "0.5", "mirror": "null", "only": "true", "name": "a: b"}
    expected = {"seeds": [1, 2], "rate": 0.5, "mirror": None, "only": True, "name": "a: b"}
    assert typed(given) == expected


@pytest.mark.parametrize("text", ["5e-05", "1E6", "-2e+3", "0.5", "1.5e-3"])
def test_numbers_as_python_writes_them_are_numbers(text):
    assert typed(text) == float(text)


@pytest.mark.parametrize("text", ["e5", "5e", "nan", "inf", "1e5x", "12M"])
def test_other_texts_stay_texts(text):
    assert typed(text) == text


@pytest.mark.parametrize("values", [{"plugins": None}, {"plugins": "mine"}, {"mirror": 5}])
def test_values_of_a_wrong_type_are_left_to_the_schema(values, monkeypatch):
    for name in ("PTE_MIRROR", "PTE_NETWORKS", "PTE_PLUGINS", "PYTHONPATH", "NUMBA_CACHE_DIR"):
        monkeypatch.setenv(name, "")
    assert prepare(values) == str(values.get("mirror", ""))


def test_a_checkout_in_a_folder_with_a_space_is_refused_at_once(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/my texts/.venv/bin/python")
    with pytest.raises(PteError, match="a folder whose path has a space; move the checkout"):
        prepare({})


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("sedes", r"top level: unknown key 'sedes'; did you mean 'seeds'\?$"),
        ("zzzz", "unknown key 'zzzz'; known are choices, [^?]*$"),
        ("own", "config.yaml: own: `snakemake own` is gone; `pte evaluate FILE` compares"),
    ],
)
def test_a_key_that_is_not_known_is_one_message(key, message):
    with pytest.raises(PteError, match=message):
        Study.load(configured() | {key: "5"}, ROOT / "workflow")
