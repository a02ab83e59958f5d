"""Values that cannot be meant are refused by one message with the key, the value and what to do."""

import pytest
from made import configured

import pte
from pte.errors import PteError
from pte.training.edges import of_phases
from pte.training.setup import Hyperparameters
from pte_study.configuration.checks import check_names
from pte_study.configuration.config import Config
from pte_study.configuration.registry import check, read

COUNTS = {
    "type": "object",
    "properties": {"seeds": {"type": "array", "items": {"type": "integer"}}},
}
RATE = {"type": "object", "properties": {"rate": {"type": "number", "exclusiveMinimum": 0}}}


@pytest.mark.parametrize(
    ("name", "value", "most"),
    [("dim", 17_000, "10,000"), ("negatives", 1000, "100"), ("window", 10_000_000, "1,000")],
)
def test_one_limit_holds_for_the_configuration_and_the_library(name, value, most):
    message = rf"{name} is {value}; it must be between [01] and {most}$"
    values = configured()
    values["hyperparameters"] |= {name: value}
    with pytest.raises(PteError, match=rf"^config\.yaml: hyperparameters\.{message}"):
        Config.of(values)
    with pytest.raises(PteError, match=f"^{message}"):
        Hyperparameters(**{name: value})
    estimator = pte.LINE(**{name: value}, threads=1)
    with pytest.raises(PteError, match=f"it must be at most {most.replace(',', '')}"):
        estimator.fit(["some words", "more words"])


def test_draws_that_take_longer_than_a_life_are_refused():
    with pytest.raises(PteError, match=r"samples is 1000000000000000000; it must be at most"):
        pte.LINE(samples=10**18).fit(["some words", "more words"])
    with pytest.raises(PteError, match=r"samples is 10+; it must be between 1 and 1,000,"):
        of_phases(10**18, [["ww"]])
    assert of_phases(300_000_000, [["ww"]]) == (300_000_000,)


@pytest.mark.parametrize("rate", [float("nan"), float("inf")])
def test_a_rate_that_is_no_number_is_refused(rate):
    with pytest.raises(PteError, match=r"c\.yaml: rate: .* is not of type 'number'"):
        check({"rate": rate}, RATE, "c.yaml")


def test_a_whole_number_with_a_point_is_refused():
    with pytest.raises(PteError, match=r"c\.yaml: seeds\.0: 1\.0 is not of type"):
        check({"seeds": [1.0]}, COUNTS, "c.yaml")
    check({"seeds": [1]}, COUNTS, "c.yaml")


def test_a_key_that_stands_twice_is_refused(tmp_path):
    file = tmp_path / "config.yaml"
    file.write_text("a: {seeds: 1}\nb:\n  seeds: 1\n  rate: 2\n  seeds: 3\n")
    with pytest.raises(PteError, match=r"config\.yaml: .*'seeds' stands in line 3 and in line 5"):
        read(file)
    file.write_text("a: {seeds: 1, seeds: 2}")
    with pytest.raises(PteError, match="'seeds' stands in line 1 and in line 1; keep one"):
        read(file)
    file.write_text("a: {seeds: 1}\nb: {seeds: 1}\n")
    assert read(file) == {"a": {"seeds": 1}, "b": {"seeds": 1}}


def test_a_mistyped_name_is_told_the_nearest():
    with pytest.raises(PteError, match="did you mean 'pte_joint'"):
        check_names("config.yaml: methods", ["pte_jiont"], ["bow", "pte_joint"])
