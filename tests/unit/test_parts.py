"""Parts of the labelled documents: what is held out, and that classes keep their shares."""

from dataclasses import replace

import numpy as np
import pytest

from pte.corpora.encoded import TEST, TRAIN, UNLABELLED
from pte.corpora.subsets import find_labelled
from pte.errors import PteError
from pte.training.search import FOLDS, folds, groups_of, held_out, hold_out, stratified_part

LABELS = np.repeat(np.arange(3, dtype=np.int32), [30, 15, 5])


def shares(labels):
    return np.bincount(labels, minlength=3).tolist()


def test_every_document_judges_in_one_fold():
    splits = folds(LABELS, seed=1)
    assert len(splits) == FOLDS
    assert sorted(np.concatenate([judge for _, judge in splits])) == list(range(50))
    for learn, judge in splits:
        assert sorted([*learn, *judge]) == list(range(50))
        assert shares(LABELS[judge]) == [6, 3, 1]


def test_the_only_document_of_a_class_always_trains():
    labels = np.array([0] + [1] * 11, np.int32)
    splits = folds(labels, seed=1)
    assert all(0 in learn for learn, _ in splits)
    assert sorted(np.concatenate([judge for _, judge in splits])) == list(range(1, 12))
    assert all(sorted([*learn, *judge]) == list(range(12)) for learn, judge in splits)
    assert all((np.diff(learn) > 0).all() for learn, _ in splits)


GROUPS = np.concatenate([np.repeat(np.arange(9), 5), [9] * 5])
"""Ten groups of five documents; the last has all documents of the last class."""


def test_groups_are_never_divided():
    splits = folds(LABELS, seed=1, groups=GROUPS)
    judged = np.concatenate([judge for _, judge in splits])
    assert sorted(judged) == list(range(45))  # nobody else would teach the last class
    for learn, judge in splits:
        assert sorted([*learn, *judge]) == list(range(50))
        assert not {*GROUPS[learn]} & {*GROUPS[judge]}
    training, held = hold_out(LABELS, 10, np.random.default_rng(1), GROUPS)
    assert 5 <= held.size <= 15 and set(LABELS[training]) == {0, 1, 2}
    assert not {*GROUPS[training]} & {*GROUPS[held]}


def test_a_class_in_one_group_alone_never_judges():
    assert folds(LABELS, seed=1, groups=LABELS) == []
    with pytest.raises(PteError, match="groups: some classes are in one group alone"):
        hold_out(LABELS, 10, np.random.default_rng(1), LABELS)
    groups = np.where(LABELS == 2, 100, np.arange(50) % 2)
    for seed in range(9):
        assert all(judge.size for _, judge in folds(LABELS, seed, groups))
        training, held = hold_out(LABELS, 10, np.random.default_rng(seed), groups)
        assert set(LABELS[training]) == {0, 1, 2} and set(LABELS[held]) == {0, 1}


def test_a_document_without_a_group_is_a_group_alone(corpus):
    known = find_labelled(corpus)
    numbers = np.full(corpus.n_documents, -1, np.int32)
    assert groups_of(corpus, known) is None
    numbers[known[:3]] = 4
    some = groups_of(replace(corpus, groups=numbers), known)
    assert np.unique(some).size == known.size - 2
    one = np.zeros(corpus.n_documents, np.int32)
    assert groups_of(replace(corpus, groups=one), known) is None


def test_no_document_of_a_judges_group_trains(corpus):
    """An unlabelled document of the group would let the vectors see its author."""
    labels = np.array(corpus.labels)
    known = find_labelled(corpus)
    labels[known[::3]] = UNLABELLED
    numbers = np.int32(np.arange(corpus.n_documents) % 12)
    grouped = replace(corpus, labels=labels, groups=numbers)
    part = held_out(grouped, 0.5, 100, "samples", seed=1)
    judged, trained = (set(part.groups[part.documents(each)]) for each in (TEST, TRAIN))
    assert judged and not judged & trained
    assert (part.labels[part.documents(TRAIN)] == UNLABELLED).any()


def test_there_are_as_many_folds_as_the_largest_class_has_documents():
    assert len(folds(np.int32([0, 0, 0, 1, 2]), seed=1)) == 3
    assert folds(np.int32([0, 1, 2]), seed=1) == []


@pytest.mark.parametrize("size", [0, 1, 7, 40])
def test_documents_train_or_are_held_out(size):
    training, held = hold_out(LABELS, size, np.random.default_rng(1))
    assert held.size == size
    assert sorted([*training, *held]) == list(range(50))
    assert (np.diff(training) > 0).all()
    assert (np.diff(held) > 0).all()


def test_documents_of_all_classes_are_held_out_in_proportion():
    labels = np.repeat(np.arange(4, dtype=np.int32), [600, 300, 99, 1])
    _, one = hold_out(labels, 100, np.random.default_rng(1))
    _, two = hold_out(labels, 100, np.random.default_rng(2))
    assert np.bincount(labels[one], minlength=4).tolist() == [60, 30, 10, 0]
    assert (one != two).any()


@pytest.mark.parametrize("size", [1, 7, 12, 36])
def test_a_stratified_part_keeps_the_shares(corpus, size):
    labelled = find_labelled(corpus)
    part = stratified_part(corpus, labelled, size, np.random.default_rng(1))
    assert part.size == size and set(part) <= set(labelled)
    assert (np.diff(part) > 0).all()
    expected = np.array(shares(corpus.labels[labelled])) * size / labelled.size
    assert (np.abs(shares(corpus.labels[part]) - expected) < 1).all()


@pytest.mark.parametrize(("share", "at_most", "size"), [(0.5, 100, 18), (0.5, 7, 7)])
def test_labelled_documents_judge(corpus, share, at_most, size):
    part = held_out(corpus, share, at_most, "samples", seed=1)
    judges = part.documents(TEST)
    assert judges.size == size
    assert (part.labels[judges] != UNLABELLED).all()


def test_too_few_to_judge_are_an_error(corpus):
    with pytest.raises(PteError, match=r"^epochs: 36 labelled .* give the number of epochs$"):
        held_out(corpus, 0.1, 100, "epochs", seed=1)


def test_held_out_documents_are_the_test_documents_of_the_rest(corpus):
    part = held_out(corpus, 0.5, 100, "epochs", seed=1)
    train = corpus.documents(TRAIN)
    held = stratified_part(corpus, find_labelled(corpus), 18, np.random.default_rng(1))
    assert part.n_documents == train.size
    assert train[part.documents(TEST)].tolist() == held.tolist()
    assert part.words == corpus.words
    assert part.labels.tolist() == corpus.labels[train].tolist()
    for d, whole in enumerate(train):
        mine = part.tokens[part.offsets[d] : part.offsets[d + 1]]
        its = corpus.tokens[corpus.offsets[whole] : corpus.offsets[whole + 1]]
        assert mine.tolist() == its.tolist()


def test_the_only_document_of_a_class_is_never_held_out():
    labels = np.repeat(np.arange(77), [6] + [1] * 76)
    training, held = hold_out(labels, 20, np.random.default_rng(1))
    assert {*labels[training]} == {*range(77)} and {*labels[held]} == {0}
    assert hold_out(np.arange(5), 2, np.random.default_rng(1))[1].size == 0
