"""Pictures: maps of documents that show each, and the networks of a few documents."""

import numpy as np
import pytest
from made import corpus_of
from matplotlib.colors import rgb_to_hsv
from sklearn.preprocessing import normalize

from pte.corpora.encoded import TRAIN
from pte.errors import PteError
from pte.evaluation.evaluate import mean_vectors
from pte.evaluation.maps import layout, right_in_training, separation
from pte.networks import named
from pte_study.configuration.config import Picture
from pte_study.report.pictures import (
    choose_documents,
    class_colours,
    edges_of,
    plot_maps,
    plot_network,
    short_names,
)

CLASSES = ("a", "b", "c")


@pytest.fixture
def groups():
    """150 documents of three classes around three directions, and their classes."""
    random = np.random.default_rng(0)
    labels = np.repeat(np.arange(3, dtype=np.int32), 50)
    return (np.eye(8)[labels] + 0.1 * random.random((150, 8))).astype(np.float32), labels


def test_neighbours_on_the_map_are_of_one_class(groups):
    features, labels = groups
    places = layout(features, 1)
    assert places.shape == (150, 2)
    assert places.dtype == np.float32
    distances = np.linalg.norm(places[:, None] - places[None], axis=2)
    np.fill_diagonal(distances, np.inf)
    assert (labels[distances.argmin(axis=1)] == labels).mean() > 0.95
    assert (layout(features, 1) == places).all()


def test_separation_is_high_for_groups_and_low_for_noise(groups):
    features, labels = groups
    noise = np.random.default_rng(1).standard_normal(features.shape).astype(np.float32)
    apart = separation(features[::2], labels[::2], features[1::2], labels[1::2], 0)
    mixed = separation(noise[::2], labels[::2], noise[1::2], labels[1::2], 0)
    assert apart.neighbours_f1 == 100
    assert apart.silhouette > 0.8
    assert mixed.neighbours_f1 < 60
    assert abs(mixed.silhouette) < 0.1


def test_training_documents_are_asked_of_other_training_documents(corpus):
    vectors = np.random.default_rng(3).random((corpus.n_words, 5)).astype(np.float32)
    found = right_in_training(corpus, vectors)
    known = np.flatnonzero((corpus.split == TRAIN) & (np.asarray(corpus.labels) >= 0))
    asked = known[[round(i * (len(known) - 1) / 23) for i in range(24)]]
    rows = normalize(mean_vectors(corpus.counts, vectors))
    right = []
    for document in asked:
        others = [i for i in known if i != document]
        near = sorted(others, key=lambda i: -(rows[i] @ rows[document]))[:10]
        of_class = [sum(corpus.labels[i] == c for i in near) for c in range(len(corpus.classes))]
        right.append(of_class.index(max(of_class)) == corpus.labels[document])
    assert found.tolist() == right
    assert 0 < sum(right) < 24


def test_too_few_documents_are_an_error(groups):
    with pytest.raises(PteError, match="map: 20 documents are too few"):
        layout(groups[0][:20], 1)


def test_every_document_is_drawn_once_with_the_colour_of_its_class(groups, tmp_path, drawn):
    features, labels = groups
    split = np.tile([0, 1], 75).astype(np.uint8)
    labels = np.where(np.arange(150) % 10 == 4, -1, labels).astype(np.int32)
    plot_maps({"x": features[:, :2], "y": features[:, 1:3]}, labels, split, CLASSES, tmp_path / "m")
    axes = drawn[0].axes
    assert [each.get_title(loc="left") for each in axes] == [
        "x, training documents",
        "y, training documents",
        "x, test documents",
        "y, test documents",
    ]
    for each, part, columns in zip(axes, (0, 0, 1, 1), (slice(0, 2), slice(1, 3)) * 2, strict=True):
        (points,) = each.collections
        shown = (split == part) & (labels >= 0)
        np.testing.assert_allclose(points.get_offsets(), features[shown, columns])
        colours = points.get_facecolors()[:, :3]
        np.testing.assert_allclose(colours, class_colours(CLASSES)[labels[shown], :3])
        assert [text.get_text() for text in each.texts] == list(CLASSES)
        for text, label in zip(each.texts, range(3), strict=True):
            median = np.median(features[shown & (labels == label), columns], axis=0)
            np.testing.assert_allclose(text.get_position(), median)


def covered(boxes):
    """The pairs of boxes of which one covers a part of the other."""
    return [
        (i, j)
        for i, a in enumerate(boxes)
        for j, b in enumerate(boxes[:i])
        if min(a[2], b[2]) > max(a[0], b[0]) and min(a[3], b[3]) > max(a[1], b[1])
    ]


def test_names_on_maps_of_twenty_classes_can_be_read_on_a_phone(tmp_path, drawn):
    random = np.random.default_rng(5)
    names = [f"group.rather_long{i}" for i in range(20)]
    labels = np.arange(400, dtype=np.int32) % 20
    places = {name: random.standard_normal((400, 2)).astype(np.float32) for name in "xy"}
    plot_maps(places, labels, (np.arange(400) % 3 == 0).astype(np.uint8), names, tmp_path / "m")
    (figure,) = drawn
    for axes in figure.axes:
        boxes = [text.get_window_extent().extents for text in axes.texts]
        assert covered(boxes) == []
        for text in axes.texts:
            assert 380 / (72 * figure.get_figwidth()) * text.get_fontsize() >= 8


def test_classes_whose_names_begin_alike_have_one_hue_and_short_names():
    autos, cycles, atheism = class_colours(["rec.autos", "rec.motorcycles", "alt.atheism"])
    hues = [rgb_to_hsv(colour[:3])[0] for colour in (autos, cycles, atheism)]
    assert hues[0] == pytest.approx(hues[1], abs=0.01) and abs(hues[2] - hues[0]) > 0.1
    assert (autos != cycles).any()

    names = ["comp.ibm.hardware", "comp.mac.hardware", "rec.autos", "a", "b.a"]
    assert short_names(names) == ["ibm.hardware", "mac.hardware", "autos", "a", "b.a"]


# The picture of a small network: which documents, which edges, and that all are drawn

TEXTS = [
    ([b"a", b"b", b"c", b"d"], "x"),
    ([b"a", b"b", b"e", b"f", b"b"], "x"),
    ([b"a", b"g", b"h", b"i"], "y"),
    ([b"a", b"b", b"h", b"i"], "y"),
    ([b"j", b"k", b"l", b"m"], "y"),
    ([b"a"] * 30, "x"),
]


def chosen(corpus, documents, seed):
    return choose_documents(corpus, Picture("c", documents, (4, 8), seed))


@pytest.fixture
def few():
    return corpus_of(TEXTS)


def test_the_document_that_is_chosen_is_among_them():
    """Also where another one holds all of its words."""
    texts = [(list("abcde"), "x"), (list("abcdf"), "z"), (list("abcd"), "y")]
    corpus = corpus_of([([bytes(letter, "ascii") for letter in text], c) for text, c in texts])
    for seed in range(10):
        own, other = chosen(corpus, 1, seed)
        assert own == np.random.default_rng(seed).choice(3)
        assert other != own


def test_a_picture_needs_short_documents_of_two_classes(few):
    with pytest.raises(PteError, match="no two classes have 3 short documents"):
        chosen(few, 3, 1)
    with pytest.raises(PteError, match="no labelled document has"):
        chosen(corpus_of([([b"a"], "x"), ([b"b"], "y")]), 1, 1)


def test_edges_are_those_of_the_networks():
    """Of all documents, the weights of the networks that are trained on."""
    texts = [*TEXTS[2:5], ([b"b", b"e", b"f", b"g", b"b"], "x")]
    corpus = corpus_of(texts)
    everything = np.arange(len(texts))
    ww, wd, wl = edges_of(corpus, everything, 3)
    for edges, network in (
        (wd, named.build("wd", corpus, None)),
        (wl, named.build("wl", corpus, None)),
    ):
        found = np.zeros((network.n_targets, network.n_sources))
        for (word, other), weight in edges.items():
            found[word, other] = weight
        expected = np.zeros_like(found)
        np.add.at(expected, (network.target, network.source), network.weight)
        np.testing.assert_array_equal(found, expected)
    both = named.build("ww", corpus, 3)
    assert 2 * sum(ww.values()) == both.total
    assert 2 * len(ww) == both.n_edges


def test_every_word_edge_document_and_label_is_drawn(few, tmp_path, drawn):
    documents = np.array([0, 1, 2, 3])
    plot_network(few, documents, 3, tmp_path / "x")
    ww, wd, wl = edges_of(few, documents, 3)
    texts = [{text.get_text() for text in axes.texts} for axes in drawn[0].axes]
    words = set("abcdefghi")
    assert texts[0] == set()  # the names of the next panel serve both
    assert texts[1] == words | {f"document {i}" for i in (1, 2, 3, 4)}
    assert texts[2] == words | {"x", "y"}
    counts = [len(axes.lines) for axes in drawn[0].axes]
    assert counts == [len(ww) + 9, len(wd) + 9 + 4, len(wl) + 9 + 2]
    left = drawn[0].axes[0].get_xlim()[0]
    assert all(np.min(line.get_xdata()) > left for line in drawn[0].axes[0].lines)
