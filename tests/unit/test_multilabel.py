"""Documents with several labels: the encoded corpus, its parts, the classifier and its scores."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from naive import scores_of_several

from pte.corpora.document import Document
from pte.corpora.encode import encode
from pte.corpora.encoded import TEST, TRAIN, UNLABELLED, EncodedCorpus, hits, micro_f1
from pte.corpora.features import tf_idf
from pte.corpora.subsets import (
    Subset,
    labelled_documents,
    with_judges,
    with_labels,
    with_unlabelled,
)
from pte.corpora.tokenise import whitespace
from pte.errors import PteError
from pte.evaluation import liblinear
from pte.evaluation.metrics import score
from pte.evaluation.setting import ClassifierChoice
from pte.training.scores import choose_classifier, score_fit
from pte.training.search import held_out


def made(n=150, seed=3, several=True):
    """Documents with one to three labels; most words are those of a label."""
    rng = np.random.default_rng(seed)
    documents = []
    for i in range(n):
        some = rng.permutation(list("wxyz"))[: 1 + (i % 3 if several else 0)]
        words = [b"%s%d" % (str(label).encode(), rng.integers(6)) for label in some for _ in "12"]
        words += [b"c%d" % rng.integers(9) for _ in "123"]
        first, *more = map(str, some)
        part = TRAIN if i < 2 * n // 3 else TEST
        if part == TRAIN and i % 10 == 9:
            documents.append(Document(b" ".join(words), None, part))
        else:
            documents.append(Document(b" ".join(words), first, part, tuple(more)))
    return documents


@pytest.fixture(scope="module")
def several():
    return encode(made(), whitespace)


def labels_of(corpus):
    """The set of classes of each document, from the indicator."""
    return [
        frozenset(np.flatnonzero(row).tolist()) for row in np.asarray(corpus.indicator.toarray())
    ]


def test_every_label_is_kept_and_the_first_is_the_class(several):
    for document, found, first in zip(made(), labels_of(several), several.labels, strict=True):
        names = {several.classes[i] for i in found}
        expected = {document.label, *document.more_labels} if document.label else set()
        assert names == expected
        assert (several.classes[first] if first >= 0 else None) == document.label
    assert several.is_multilabel
    assert several.memberships.dtype == np.int32
    assert (several.class_pairs == several.memberships).all()
    assert several.meta["counts"]["labels"] == len(several.memberships)


def test_one_label_for_each_document_needs_no_memberships(corpus, tmp_path):
    assert not corpus.is_multilabel
    assert "labels" not in corpus.meta["counts"]
    assert labels_of(corpus) == [
        frozenset() if label == UNLABELLED else frozenset([label]) for label in corpus.labels
    ]
    corpus.save(tmp_path / "corpus")
    assert not (tmp_path / "corpus" / "memberships.npy").exists()
    assert corpus.targets(corpus.documents(TEST)).dtype == np.int32


def test_a_further_label_without_training_document_is_an_error():
    documents = [Document(b"a", "x", TRAIN), Document(b"a", "x", TEST, ("rare",))]
    with pytest.raises(PteError, match="class 'rare' has no training document"):
        encode(documents, whitespace)


@pytest.mark.parametrize(
    ("memberships", "message"),
    [
        ([0, 1], r"memberships\.npy does not hold pairs"),
        ([[0, 0, 0]], r"memberships\.npy does not hold pairs"),
        ([[0, 0], [2, 0]], r"memberships\.npy: a number is not in 0 … 1"),
        ([[0, 0], [1, 3]], r"memberships\.npy: a number is not in 0 … 2"),
        ([[-1, 0]], r"memberships\.npy: a number is not in 0 … 1"),
    ],
)
def test_memberships_that_cannot_be_are_an_error(tmp_path, monkeypatch, memberships, message):
    pairs = np.array(memberships, np.int32)
    corpus = encode([Document(b"a", "x", TRAIN, ("y",)), Document(b"a", "z", TRAIN)], whitespace)
    monkeypatch.setattr(EncodedCorpus, "class_pairs", pairs)
    corpus.save(tmp_path / "corpus")
    with pytest.raises(PteError, match=message):
        EncodedCorpus.load(tmp_path / "corpus")


# Parts


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_a_document_that_loses_its_label_loses_all(several, tmp_path, share):
    part = with_labels(several, share, 1)
    whole = labels_of(several)
    for found, before, label in zip(labels_of(part), whole, part.labels, strict=True):
        assert found == (frozenset() if label == UNLABELLED else before)
    part.save(tmp_path / "part")
    assert labels_of(EncodedCorpus.load(tmp_path / "part")) == labels_of(part)


def test_documents_that_stay_keep_all_labels(several):
    part = with_unlabelled(with_labels(several, 0.5, 1), 0.2, 1)
    assert part.n_documents < several.n_documents
    texts = {tuple(d.text.split()): {d.label, *d.more_labels} for d in made()}
    for d, found in enumerate(labels_of(part)):
        words = tuple(part.words[t] for t in part.tokens[part.offsets[d] : part.offsets[d + 1]])
        if part.split[d] == TRAIN and found:
            assert {part.classes[i] for i in found} == texts[words]
    assert Subset.parse("c-labelled50-seed1").of(several).is_multilabel


def test_the_held_out_part_has_the_training_documents_with_all_labels(several):
    part = held_out(several, 0.2, 1000, "epochs", 1)
    train = several.documents(TRAIN)
    assert labels_of(part) == [labels_of(several)[d] for d in train]
    assert part.documents(TEST).size == 18


def test_shuffling_moves_all_labels_of_a_document_together(several):
    shuffled = several.with_shuffled_labels(1)
    before, after = labels_of(several), labels_of(shuffled)
    labelled = np.flatnonzero((several.split == TRAIN) & (several.labels != UNLABELLED)).tolist()
    others = sorted(set(range(several.n_documents)) - set(labelled))
    assert [after[d] for d in others] == [before[d] for d in others]
    assert Counter(after[d] for d in labelled) == Counter(before[d] for d in labelled)
    assert after != before
    assert all(shuffled.labels[d] in after[d] for d in labelled)
    assert (np.diff(shuffled.class_pairs[:, 0]) >= 0).all()


@pytest.mark.parametrize("seed", range(6))
def test_a_class_that_is_rarely_first_keeps_a_document(seed):
    documents = [Document(b"a b", "a", TRAIN, ("z" if i < 2 else "m",)) for i in range(20)]
    documents += [Document(b"b c", "b", TRAIN) for _ in range(10)]
    corpus = encode(documents, whitespace)
    some = with_labels(corpus, 0.1, seed)
    assert set(some.class_pairs[:, 1]) == set(range(corpus.n_classes))
    assert (some.labels != UNLABELLED).sum() <= 5
    assert set(with_judges(corpus, seed).class_pairs[:, 1]) == set(range(corpus.n_classes))


def test_a_class_that_is_never_first_still_has_training_documents(several):
    firsts = np.array(several.labels)
    some = several.memberships[several.memberships[:, 1] == 3, 0]
    other = {int(d): sorted(labels_of(several)[d] - {3}) for d in some}
    for d, left in other.items():
        if left and firsts[d] == 3:
            firsts[d] = left[0]
    assert labelled_documents(replace(several, labels=firsts), "test").size == 90


# The classifier


def test_each_class_has_the_weights_of_one_against_the_rest():
    rng = np.random.default_rng(2)
    features = rng.normal(size=(120, 4)).astype(np.float32)
    labels = rng.integers(3, size=120).astype(np.int32)
    together = liblinear.fit(features, labels, 1.0)
    each = liblinear.fit_each(features, labels[:, None] == together.classes, 1.0)
    np.testing.assert_allclose(each.weights, together.weights, atol=0.01)


def test_a_run_is_scored_over_all_labels_and_predicts_well(several):
    scored = score_fit(several, tf_idf(several), "features", ClassifierChoice())
    test = several.documents(TEST)
    assert scored.predicted.dtype == np.bool_
    assert scored.predicted.shape == (test.size, 4)
    truth = several.indicator[test].toarray()
    micro, macro = scores_of_several(truth.tolist(), scored.predicted.tolist())
    assert scored.scores["micro_f1"] == pytest.approx(100 * micro)
    assert scored.scores["macro_f1"] == pytest.approx(100 * macro)
    assert scored.scores["micro_f1"] > 80
    assert "confusion" not in scored.scores


def test_c_has_the_best_micro_f1_on_hidden_documents(several):
    """A small C predicts next to nothing; accuracy per cell would not mind that much."""
    hidden = Subset("", hidden=True).of(several)
    assert choose_classifier(hidden, tf_idf(hidden)).choice["c"] >= 1


# Scores


@pytest.mark.parametrize("seed", range(5))
def test_scores_are_those_of_the_definition(seed):
    rng = np.random.default_rng(seed)
    truth, predicted = rng.random((2, 40, 5)) < 0.3
    predicted[:, 4] = False
    found = score(truth, predicted, list("abcde"))
    micro, macro = scores_of_several(truth.tolist(), predicted.tolist())
    assert found["micro_f1"] == pytest.approx(100 * micro)
    assert found["macro_f1"] == pytest.approx(100 * macro)
    assert micro_f1(truth, predicted) == pytest.approx(micro)
    exact = [bool((a == b).all()) for a, b in zip(truth, predicted, strict=True)]
    assert hits(truth, predicted).tolist() == exact
    assert found["exact"] == pytest.approx(100 * np.mean(exact))
    assert [row["documents"] for row in found["per_class"]] == truth.sum(axis=0).tolist()
    assert found["per_class"][4]["f1"] == 0


def test_predictions_of_the_other_kind_are_an_error():
    one, several = np.zeros(3, np.int32), np.zeros((3, 2), bool)
    with pytest.raises(PteError, match="one class predicted for documents that have several"):
        score(several, one, list("ab"))
    with pytest.raises(PteError, match="several classes predicted for documents that have one"):
        score(one, several, list("ab"))
    with pytest.raises(PteError, match="2 columns for 3 classes"):
        score(several, several, list("abc"))
    with pytest.raises(PteError, match="2 predictions for 3 documents"):
        score(several, several[:2], list("ab"))
