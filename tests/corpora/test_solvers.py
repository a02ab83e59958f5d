"""Newton's method beside LIBLINEAR on a real corpus, with vectors that PTE(joint) trained."""

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml

from pte.corpora.encode_entry import encode_entry, read_entry
from pte.corpora.encoded import TEST
from pte.corpora.entry import Archive, CorpusEntry
from pte.corpora.subsets import labelled_documents
from pte.evaluation import liblinear, newton
from pte.evaluation.evaluate import mean_vectors
from pte.networks import named
from pte.training.edges import train_edges
from pte.training.setup import JOINT, Setup
from pte_study.fetch import fetch

MIRROR = os.environ.get("PTE_MIRROR")
REGISTRY = Path(__file__).parents[2] / "workflow" / "registry"
ENTRIES = yaml.safe_load((REGISTRY / "corpora.yaml").read_text("utf-8"))

pytestmark = pytest.mark.skipif(not MIRROR, reason="PTE_MIRROR names no mirror of the corpora")


def encoded(name, folder):
    entry = CorpusEntry.from_mapping(ENTRIES["corpora"][name])
    paths = {}
    for role, archive in entry.roles().items():
        known = Archive.from_mapping(ENTRIES["archives"][archive])
        paths[role] = folder / known.file
        fetch(replace(known, urls=(), package=None), paths[role], Path(MIRROR))
    return encode_entry(read_entry(paths, entry), entry)


def objective(classifier, features, labels):
    """That of all columns, at C = 1."""
    columns = classifier.classes[: classifier.weights.shape[1]]
    signs = np.where(labels[:, None] == columns, 1, -1)
    margins = signs * (features.astype(np.float64) @ classifier.weights)
    return newton.objective(classifier.weights, margins, 1.0).sum()


def test_both_solvers_find_one_minimum_and_hit_alike(tmp_path):
    corpus = encoded("mr", tmp_path)
    trained = train_edges(named.streams(corpus, JOINT, 5), [JOINT], 300_000, Setup(1))
    features = mean_vectors(corpus.counts, trained.vectors)
    known, asked = labelled_documents(corpus, "test"), corpus.documents(TEST)
    given = features[known], np.asarray(corpus.labels[known]), 1.0
    ours, exact = newton.fit(*given), liblinear.fit(*given, tolerance=1e-4)
    found, expected = (objective(each, *given[:2]) for each in (ours, exact))
    assert found == pytest.approx(expected, rel=5e-6)
    truth = corpus.labels[asked]
    hits = [int((each.predict(features[asked]) == truth).sum()) for each in (ours, exact)]
    assert abs(hits[0] - hits[1]) <= max(1, 3e-4 * asked.size)
