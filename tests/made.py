"""What several tests are made of: small inputs of kernels and readers, and the configuration."""

import io
import shutil
import tarfile
import zipfile
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numba import njit

from pte.core import arrays, rng, vector
from pte.corpora.document import Document
from pte.corpora.encode import encode
from pte.corpora.encoded import TEST, TRAIN
from pte.corpora.tokenise import whitespace
from pte.evaluation.evaluate import evaluate, mean_vectors
from pte.evaluation.setting import ClassifierChoice

NEEDS_GIT = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
ONE_SEED = (
    *("pte_joint_bow", "pte_joint_shuffled", "pte_auto", "skip_gram", "pvdbow", "cnn_pretrain"),
    "fasttext",
)
"""Rows of one seed in the table of the tiny workflow; the others that need a seed have two."""


def configured():
    """What config.yaml holds, with the seeds 1 to 5."""
    from pte_study.configuration.registry import read

    return read(Path(__file__).parents[1] / "config.yaml") | {"seeds": [1, 2, 3, 4, 5]}


def normal_table(rows, dim, seed):
    """An aligned table of standard normal numbers in its first `dim` columns."""
    table = arrays.zeros(rows, dim)
    table[:, :dim] = np.random.default_rng(seed).standard_normal((rows, dim))
    return table


@cache  # it is compiled anew for each number of slots
def compiled(name):
    """An operation of `pte.core.vector` where the interpreter can call it."""
    operation = getattr(vector, name)

    @njit
    def run(*given):
        operation(*given)

    return run


def drawn(bits, table):
    """The index of an alias table that 64 random bits select."""
    return rng.owner(table, *rng.cell(bits, table.shape[0]))


def laid_out(documents):
    """Tokens with one that belongs to no document between any two, and where documents lie."""
    tokens, bounds = [0], []
    for document in documents:
        bounds.append((len(tokens), len(tokens) + len(document)))
        tokens += [*document, 0]
    return np.array(tokens, np.int32), np.array(bounds, np.int64).reshape(-1, 2)


def stream_of(documents):
    """The same as tokens, starts and lengths."""
    tokens, bounds = laid_out(documents)
    return tokens, bounds[:, 0].copy(), np.diff(bounds)[:, 0].astype(np.int32)


def corpus_of(training, held_out=()):
    """Of lists of tokens, the training ones with a label, a tuple of labels, or None."""
    documents = []
    for tokens, label in training:
        first, *more = label if isinstance(label, tuple) else [label]
        documents.append(Document(b" ".join(tokens), first, TRAIN, tuple(more)))
    documents += [Document(b" ".join(tokens), "x", TEST) for tokens in held_out]
    return encode(documents, whitespace)


def score_of(corpus, vectors):
    """The micro-F1 of a classifier on means of these vectors of words."""
    return evaluate(corpus, mean_vectors(corpus.counts, vectors), ClassifierChoice())[1]["micro_f1"]


def tarred(members, compressed="gz"):
    """An archive with files of these names and contents."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode=f"w:{compressed}") as archive:
        for name, content in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return packed.getvalue()


def zipped(members, method=zipfile.ZIP_STORED):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()


def npy(array):
    """What numpy writes for an array."""
    packed = io.BytesIO()
    np.save(packed, array)
    return packed.getvalue()


def tar_of(path, members, compressed="gz"):
    path.write_bytes(tarred(members, compressed))
    return path


def zip_of(path, members):
    path.write_bytes(zipped(members))
    return path
