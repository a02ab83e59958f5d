"""A review lists wrong labels first, then texts to label next."""

import numpy as np
import pytest

import pte
from pte.classify.review import copies_of, doubts, kinds_of, wavering
from pte.corpora.tokenise import TOKENISERS

WORDS = {"sport": ["team", "goal", "match"], "money": ["bank", "rate", "shares"]}


def made(n, seed=0):
    rng, texts, labels = np.random.default_rng(seed), [], []
    for i in range(n):
        label = ("sport", "money")[i % 2]
        texts.append(" ".join([*rng.choice(WORDS[label], 3), f"w{rng.integers(50)}"]))
        labels.append(label)
    return texts, labels


def test_wrong_labels_stand_first():
    texts, labels = made(60)
    wrong = [4, 17, 33]
    for i in wrong:
        labels[i] = "money" if labels[i] == "sport" else "sport"
    found = pte.TextClassifier(method="bow", random_state=1).review(texts, labels, n_next=0)
    assert sorted(found["row"][:3]) == wrong
    assert found.columns.tolist() == [
        *("row", "why", "label", "likelier", "probability_of_label", "probability", "copies")
    ]
    assert (found["probability"] > found["probability_of_label"]).all()


def test_texts_without_a_label_come_next_each_once_and_some_at_random():
    texts, labels = made(80)
    labels[30:] = [None] * 50
    found = pte.TextClassifier(method="bow", random_state=1).review(texts, labels, n_next=20)
    some = found[found["why"] != "label"]
    assert some["why"].value_counts().to_dict() == {"next": 18, "random": 2}
    assert some["row"].is_unique and some["row"].min() >= 30


def test_copies_with_another_label_are_listed_however_sure_the_model_is():
    texts, labels = made(40)
    texts[3] = " ".join(texts[2].split())
    found = pte.TextClassifier(method="bow", random_state=1).review(texts, labels, n_next=0)
    assert found[found["row"] == 2]["copies"].tolist() == ["money"]
    assert copies_of([b"a  b", b"a b", b"c"], np.array([0, 1, 1])) == {0: [1], 1: [0]}


def test_doubts_are_log_odds_of_the_likeliest_other_class():
    likely = np.array([[0.7, 0.2, 0.1], [0.1, 0.5, 0.4]])
    assert doubts(likely, np.array([0, 2])) == pytest.approx(np.log([0.2 / 0.7, 0.5 / 0.4]))
    assert wavering(likely) == pytest.approx(np.log([0.2 / 0.7, 0.4 / 0.5]))


def test_kinds_part_texts_by_their_words():
    texts = [b"goal team match", b"bank rate shares"] * 20
    kinds = kinds_of(texts, 2, TOKENISERS["words"], 1)
    assert len({*kinds[::2]}) == len({*kinds[1::2]}) == 1
    assert kinds[0] != kinds[1]


def test_a_review_is_that_of_the_method_and_learns_nothing():
    texts, labels = made(40)
    model = pte.PTEAuto(dim=8, samples_limit=20_000, threads=1, random_state=1)
    found = model.review(texts, [*labels[:30], *[None] * 10], n_next=5)
    assert (found["why"] != "label").sum() == 5
    assert not hasattr(model, "classes_")


def test_several_labels_are_refused():
    with pytest.raises(pte.PteError, match="several labels"):
        pte.TextClassifier(method="bow").review(["a", "b"], [["x", "y"], ["x"]])
