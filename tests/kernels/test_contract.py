"""Word and document vectors by the contract of methods: what a task asks for is what is trained."""

import json
from dataclasses import replace

import pytest
from made import corpus_of

from pte.errors import PteError
from pte.models import network_embedding, paragraph_vector, skip_gram
from pte.models.network_embedding import EqualDraws
from pte.networks.named import auto_weights, streams
from pte.training import passes
from pte.training.contract import Task
from pte.training.edges import auto_samples, train_edges
from pte.training.samples import ChosenSamples, choose_samples
from pte.training.setup import Hyperparameters

SMALL = Hyperparameters(dim=8, negatives=3, learning_rate=0.1, window=3)
JOINT = {"phases": [["ww", "wd", "wl"]]}


@pytest.fixture
def task(corpus):
    return Task(corpus, seed=3, options=JOINT, hyperparameters=SMALL, samples=500, streamed=True)


def trained(task, samples, **weights):
    networks = streams(task.corpus, ["ww", "wd", "wl"], 3)
    return train_edges(networks, JOINT["phases"], samples, task.setup, weights).vectors


def test_edges_are_streamed_or_of_the_networks_that_are_given(task, networks, tmp_path):
    streamed = network_embedding.fit(task)
    assert (streamed.array == trained(task, 500)).all()
    for name, network in networks.items():
        network.save(tmp_path / name)
    inputs = {name: tmp_path / name for name in networks}
    stored = network_embedding.fit(replace(task, streamed=False, inputs=inputs))
    expected = train_edges(networks, JOINT["phases"], 500, task.setup).vectors
    assert (stored.array == expected).all()
    assert (streamed.notes["edges"], stored.notes["edges"]) == ("streamed", "stored")
    assert streamed.samples == stored.samples == 500
    assert streamed.notes["weights"] == {} and streamed.notes["search"] is None
    json.dumps(stored.notes)


def test_weights_are_of_the_networks_that_there_are(task):
    found = network_embedding.fit(replace(task, weights={"wl": 2.0, "other": 9.0}))
    assert found.notes["weights"] == {"wl": 2.0}
    assert (found.array == trained(task, 500, wl=2.0)).all()
    automatic = network_embedding.plan_of(replace(task, weights="auto", samples=50_000))
    weights = auto_weights(task.corpus, JOINT["phases"], [50_000])
    assert automatic.weights == weights and weights["wl"] < 1


def test_the_number_of_edges_is_given_automatic_or_chosen(task):
    part = replace(task, corpus=replace(task.corpus, meta={"text_share": 0.5}))
    assert network_embedding.fit(part).samples == 250
    few = corpus_of([([b"a", b"b"], "x"), ([b"c", b"b"], "y")])
    automatic = network_embedding.fit(replace(task, corpus=few, samples="auto"))
    networks = streams(few, ["ww", "wd", "wl"], 3)
    assert automatic.samples == auto_samples(networks, JOINT["phases"])
    chosen = network_embedding.fit(replace(task, samples="chosen", samples_limit=400))
    expected = choose_samples(task.corpus, JOINT["phases"], 400, task.setup, {})
    assert chosen.samples == expected.samples
    assert chosen.notes["search"]["curve"] == expected.curve


@pytest.mark.parametrize(("networks", "samples"), [(["wl"], 200), (["ww", "wl"], 400)])
def test_equal_draws_are_as_many_of_each_network_as_in_a_joint_training(task, networks, samples):
    options = {"networks": networks, "among": ["ww", "wd", "wl"]}
    found = EqualDraws.fit(replace(task, options=options, samples=600))
    expected = network_embedding.fit(replace(task, options={"phases": [networks]}, samples=samples))
    assert found.samples == samples
    assert (found.array == expected.array).all()
    with pytest.raises(PteError, match="equal_draws: samples is auto; give a number"):
        EqualDraws.fit(replace(task, options=options, samples="auto"))


@pytest.mark.learning
def test_a_search_with_auto_weights_has_those_of_its_limit(task, monkeypatch):
    given = []

    def recording(*arguments):
        given.append(arguments[-1])
        return choose_samples(*arguments)

    monkeypatch.setattr(network_embedding, "choose_samples", recording)
    limit = 40_000  # each of the few labelled tokens would be drawn many times
    few = replace(task, samples="chosen", samples_limit=limit, weights="auto")
    network_embedding.plan_of(replace(few, streamed=True))
    assert given == [auto_weights(task.corpus, JOINT["phases"], [limit])]
    assert given[0]["wl"] < 0.2


@pytest.mark.parametrize(
    ("rises", "phases", "further", "expected"),
    [
        (True, [["ww", "wl"]], 1600, [400, 1600]),
        (False, [["ww", "wl"]], 1600, [400]),
        (True, [["ww", "wl"]], 0, [400]),
        (True, [["ww"], ["wl"]], 1600, [400]),
    ],
)
def test_a_score_that_rises_at_the_bound_is_searched_further(
    task, monkeypatch, rises, phases, further, expected
):
    limits = []

    def searched(corpus, phases, limit, setup, weights):
        limits.append(limit)
        last = 90.0 if rises else 70.0
        curve = ((limit // 4, 70.0), (limit // 2, 70.0), (limit, last))
        return ChosenSamples(limit, curve, 0.0)

    monkeypatch.setattr(network_embedding, "choose_samples", searched)
    asked = replace(task, samples="chosen", samples_limit=400, samples_further=further)
    plan = network_embedding.plan_of(replace(asked, options={"phases": phases}))
    assert limits == expected and plan.samples == expected[-1]


# Epochs


@pytest.fixture(params=["skip_gram", "paragraph_vector"])
def method(request, task):
    """A module, its task, and what it trains in so many epochs."""
    if request.param == "skip_gram":
        options = {"epochs": [1, 2, 4]}
        return skip_gram, replace(task, options=options), skip_gram.train
    options = {"epochs": [1, 2, 4], "variant": "dm"}

    def train(corpus, n, setup):
        return paragraph_vector.train(corpus, "dm", n, setup)

    return paragraph_vector, replace(task, options=options), train


def test_epochs_that_are_given_are_trained(method):
    module, task, train = method
    found = module.fit(replace(task, choice={"epochs": 2}))
    expected = train(task.corpus, 2, task.setup)
    assert found.notes == {"epochs": 2}
    assert found.samples == expected.samples
    if module is skip_gram:
        assert (found.array == expected.vectors).all()
    else:
        vectors = paragraph_vector.document_vectors(expected, task.corpus, 3)
        assert (found.array == vectors).all()


def test_epochs_that_are_not_given_are_chosen(method, monkeypatch):
    module, task, _ = method
    monkeypatch.setattr(passes, "HELD_OUT", 0.2)
    chosen, found = module.choose(task), module.fit(task)
    assert set(module.SPEC.choice) == set(chosen.choice)
    assert chosen.choice["epochs"] in task.options["epochs"]
    assert [point["epochs"] for point in chosen.curve] == [1, 2, 4][: len(chosen.curve)]
    assert found.notes["epochs"] == chosen.choice["epochs"]
    assert found.notes["search"]["curve"] == chosen.curve
    json.dumps(found.notes)
