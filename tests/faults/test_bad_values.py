"""Values that cannot be meant are refused by one message with the key, the value and what to do."""

import pytest

from pte.errors import PteError
from pte_study.configuration.checks import check_dim, check_names, check_samples
from pte_study.configuration.yaml_files import check, nearest, read

COUNTS = {
    "type": "object",
    "properties": {"seeds": {"type": "array", "items": {"type": "integer"}}},
}
RATE = {"type": "object", "properties": {"rate": {"type": "number", "exclusiveMinimum": 0}}}


def test_draws_that_take_longer_than_a_life_are_refused_with_the_hours():
    with pytest.raises(PteError, match=r"samples\.mr: 1000000000000000000 edges take [\d,]+ hours"):
        check_samples("config.yaml: samples.mr", 10**18)
    check_samples("config.yaml: samples.mr", 300_000_000)
    check_samples("config.yaml: samples.mr", "auto")


def test_vectors_that_fit_no_memory_are_refused_with_the_bytes():
    message = r"dim: 100000 takes 800,000 bytes .* 80 GB for 100,000 words; give at most 10000"
    with pytest.raises(PteError, match=message):
        check_dim("config.yaml: hyperparameters.dim", 100_000)
    check_dim("config.yaml: hyperparameters.dim", 1000)


@pytest.mark.parametrize("rate", [float("nan"), float("inf")])
def test_a_rate_that_is_no_number_is_refused(rate):
    with pytest.raises(PteError, match=r"c\.yaml: rate: .*write a finite number"):
        check({"rate": rate}, RATE, "c.yaml")


def test_a_whole_number_with_a_point_is_refused():
    with pytest.raises(PteError, match=r"c\.yaml: seeds\.0: 1\.0 .*; write 1"):
        check({"seeds": [1.0]}, COUNTS, "c.yaml")
    check({"seeds": [1]}, COUNTS, "c.yaml")


def test_a_key_that_stands_twice_is_refused(tmp_path):
    file = tmp_path / "config.yaml"
    file.write_text("a: {seeds: 1}\nb:\n  seeds: 1\n  rate: 2\n  seeds: 3\n")
    with pytest.raises(PteError, match=r"config\.yaml: .*'seeds' stands in line 3 and in line 5"):
        read(file)
    file.write_text("a: {seeds: 1}\nb: {seeds: 1}\n")
    assert read(file) == {"a": {"seeds": 1}, "b": {"seeds": 1}}


def test_a_mistyped_key_or_name_is_told_the_nearest():
    assert nearest("sedes", ["seeds", "rate"]) == "; did you mean 'seeds'?"
    assert nearest("zzz", ["seeds", "rate"]) == ""
    with pytest.raises(PteError, match="did you mean 'seeds'"):
        check({"sedes": 1}, COUNTS | {"additionalProperties": False}, "c.yaml")
    with pytest.raises(PteError, match="did you mean 'pte_joint'"):
        check_names("config.yaml: methods", ["pte_jiont"], ["bow", "pte_joint"])
