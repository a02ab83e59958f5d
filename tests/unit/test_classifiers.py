"""The classifiers of `pte.models` against their formulas; tests/methods has what they share."""

import sys
from dataclasses import replace
from importlib import import_module

import jsonschema
import numpy as np
import pytest
from made import corpus_of
from scipy import sparse
from sklearn.naive_bayes import MultinomialNB

from pte.corpora.encoded import TEST, TRAIN, UNLABELLED
from pte.corpora.features import tf_idf
from pte.errors import NotInstalled, PteError
from pte.evaluation.evaluate import mean_vectors
from pte.files import save_array
from pte.models import fasttext, label_propagation, nb_em
from pte.models.controls import DocumentFeatures
from pte.models.label_propagation import Neighbours
from pte.models.nb_em import Counts, NaiveBayesChoice
from pte.models.words import Bow
from pte.training.contract import Task, fit_by


def counts_of(rows):
    return Counts.of(sparse.csr_array(np.array(rows, np.float32)), length=10.0)


@pytest.fixture
def drawn():
    """40 documents of three classes over 12 words, labelled; and 60 without a label."""
    rng = np.random.default_rng(2)
    labels = rng.integers(0, 3, 100)
    chances = rng.dirichlet(np.full(12, 0.5), 3)
    rows = np.array([rng.multinomial(8, chances[label]) for label in labels])
    return counts_of(rows[:40]), labels[:40].astype(np.int32), counts_of(rows[40:]), labels[40:]


# Naive Bayes with EM


@pytest.mark.parametrize("same_length", [False, True])
@pytest.mark.parametrize("alpha", [1.0, 0.01])
def test_without_unlabelled_documents_it_is_scikit_learns(drawn, alpha, same_length):
    known, labels, others, _ = drawn
    choice = NaiveBayesChoice(alpha, same_length)
    counts = known.chosen(choice), labels, others.chosen(choice)
    model, iterations = nb_em.fit_model(*counts, choice)
    assert iterations == 0
    reference = MultinomialNB(alpha=alpha, fit_prior=False).fit(known.chosen(choice), labels)
    np.testing.assert_allclose(model.words, reference.feature_log_prob_)
    sizes = np.bincount(labels)
    np.testing.assert_allclose(np.exp(model.priors), (sizes + 1) / (sizes.sum() + 3))


def test_a_round_of_em_is_weighted_by_what_the_model_believes(drawn, monkeypatch):
    known, labels, others, _ = drawn
    monkeypatch.setattr(nb_em, "MOST_ITERATIONS", 1)
    counts = known.plain, labels, others.plain
    model, _ = nb_em.fit_model(*counts, NaiveBayesChoice(0.5, False, 0.3))
    before, _ = nb_em.fit_model(*counts, NaiveBayesChoice(0.5, False))
    expected = np.zeros((3, 12))
    sizes = np.zeros(3)
    for row, label in zip(known.plain.toarray(), labels, strict=True):
        expected[label] += row
        sizes[label] += 1
    for row in others.plain.toarray():
        joint = np.exp(before.priors) * np.prod(np.exp(before.words) ** row, axis=1)
        for label, belief in enumerate(joint / joint.sum()):
            expected[label] += 0.3 * belief * row
            sizes[label] += 0.3 * belief
    words = (expected + 0.5) / (expected + 0.5).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(np.exp(model.words), words)
    np.testing.assert_allclose(np.exp(model.priors), (sizes + 1) / (sizes + 1).sum())


def test_em_learns_from_unlabelled_documents(drawn):
    known, labels, others, truth = drawn
    few = np.concatenate([np.flatnonzero(labels == label)[:2] for label in range(3)])

    def hits(weight):
        choice = NaiveBayesChoice(0.3, False, weight)
        model, _ = nb_em.fit_model(known.plain[few], labels[few], others.plain, choice)
        return (model.joint(others.plain).argmax(axis=1) == truth).mean()

    assert hits(1.0) > hits(0.0)


def test_lambda_is_chosen_only_where_documents_are_unlabelled(corpus):
    labels = np.array(corpus.labels)
    train = corpus.documents(TRAIN)
    labels[train] = np.where(labels[train] == UNLABELLED, 0, labels[train])
    given = fit_by(nb_em, Task(replace(corpus, labels=labels), 1)).notes
    assert given["choice"]["unlabelled_weight"] == 0
    assert {point["unlabelled_weight"] for point in given["curve"]} == {0}
    some = fit_by(nb_em, Task(corpus, 1)).notes
    assert {point["unlabelled_weight"] for point in some["curve"]} == set(nb_em.LAMBDAS)


# Label propagation


@pytest.fixture
def units():
    points = np.random.default_rng(4).random((30, 8)).astype(np.float32)
    return sparse.csr_array(points / np.linalg.norm(points, axis=1, keepdims=True))


def test_nearest_are_those_of_the_largest_products(units, monkeypatch):
    monkeypatch.setattr(label_propagation, "CHUNK_BYTES", 5000)
    products = (units @ units.T).toarray()
    near = label_propagation.nearest(units[:20], units, 4)
    others = label_propagation.nearest(units, units, 4, itself=False)
    for i in range(20):
        assert list(near.positions[i]) == list(np.argsort(-products[i])[:4])
    np.fill_diagonal(products, -1)
    for i in range(30):
        best = np.argsort(-products[i])[:4]
        assert list(others.positions[i]) == list(best)
        np.testing.assert_allclose(others.cosines[i], products[i, best], rtol=1e-5)
    two = others.matrix(2, 30).toarray()
    assert (np.argmax(two, axis=1) == others.positions[:, 0]).all()
    assert (np.count_nonzero(two, axis=1) == 2).all()
    assert label_propagation.nearest(units[:20], units[:1], 0).positions.shape == (20, 0)


def test_of_equally_near_documents_the_first_are_taken():
    """Also where fewer than k share a word with a document, or none does."""
    among = sparse.csr_array(np.array([[0, 1], [1, 0], [1, 0], [1, 0], [0, 2]], np.float32))
    asked = sparse.csr_array(np.array([[1, 0], [0, 1], [0, 0]], np.float32))
    near = label_propagation.nearest(asked, among, 4)
    assert near.positions.tolist() == [[1, 2, 3, 0], [4, 0, 1, 2], [0, 1, 2, 3]]
    assert near.cosines.tolist() == [[1, 1, 1, 0], [2, 1, 0, 0], [0, 0, 0, 0]]
    alone = label_propagation.nearest(among, among, 4, itself=False)
    assert alone.positions.tolist()[:3] == [[4, 1, 2, 3], [2, 3, 0, 4], [1, 3, 0, 4]]


def test_neighbours_are_read_as_they_were_written(corpus, tmp_path):
    found = Neighbours.of(corpus)
    n_train, n_test = corpus.documents(TRAIN).size, corpus.documents(TEST).size
    assert found.train.positions.shape == (n_train, n_train - 1)
    assert found.test.positions.shape == (n_test, n_train - 1)
    assert found.seconds > 0
    path = tmp_path / "near.npz"
    found.save(path)
    again = Neighbours.load(path)
    assert again.seconds == found.seconds
    for ours, other in ((found.train, again.train), (found.test, again.test)):
        np.testing.assert_array_equal(ours.positions, other.positions)
        np.testing.assert_array_equal(ours.cosines, other.cosines)
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(PteError, match=r"near.npz.*delete it; the next run"):
        Neighbours.load(path)


def test_label_propagation_counts_the_seconds_of_neighbours_it_is_given(corpus, tmp_path):
    path = tmp_path / "near.npz"
    replace(Neighbours.of(corpus), seconds=1000.0).save(path)
    given = label_propagation.fit(Task(corpus, 1, inputs={"neighbours": path}))
    assert given.seconds > 1000
    alone = label_propagation.fit(Task(corpus, 1))
    np.testing.assert_array_equal(given.array, alone.array)
    assert given.notes["curve"] == alone.notes["curve"]


def test_neighbours_need_words(corpus):
    empty = replace(corpus, words=[], tokens=corpus.tokens[:0], offsets=0 * corpus.offsets)
    with pytest.raises(PteError, match="the vocabulary is empty"):
        Neighbours.of(empty)


@pytest.mark.parametrize("alpha", label_propagation.ALPHAS)
def test_labels_spread_as_the_closed_form_says(units, alpha):
    near = label_propagation.nearest(units, units, 4, itself=False).matrix(4, 30)
    s = label_propagation.graph(near)
    joined = np.maximum(near.toarray(), near.toarray().T)
    roots = np.sqrt(joined.sum(axis=1))
    np.testing.assert_allclose(s.toarray(), joined / np.outer(roots, roots), rtol=1e-5)
    given = np.zeros((30, 3))
    given[np.arange(6), np.arange(6) % 3] = 1
    expected = (1 - alpha) * np.linalg.solve(np.eye(30) - alpha * s.toarray(), given)
    found = label_propagation.propagate(s, given, alpha)
    np.testing.assert_allclose(found, expected, atol=1e-3 * expected.max())


def test_a_document_without_neighbours_is_of_the_largest_class():
    believed = np.array([[0.0, 0.0], [0.2, 0.1]])
    found = label_propagation.probabilities(believed, np.array([0.4, 0.6]))
    np.testing.assert_allclose(found, [[0.4, 0.6], [2 / 3, 1 / 3]])


def test_numbers_below_zero_stay_the_least_probable():
    believed = np.array([[-0.1, 0.3, 0.0], [-0.2, -0.1, -0.3], [0.0, 0.0, 0.0]])
    found = label_propagation.probabilities(believed, np.full(3, 1 / 3))
    np.testing.assert_allclose(found, [[0, 0.8, 0.2], [1 / 3, 2 / 3, 0], [1 / 3] * 3])


# Features, packages


def test_features_may_have_unit_length_and_stand_beside_bow(corpus, tmp_path):
    vectors = np.random.default_rng(0).standard_normal((corpus.n_words, 5)).astype(np.float32)
    path = tmp_path / "vectors.npy"
    save_array(path, vectors)

    def features(**options):
        return fit_by(
            DocumentFeatures, Task(corpus, 1, options=options, inputs={"vectors": path})
        ).array

    means = mean_vectors(corpus.counts, vectors)
    np.testing.assert_array_equal(features(vectors="pte_joint"), means)
    units = features(unit_length=True)
    lengths = np.linalg.norm(means, axis=1, keepdims=True)
    np.testing.assert_allclose(units * lengths, means, rtol=1e-5, atol=1e-6)
    both = features(unit_length=True, beside_bow=True)
    assert both.dtype == np.float32
    np.testing.assert_array_equal(both[:, :5].toarray(), units)
    np.testing.assert_array_equal(both[:, 5:].toarray(), tf_idf(corpus).toarray())


def test_bow_with_pairs_has_those_of_two_training_documents_behind_the_words():
    texts = [[b"a", b"b", b"c"], [b"c", b"a", b"b"], [b"b", b"a"]]
    corpus = corpus_of([(tokens, "x") for tokens in texts], [[b"a", b"b", b"b"]])
    found = fit_by(Bow, Task(corpus, 1, options={"pairs": True})).array.toarray()
    assert found.shape == (4, corpus.n_words + 1)  # "a b" alone is in two training documents
    words = [[tokens.count(word) for word in (b"a", b"b", b"c")] for tokens in texts]
    counts = np.array([*words, [1, 2, 0]])
    order = [corpus.words.index(word) for word in (b"a", b"b", b"c")]
    pairs = np.array([1, 1, 0, 1])
    rare = np.log(4 / (1 + np.array([3, 3, 2, 2]))) + 1
    expected = np.column_stack([counts, pairs]) * rare
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(found[:, [*order, 3]], expected, rtol=1e-6)
    assert Bow.SPEC.ordered({"pairs": True}) and not Bow.SPEC.ordered({})


def test_fasttext_with_pairs_tells_classes_apart_by_the_order_of_words():
    texts = [([b"a", b"b"], "ab"), ([b"b", b"a"], "ba")] * 50
    corpus = corpus_of(texts)
    known, asked = np.arange(100), np.arange(100)
    choice = fasttext.FastTextChoice(1.0, 20)
    right = {}
    for pairs in (False, True):
        trainer = fasttext._Trainer(Task(corpus, 1, options={"pairs": pairs}))
        right[pairs] = (trainer.predict(known, asked, choice) == corpus.labels[asked]).mean()
    assert right[True] == 1
    assert right[False] == 0.5
    assert fasttext.SPEC.ordered({"pairs": True}) and not fasttext.SPEC.ordered({})


def test_what_fasttext_learnt_predicts_as_the_package_does(corpus):
    """fastText adds 1e-5 to a probability before it takes the logarithm."""
    task = Task(corpus, 1, choice=GIVEN["fasttext"])
    model, _ = fasttext._train(task)
    asked = task.asked
    found = fasttext.apply(fasttext.learn(task), {}, asked)
    names, expected = model.predict(fasttext._texts(asked, np.arange(asked.n_documents)), k=-1)
    for row, labels, numbers in zip(found, names, expected, strict=True):
        given = row[[int(label.removeprefix("__label__")) for label in labels]]
        np.testing.assert_allclose(given, numbers, atol=2e-5)


def test_fasttext_with_pairs_keeps_no_model(corpus):
    with pytest.raises(PteError, match="fasttext: with pairs it keeps no model"):
        fasttext.learn(Task(corpus, 1, options={"pairs": True}))


def test_a_package_that_is_missing_is_said(corpus, monkeypatch):
    monkeypatch.setitem(sys.modules, "fasttext", None)
    with pytest.raises(NotInstalled, match=r"^not installed: pip install fasttext-community$"):
        fasttext.fit(Task(corpus, 1))


GIVEN = {
    "nb_em": {"smoothing": 0.3, "same_length": True, "unlabelled_weight": 0.1},
    "label_propagation": {"k": 10, "alpha": 0.5},
    "fasttext": {"learning_rate": 0.5, "epochs": 5},
}


@pytest.mark.parametrize("name", GIVEN)
def test_a_choice_that_is_given_is_taken_without_a_search(corpus, name, monkeypatch):
    method = import_module(f"pte.models.{name}")
    monkeypatch.setattr(method, "folds", None)
    found = fit_by(method, Task(corpus, 1, choice=GIVEN[name]))
    assert found.notes["choice"] == GIVEN[name]
    assert found.notes["curve"] == []
    assert found.array.shape == corpus.documents(TEST).shape


@pytest.mark.parametrize("name", GIVEN)
def test_a_choice_that_is_found_is_one_that_may_be_given(corpus, name):
    method = import_module(f"pte.models.{name}")
    schema = {
        "type": "object",
        "properties": method.SPEC.choice,
        "required": list(method.SPEC.choice),
        "additionalProperties": False,
    }
    jsonschema.validate(GIVEN[name], schema)
    jsonschema.validate(fit_by(method, Task(corpus, 1)).notes["choice"], schema)


@pytest.mark.parametrize("name", ["nb_em", "label_propagation"])
def test_a_choice_that_was_found_gives_the_same_predictions(corpus, name):
    method = import_module(f"pte.models.{name}")
    searched = fit_by(method, Task(corpus, 1))
    given = fit_by(method, Task(corpus, 1, choice=searched.notes["choice"]))
    assert (given.array == searched.array).all()


def test_fasttext_is_searched_once_for_all_seeds(corpus):
    """The choice of the job is that of a fit with its seed."""
    chosen = fasttext.choose(Task(corpus, 1))
    searched = fasttext.fit(Task(corpus, 1)).notes
    assert chosen.choice == searched["choice"]
    assert list(chosen.curve) == searched["curve"]


@pytest.mark.parametrize(
    ("more", "epochs"), [(0, fasttext.EPOCHS), (1, fasttext.EPOCHS_OF_FEW)], ids=["many", "few"]
)
def test_fasttext_passes_over_few_documents_more_often(corpus, monkeypatch, more, epochs):
    labelled = int((corpus.labels[corpus.documents(TRAIN)] >= 0).sum())
    monkeypatch.setattr(fasttext, "FEW", labelled - 1 + more)
    tried = fasttext.fit(Task(corpus, 1)).notes["curve"]
    assert [point["epochs"] for point in tried] == list(epochs) * len(fasttext.RATES)


def test_larger_alphas_are_not_tried_once_they_are_worse(corpus, monkeypatch):
    monkeypatch.setattr(label_propagation, "is_worse", lambda scores, n: len(scores) == 2)
    curve = label_propagation.fit(Task(corpus, 1)).notes["curve"]
    n = corpus.documents(TRAIN).size
    possible = [k for k in label_propagation.NEIGHBOURS if k < n]
    assert [(point["k"], point["alpha"]) for point in curve] == [
        (k, alpha) for k in possible for alpha in label_propagation.ALPHAS[:2]
    ]


def test_more_neighbours_than_documents_are_an_error(corpus):
    with pytest.raises(PteError, match=r"45 training documents are too few for 50 neighbours"):
        label_propagation.fit(Task(corpus, 1, choice={"k": 50, "alpha": 0.5}))
