import re

import pytest

from pte.study import paths


@pytest.mark.parametrize(
    ("names", "name", "matches"),
    [(["mr", "r8"], "r8", True), (["mr", "r8"], "r", False), ([], "mr", False)],
)
def test_a_wildcard_is_one_of_the_names(names, name, matches):
    assert (re.fullmatch(paths.either(names), name) is not None) == matches


def test_what_a_job_took_stands_under_the_name_of_what_it_made():
    made = paths.representation("mr", "pte_joint", 1)
    assert paths.cost(made) == "results/costs/representations/mr/pte_joint/seed1.json"
