"""A share of the documents that is held out for the test."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pte.corpora.document import Document
from pte.corpora.encode_entry import held_out
from pte.corpora.encoded import TEST, TRAIN
from pte.corpora.entry import CorpusEntry, Recipe
from pte.errors import PteError

LABELLED = st.lists(
    st.tuples(
        st.sampled_from([None, "x", "y", "z"]), st.sampled_from([None, None, "ann", "bob", "cy"])
    ),
    max_size=40,
)


@given(LABELLED, st.sampled_from([0.1, 0.2, 0.5, 0.9]), st.integers(0, 9))
def test_a_share_keeps_order_groups_and_every_class(drawn, share, seed):
    documents = [
        Document(b"%d" % i, label, TRAIN, group=group) for i, (label, group) in enumerate(drawn)
    ]
    try:
        found = held_out(documents, share, seed)
    except PteError as error:
        assert f"test is {share}" in str(error)
        return
    assert [d.text for d in found] == [d.text for d in documents]
    assert all(d.part == TRAIN for d in found if d.label is None)
    sides = {(d.group, d.part) for d in found if d.group and d.label}
    assert len(sides) == len({group for group, _ in sides})
    labelled = [d for d in found if d.label]
    assert {d.label for d in labelled} == {d.label for d in labelled if d.part == TRAIN}
    assert found == held_out(documents, share, seed)


def test_a_share_is_that_of_each_class_and_of_all_together():
    documents = [Document(b"", label, TRAIN) for label in "x" * 50 + "y" * 33 + "z" * 3 + "w"]
    tests = [d.label for d in held_out(documents, 0.2, seed=1) if d.part == TEST]
    assert Counter(tests) == {"x": 10, "y": 7}
    halves = [d.label for d in held_out(documents, 0.5, seed=1) if d.part == TEST]
    assert Counter(halves) == {"x": 25, "y": 17, "z": 2}
    assert held_out(documents, 0.2, seed=1) != held_out(documents, 0.2, seed=2)


def test_groups_are_taken_whole_until_the_share_is_reached():
    documents = [Document(b"", "xy"[i % 2], TRAIN, group=f"g{i // 10}") for i in range(100)]
    found = held_out(documents, 0.2, seed=3)
    assert sum(d.part == TEST for d in found) == 20
    two = [Document(b"", "xy"[i % 2], TRAIN, group=f"g{i // 50}") for i in range(100)]
    with pytest.raises(PteError, match="of 100 labelled documents, no group of documents can"):
        held_out(two, 0.2, seed=3)


def test_a_class_of_further_labels_also_keeps_a_training_document():
    documents = [Document(b"", "x", TRAIN, more_labels=("y",) * (i == 0)) for i in range(20)]
    for seed in range(20):
        assert held_out(documents, 0.5, seed)[0].part == TRAIN


@pytest.mark.parametrize(
    "split", [{"rule": "distributed"}, {"rule": "shuffled", "train": 3, "seed": 1}]
)
def test_the_entry_of_any_split_comes_back(split):
    recipe = Recipe(reader="r", options={}, tokeniser="t", documents_sha256=None, split=split)
    others = {"title": "T", "archive": "a", "table1": {"row": None, "match": "none", "why": ""}}
    entry = CorpusEntry.from_mapping(recipe.to_mapping() | others)
    assert vars(recipe).items() <= vars(entry).items()
