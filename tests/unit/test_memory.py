"""Large steps ask for their memory before they begin."""

from dataclasses import replace

import numpy as np
import pytest
from made import corpus_of

from pte import machine
from pte.corpora.features import tf_idf
from pte.errors import PteError
from pte.evaluation import evaluate, liblinear, newton
from pte.evaluation.evaluate import document_means, mean_vectors
from pte.models import label_propagation
from pte.models.label_propagation import Neighbours


@pytest.fixture
def corpus():
    texts = [b"a b a c", b"b c", b"", b"d a d", b"c", b"a b b"]
    return corpus_of([(text.split(), "xy"[i % 2]) for i, text in enumerate(texts)], [[b"a", b"d"]])


@pytest.mark.parametrize("use", [tf_idf, Neighbours.of])
def test_a_step_refuses_before_it_begins(corpus, monkeypatch, use):
    use(corpus)
    fresh = replace(corpus)
    monkeypatch.setattr(machine, "free_bytes", lambda: 100)
    with pytest.raises(PteError, match=r"need about 0\.0 GB of memory, and 0\.0 GB are free"):
        use(fresh)
    assert "counts" not in vars(fresh)  # nothing large was made


@pytest.mark.parametrize("block", [1, 2, 3, 100])
def test_means_of_blocks_are_those_of_the_whole(corpus, monkeypatch, block):
    vectors = np.random.default_rng(1).standard_normal((corpus.n_words, 5)).astype(np.float32)
    monkeypatch.setattr(evaluate, "BLOCK", block)
    found = document_means(corpus, vectors)
    assert found.dtype == np.float32
    assert np.array_equal(found, mean_vectors(corpus.counts, vectors))
    assert "counts" not in vars(replace(corpus))


def test_means_of_vectors_that_are_not_finite_are_an_error(corpus):
    with pytest.raises(PteError, match="NaN or infinity"):
        document_means(corpus, np.full((corpus.n_words, 2), np.nan, np.float32))


def test_neighbours_that_take_too_long_are_refused_with_the_arithmetic(
    corpus, monkeypatch, tmp_path
):
    monkeypatch.setattr(label_propagation, "MOST_SECONDS", 1e-12)
    with pytest.raises(PteError, match=r"documents, each beside .* pairs at 1e\+08 a second") as no:
        Neighbours.of(corpus)
    label_propagation.write_refusal(tmp_path / "no.npz", str(no.value))
    with pytest.raises(PteError, match=r"pairs at .*; to try again, delete .*no\.npz"):
        Neighbours.load(tmp_path / "no.npz")


@pytest.mark.parametrize("memory_of_chunk", [1, 100, 10**6])
def test_neighbours_do_not_depend_on_the_chunk(corpus, monkeypatch, memory_of_chunk):
    whole = Neighbours.of(corpus)
    monkeypatch.setattr(label_propagation, "CHUNK_BYTES", memory_of_chunk)
    found = Neighbours.of(corpus)
    for part in ("train", "test"):
        for name, array in vars(getattr(whole, part)).items():
            assert np.array_equal(array, getattr(getattr(found, part), name))


@pytest.mark.parametrize("module", [liblinear, newton])
def test_a_classifier_of_too_many_classes_is_refused_with_the_arithmetic(monkeypatch, module):
    features, labels = np.eye(6, dtype=np.float32), np.arange(6, dtype=np.int32) % 3
    said = r"3 classes × 6 features × 8 bytes × 3 copies need about .* leave this method out"
    module.fit(features, labels, 1.0), module.fit_each(features, labels[:, None] == range(3), 1.0)
    monkeypatch.setattr(machine, "free_bytes", lambda: 431)
    for fit, targets in ((module.fit, labels), (module.fit_each, labels[:, None] == range(3))):
        with pytest.raises(PteError, match=said):
            fit(features, targets, 1.0)
    monkeypatch.setattr(machine, "free_bytes", lambda: 432)
    module.fit(features, labels, 1.0)
