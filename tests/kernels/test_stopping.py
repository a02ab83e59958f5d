from dataclasses import replace

import numpy as np
import pytest

from pte.corpora.encoded import TEST, TRAIN, UNLABELLED
from pte.corpora.subsets import find_labelled, judged_by
from pte.errors import PteError
from pte.models import network_embedding
from pte.training import edges
from pte.training import samples as stopping
from pte.training.contract import Task
from pte.training.edges import Watch, train_edges
from pte.training.samples import choose_samples
from pte.training.setup import Hyperparameters, Setup, Step

SMALL = Hyperparameters(dim=8, negatives=3, learning_rate=0.1)
JOINT = [("ww", "wd", "wl")]
PRETRAIN = [("ww", "wd"), ("wl",)]
LIMIT, SEED = 1000, 1


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    """Blocks of ten edges: the search looks at its vectors between blocks."""
    monkeypatch.setattr(edges, "BLOCK", 10)


@pytest.fixture
def seen(monkeypatch):
    """Every T, in edges of the search, with the vectors that were looked at."""
    looks = []

    def recording(*args):
        *others, watch = args

        def look(drawn, vectors):
            looks.append((drawn, vectors.copy()))
            return watch.look(drawn, vectors)

        return train_edges(*others, Watch(look, watch.every))

    monkeypatch.setattr(stopping, "train_edges", recording)
    return looks


@pytest.fixture
def scores(monkeypatch):
    """Scores for the checkpoints to come, in place of a classifier's; the last one stays."""
    given = [50.0]
    monkeypatch.setattr(
        stopping._Judgement, "score", lambda *_: given.pop(0) if len(given) > 1 else given[0]
    )
    return given


def search(corpus, phases=JOINT, limit=LIMIT, seed=SEED):
    return choose_samples(corpus, phases, limit, Setup(seed, SMALL))


def with_labels(corpus, documents, change):
    """A copy in which the labels of some documents are changed."""
    labels = np.array(corpus.labels)
    labels[documents] = change(labels[documents])
    return replace(corpus, labels=labels)


# What the search sees


def test_one_seed_gives_one_choice(corpus):
    one, two = search(corpus), search(corpus)
    assert (one.samples, one.curve) == (two.samples, two.curve)
    assert one.samples in [samples for samples, _ in one.curve]
    assert all(samples <= LIMIT for samples, _ in one.curve)
    assert all(0 <= score <= 100 for _, score in one.curve)


def test_labels_of_held_out_documents_do_not_train(corpus, monkeypatch, seen):
    held = find_labelled(corpus)[::4]
    kept = np.setdiff1d(find_labelled(corpus), held)
    monkeypatch.setattr(stopping, "_best", lambda curve: len(curve) - 1)  # do not stop early
    monkeypatch.setattr(stopping, "held_out", lambda corpus, *_: judged_by(corpus, held))

    def vectors(changed):
        seen.clear()
        curve = search(changed).curve
        return np.array([vectors for _, vectors in seen]), curve

    honest, curve = vectors(corpus)
    scrambled, others = vectors(with_labels(corpus, held, lambda y: (y + 1) % corpus.n_classes))
    assert scrambled.tobytes() == honest.tobytes()
    assert others != curve  # they do judge
    without, _ = vectors(with_labels(corpus, kept, lambda y: y[::-1]))
    assert without.tobytes() != honest.tobytes()


def test_held_out_documents_are_no_text(corpus, monkeypatch):
    trained_on = []
    monkeypatch.setattr(
        stopping,
        "train_edges",
        lambda networks, *rest: trained_on.append(networks) or train_edges(networks, *rest),
    )
    search(corpus)
    (networks,) = trained_on
    text = np.diff(corpus.offsets)[corpus.split == TRAIN].sum()
    # A fifth of 36 labelled documents, of 12 words but for one that is empty.
    assert text - networks["wd"].n_edges in (12 * 6, 12 * 7)
    assert 12 * 35 - networks["wl"].n_edges == text - networks["wd"].n_edges


def test_test_labels_do_not_matter(corpus):
    blind = with_labels(corpus, corpus.documents(TEST), lambda y: np.full_like(y, UNLABELLED))
    assert search(blind).curve == search(corpus).curve


# When it looks, and when it stops


def test_a_checkpoint_speaks_for_the_training_with_the_same_sum_of_rates(corpus, seen, scores):
    limit = 2000
    curve = dict(search(corpus, limit=limit).curve)
    rate = 1 - np.arange(limit) / limit
    for drawn, _ in seen:
        samples = round(drawn * (2 - drawn / limit))
        finished = 1 - np.arange(samples) / samples
        assert rate[:drawn].sum() == pytest.approx(finished.sum(), abs=1)
        curve.pop(samples, None)
    assert not curve


@pytest.mark.parametrize(
    ("curve", "best"),
    [
        ([50], 0),
        ([50, 60], 1),
        ([50, 60, 70, 60, 50], 2),
        ([50, 60, 70, 70.01, 70.02, 70.03], 3),  # hardly anything is gained past it
        ([50, 60, 61, 80, 59, 62, 70, 70, 70, 60], 7),  # an outlier is no peak
    ],
)
def test_the_best_is_the_first_that_is_nearly_at_the_top(curve, best):
    assert stopping._best([(0, score) for score in curve]) == best


def test_the_search_ends_past_the_peak(corpus, seen, scores):
    scores[:] = [50, 60, 70, 60, 50, 50, 50, 50, 50, 90]
    found = search(corpus, limit=10_000)
    assert [score for _, score in found.curve] == [50, 60, 70, 60, 50, 50, 50]
    assert found.samples == found.curve[2][0]
    assert seen[-1][0] < 1000


def test_a_score_that_is_worse_by_chance_does_not_end_the_search(corpus, seen, scores):
    scores[:] = [50, 60, 70, 65, 64, 63, 62, 61, 60, 59]  # seven judge: 70 is within 17 of these
    found = search(corpus, limit=10_000)
    assert seen[-1][0] == 10_000 and len(found.curve) > 10


def test_the_search_goes_on_while_scores_rise(corpus, seen, scores):
    scores[:] = np.arange(100.0).tolist()
    found = search(corpus)
    assert found.samples == seen[-1][0] == LIMIT


def test_the_curve_is_that_of_the_last_phase(corpus, seen, scores):
    given = [50.0, 60.0, 70.0, 60.0, 50.0]
    scores[:] = given
    joint, drawn = search(corpus), seen[-1][0]
    scores[:] = given
    pretrained = search(corpus, PRETRAIN)
    assert pretrained.curve == joint.curve
    assert seen[-1][0] == LIMIT + drawn


def test_a_phase_may_draw_a_few_edges_more_than_the_limit(corpus, seen, scores):
    search(corpus, PRETRAIN, limit=LIMIT - 1)
    grouped = replace(SMALL, step=Step.of("grouped"))
    choose_samples(corpus, PRETRAIN, LIMIT + 1, Setup(SEED, grouped))
    assert seen[-1][0] > 2 * (LIMIT + 1)


def test_what_can_be_chosen_has_enough_that_judge(corpus, monkeypatch):
    assert stopping.can_choose(corpus, SEED)
    train = find_labelled(corpus)
    few = with_labels(corpus, train[25:], lambda y: np.full_like(y, UNLABELLED))
    of_classes = replace(corpus, groups=np.array(corpus.labels))
    for unable in (few, of_classes):
        assert not stopping.can_choose(unable, SEED)
        with pytest.raises(PteError, match=r"too few to hold|classes are in one group alone"):
            search(unable)
    monkeypatch.setattr(stopping, "MOST_DOCUMENTS", 5)  # fewer than two for each class
    assert not stopping.can_choose(corpus, SEED)


def test_the_classifier_of_a_search_learns_every_class(corpus, monkeypatch):
    monkeypatch.setattr(stopping, "MOST_DOCUMENTS", 3)
    labels = np.array(corpus.labels)
    some = find_labelled(corpus)
    labels[some], labels[some[5]] = 0, 2
    judged = stopping._Judgement(replace(corpus, labels=labels), SEED)
    assert set(judged._targets[0]) == {0, 2}


def test_a_search_of_a_few_edges_chooses_no_more_than_its_limit(corpus):
    grouped = Setup(SEED, replace(SMALL, step=Step.of("grouped")))
    for limit in (1, 3, 9):
        assert 1 <= choose_samples(corpus, JOINT, limit, grouped).samples <= limit


def test_earlier_phases_keep_the_edges_that_they_had_in_the_search(corpus, scores):
    scores[:] = given = [50.0, 60.0, 70.0, 60.0, 50.0]
    joint = search(corpus).samples
    scores[:] = given
    assert search(corpus, PRETRAIN).samples == [LIMIT, joint]
    phases = {"phases": PRETRAIN}
    shape = replace(SMALL, learning_rate=0.025)
    task = Task(corpus, SEED, options=phases, hyperparameters=shape, streamed=True)
    fitted = network_embedding.fit(replace(task, choice={"samples": [LIMIT, joint]}))
    assert fitted.samples == LIMIT + joint
    equal = [
        network_embedding.fit(replace(task, choice={"samples": samples})).array.tobytes()
        for samples in (joint, [joint, joint])
    ]
    assert equal[0] == equal[1] != fitted.array.tobytes()
    with pytest.raises(PteError, match="there are 2 phases"):
        network_embedding.fit(replace(task, choice={"samples": [joint]}))
