"""Labels that are the same, as a user says."""

import pytest

from pte.errors import PteError
from pte.tables.merging import merged, merges_of

GIVEN = [("news",), ("News",), ("News",), ("nwes", "news"), ("a=b",), ()]


@pytest.mark.parametrize(
    ("same", "ignore_case", "merges"),
    [
        ([], False, {}),
        ([], True, {"news": "News"}),
        (["nwes=news"], False, {"nwes": "news"}),
        (["nwes=news", "news=press"], False, {"nwes": "press", "news": "press"}),
        (["news=press", "nwes=news"], False, {"nwes": "press", "news": "press"}),
        (["nwes = News"], True, {"nwes": "News", "news": "News"}),
        (["a=b=c=d"], False, {"a=b": "c=d"}),
        (["news=News", "News=news"], False, {"News": "news"}),
    ],
)
def test_labels_become_others(same, ignore_case, merges):
    assert merges_of("a.csv", GIVEN, same, ignore_case) == merges


def test_a_document_has_each_label_once():
    assert merged(GIVEN, {"nwes": "news"})[3:] == [("news",), ("a=b",), ()]
    assert merged(GIVEN, {}) == GIVEN


@pytest.mark.parametrize(
    ("pair", "said"),
    [
        ("newz=News", "a.csv: --same newz=News: no label 'newz'; did you mean '[Nn]e?ws'"),
        ("zzz=News", "no label 'zzz'; leave it out"),
        ("news", "write two labels with = between them, such as sprot=sport"),
        ("news=", "write two labels with = between them"),
    ],
)
def test_a_label_that_is_not_there_is_refused(pair, said):
    with pytest.raises(PteError, match=said):
        merges_of("a.csv", GIVEN, [pair], False)
