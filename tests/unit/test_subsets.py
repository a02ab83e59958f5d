"""Subsets of labels and of text: nested, stratified, and nothing else is changed."""

import re
from dataclasses import replace

import numpy as np
import pytest

from pte.corpora.encoded import TEST, TRAIN, UNLABELLED, EncodedCorpus
from pte.corpora.subsets import PATTERN, Subset, with_labels, with_unlabelled
from pte.errors import PteError

SHARES = (0.01, 0.1, 0.3, 0.5, 1.0)


def labelled(corpus):
    return set(np.flatnonzero((corpus.split == TRAIN) & (corpus.labels != UNLABELLED)).tolist())


def texts(corpus, part):
    return [
        tuple(corpus.tokens[corpus.offsets[d] : corpus.offsets[d + 1]].tolist())
        for d in corpus.documents(part)
    ]


def test_labels_are_nested_and_of_each_class_in_proportion(corpus):
    before = set()
    for share in SHARES:
        part = with_labels(corpus, share, 1)
        kept = labelled(part)
        assert before <= kept <= labelled(corpus)
        before = kept
        for each in range(corpus.n_classes):
            whole = sum(corpus.labels[d] == each for d in labelled(corpus))
            found = sum(part.labels[d] == each for d in kept)
            assert found == max(1, round(share * whole))
    assert before == labelled(corpus)


def test_a_label_that_is_kept_is_the_same_and_text_and_test_stay(corpus):
    part = with_labels(corpus, 0.3, 2)
    kept = sorted(labelled(part))
    assert (part.labels[kept] == corpus.labels[kept]).all()
    test = corpus.documents(TEST)
    assert (part.labels[test] == corpus.labels[test]).all()
    assert part.tokens is corpus.tokens
    assert part.words == corpus.words


def test_unlabelled_text_is_nested_and_the_rest_stays(corpus):
    some = with_labels(corpus, 0.3, 1)
    n_unlabelled = int(((some.split == TRAIN) & (some.labels == UNLABELLED)).sum())
    before = []
    for share in (0, 0.25, 0.6, 1):
        part = with_unlabelled(some, share, 1)
        assert texts(part, TEST) == texts(some, TEST)
        assert part.offsets[-1] == part.tokens.size
        train = part.documents(TRAIN)
        assert (part.labels[train] == UNLABELLED).sum() == round(share * n_unlabelled)
        assert (part.labels[train] != UNLABELLED).sum() == len(labelled(some))
        found = texts(part, TRAIN)
        rest = iter(found)
        assert all(text in rest for text in before), "in order, and none is lost"
        before = found
    assert before == texts(some, TRAIN)


@pytest.mark.parametrize("share", [0, -0.1, 1.1, float("nan")])
def test_a_share_that_is_none_is_an_error(corpus, share):
    with pytest.raises(PteError, match="labels: the share"):
        with_labels(corpus, share, 1)
    with pytest.raises(PteError, match="unlabelled: the share"):
        with_unlabelled(corpus, share or -1, 1)


@pytest.mark.parametrize(
    ("subset", "name"),
    [
        (Subset("dblp"), "dblp"),
        (Subset("dblp", seed=3), "dblp"),
        (Subset("20ng", 2.5, seed=3), "20ng-labelled2.5-seed3"),
        (Subset("20ng", 10, 0, 1), "20ng-labelled10-unlabelled0-seed1"),
        (Subset("dblp_titles", 100, 25, 2), "dblp_titles-unlabelled25-seed2"),
        (Subset("mr", 12.3456789, seed=1), "mr-labelled12.3456789-seed1"),
        (Subset("mr", 0.00001, seed=1), "mr-labelled0.00001-seed1"),
    ],
)
def test_a_subset_has_a_name_and_is_found_by_it(subset, name):
    assert subset.name == name
    found = Subset.parse(name)
    assert found.name == name
    assert (found.base, found.labelled, found.unlabelled) == (
        subset.base,
        subset.labelled,
        subset.unlabelled,
    )
    assert re.fullmatch(f"{subset.base}({PATTERN})?", name)


def test_a_subset_leaves_out_labels_first_and_text_then(corpus):
    found = Subset("x", 30, 50, 4).of(corpus)
    expected = with_unlabelled(with_labels(corpus, 0.3, 4), 0.5, 4)
    assert (found.labels == expected.labels).all()
    assert (found.tokens == expected.tokens).all()


def test_a_subset_of_a_corpus_with_groups_is_loaded_again(corpus, tmp_path):
    grouped = replace(corpus, groups=np.arange(corpus.n_documents, dtype=np.int32)[::-1].copy())
    for name in ("c-hidden-seed1", "c-unlabelled0-seed1"):
        part = Subset.parse(name).of(grouped)
        part.save(tmp_path / name)
        assert (EncodedCorpus.load(tmp_path / name).groups == part.groups).all()


@pytest.mark.parametrize(
    "name", ["", "mr-labelled", "mr-labelled1.2.3", "mr-labelled1.", "mr-seedx"]
)
def test_what_is_no_name_of_a_subset_is_an_error(name):
    with pytest.raises(PteError, match="is not the name of a corpus"):
        Subset.parse(name)
