import re

import pytest

from pte_study import paths


@pytest.mark.parametrize(
    ("names", "name", "matches"),
    [(["mr", "r8"], "r8", True), (["mr", "r8"], "r", False), ([], "mr", False)],
)
def test_a_wildcard_is_one_of_the_names(names, name, matches):
    assert (re.fullmatch(paths.either(names), name) is not None) == matches


@pytest.mark.parametrize(
    ("file", "found"),
    [
        (
            "results/scores/mr-labelled2.5-seed1/bow/paper/seed1.json",
            {"corpus": "mr-labelled2.5-seed1", "method": "bow", "protocol": "paper", "seed": "1"},
        ),
        ("results/scores/mr/bow/paper/seed1.npy", None),
        ("results/scores/mr/bow/seed1.json", None),
        ("results/scores/a/mr/bow/paper/seed1.json", None),
        ("results/scores/mr/bow/paper/seed1xjson", None),
    ],
)
def test_a_name_tells_what_its_wildcards_stand_for(file, found):
    assert paths.wildcards_of(f"{paths.SCORES}.json", file) == found


def test_what_a_job_took_stands_under_the_name_of_what_it_made():
    run = {"corpus": "mr", "method": "pte_joint", "protocol": "paper", "seed": 1}
    made = paths.REPRESENTATION.format_map(run)
    assert paths.cost(made) == "results/costs/representations/mr/pte_joint/paper/seed1.json"
