"""Runs of letters: those of scikit-learn, and those of words that training has not met."""

import numpy as np
import pytest
from sklearn.feature_extraction.text import HashingVectorizer

import pte
from pte.corpora.features import BITS, LENGTHS, letters_of
from pte.corpora.texts import further_corpus, training_corpus
from pte.corpora.tokenise import TOKENISERS

TEXTS = [b"the striker scored a goal", b"", b"the bank cut its rate rate", b"goals and rates"]
WHITESPACE = TOKENISERS["whitespace"]


def asked(texts=TEXTS, words=(b"the", b"goal", b"rate", b"a")):
    numbers = {word: i for i, word in enumerate(words)}
    return further_corpus(texts, WHITESPACE, words, numbers, keep_unknown=True)


def of_scikit_learn(texts):
    cut = HashingVectorizer(
        analyzer="char_wb", ngram_range=LENGTHS, n_features=2**BITS, norm=None, alternate_sign=False
    )
    return cut.transform([text.decode() for text in texts]).toarray()


def test_runs_are_those_of_scikit_learn():
    corpus = training_corpus(TEXTS, None, WHITESPACE)
    assert corpus.unknown is None
    np.testing.assert_array_equal(letters_of(corpus).toarray(), of_scikit_learn(TEXTS))


def test_runs_of_words_that_training_has_not_met_count_too():
    corpus = asked()
    assert corpus.words == (b"the", b"goal", b"rate", b"a")
    assert corpus.unknown.words[:2] == (b"striker", b"scored")
    assert np.diff(corpus.offsets).tolist() == [3, 0, 3, 0]
    assert np.diff(corpus.unknown.offsets).tolist() == [2, 0, 3, 3]
    np.testing.assert_array_equal(letters_of(corpus).toarray(), of_scikit_learn(TEXTS))


@pytest.mark.parametrize("text", [*TEXTS, "naïve café 看电影 goal 12345678".encode(), b"a\0 goal"])
def test_a_text_alone_has_the_runs_that_it_has_among_others(text):
    runs = np.flatnonzero(of_scikit_learn([text, *TEXTS]).any(axis=0))[::2]
    whole = of_scikit_learn([text])
    for some, expected in ((None, whole), (runs, whole[:, runs])):
        row = letters_of(asked([text]), some)
        found = np.zeros(row.shape, np.float32)
        found[0, row.indices] = row.data
        np.testing.assert_array_equal(found, expected)
        both = letters_of(asked([text, *TEXTS]), some)
        np.testing.assert_array_equal(both.toarray()[:1], expected)


def test_a_part_of_the_documents_keeps_its_new_words():
    keep = np.array([False, True, True, True])
    part = asked().of_documents(keep)
    np.testing.assert_array_equal(letters_of(part).toarray(), of_scikit_learn(TEXTS[1:]))


def test_rare_words_are_seen_by_their_letters():
    corpus = training_corpus(TEXTS, None, WHITESPACE, min_count=2)
    assert set(corpus.words) == {b"the", b"rate"} and b"goals" in corpus.unknown.words
    np.testing.assert_array_equal(letters_of(corpus).toarray(), of_scikit_learn(TEXTS))
    runs = np.flatnonzero(letters_of(corpus).toarray()[0])
    found = letters_of(corpus, runs).toarray()
    np.testing.assert_array_equal(found, of_scikit_learn(TEXTS)[:, runs])


@pytest.mark.parametrize("method", ["svm_letters", "pte_auto"])
def test_new_words_are_told_by_their_letters(method):
    texts = [
        *("the footballer and the goal", "the footballing goal", "footballs and goals"),
        *("the banker and the rate", "the banking rate", "banknotes and rates"),
    ]
    labels = ["sport"] * 3 + ["money"] * 3
    model = pte.TextClassifier(method=method, dim=8, threads=1, random_state=1)
    model.fit(texts * 4, labels * 4)
    new = ["and the footballish", "and the bankable"]
    assert model.count_known(new).tolist() == [2, 2]
    assert model.predict(new).tolist() == ["sport", "money"]
    words = dict(model.explain("and the footballish oddity", "sport"))
    assert words["footballish"] > abs(words["the"])
    words = dict(model.explain("the footballish", "sport"))
    assert words["footballish"] > abs(words["the"])
    alone = ["footballish", "bankable", "xyzzy", ""]
    assert model.count_known(alone).tolist() == [0, 0, 0, 0]
    likely = model.predict_proba(alone)
    assert (likely[0] > likely[0].max() / 2).tolist() == [False, True]
    assert model.predict(alone[:2]).tolist() == ["sport", "money"]
    np.testing.assert_array_equal(likely[2:], [model.class_shares_] * 2)
    assert model.encode(new).unknown.words[0] == b"footballish"
    bow = pte.TextClassifier(method="bow", random_state=1).fit(texts * 4, labels * 4)
    with pytest.raises(pte.PteError, match="another model has encoded them"):
        model.predict(bow.encode(new))
    assert {word for word, _ in bow.explain("and the footballish", "sport")} == {"and", "the"}
