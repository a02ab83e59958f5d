"""Skip-gram's pairs are drawn exactly as by the twin."""

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pte.core.draws import draw_windows

DOCUMENTS = [[0, 3, 1, 0, 5, 2, 2], [], [4], [1, 1], [3, 0, 2], []]
LISTS = st.lists(st.lists(st.integers(0, 5), max_size=9), max_size=6)


def encoded(documents):
    """Tokens with some before and behind them, and where the documents lie."""
    tokens = [9, 9, 9] + [word for document in documents for word in document] + [9, 9, 9]
    return np.array(tokens, np.int32), 3 + np.cumsum([0] + [len(each) for each in documents])


def windows(documents, window, state, room):
    """All pairs, drawn `room` at a time at most, and the state at the end."""
    tokens, offsets = encoded(documents)
    cursor, pairs, drawn = np.array([0, offsets[0]]), np.full((room, 2), -1, np.int32), []
    while cursor[0] < len(documents):
        n, state = draw_windows(tokens, offsets, window, cursor, np.uint64(state), pairs)
        drawn += map(tuple, pairs[:n].tolist())
    return int(state), drawn


@pytest.mark.parametrize("window", [1, 2, 5, 20])
@pytest.mark.parametrize("more", [0, 1, 100])
def test_windows_are_drawn_as_by_the_twin(window, more):
    state = naive.stream(3, 0)
    found = windows(DOCUMENTS, window, state, 2 * window + more)
    assert found == naive.draw_windows(DOCUMENTS, window, state)


@given(LISTS, st.integers(1, 12), st.integers(0, 2**40))
def test_windows_of_any_documents_are_those_of_the_twin(documents, window, seed):
    state = naive.stream(seed, 1)
    assert windows(documents, window, state, 64) == naive.draw_windows(documents, window, state)


def test_no_pair_crosses_the_border_of_a_document():
    documents = [[10 * d + i for i in range(d)] for d in range(9)]
    _, drawn = windows(documents, 5, naive.stream(4, 0), 64)
    assert drawn
    assert all(a // 10 == b // 10 for a, b in drawn)


def test_no_document_has_no_pair():
    assert windows([], 5, 1, 10) == (1, [])
