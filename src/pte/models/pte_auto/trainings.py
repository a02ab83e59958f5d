"""The trainings of PTE(auto): LINE, which sees no label, and PTE(joint), which begins at LINE."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pte.corpora.encoded import TEST, EncodedCorpus
from pte.corpora.subsets import unlabelled_mates
from pte.models.pte_auto.experts import LINE_VECTORS, PTE_VECTORS
from pte.models.pte_auto.material import Vectors
from pte.networks import named
from pte.networks.sampling import EdgeSampler, NoEdges
from pte.networks.weights import auto_weights
from pte.training.contract import Task
from pte.training.edges import train_edges
from pte.training.setup import KnownWords

EDGES_OF_A_WORD = 2000
"""T of LINE is so many edges for each word of the vocabulary, up to the `samples_limit`.

Short documents need more edges for each token than long documents. With 1 % and 10 % of mr's
labels, and 1 % of R8's, vectors of about this T are within two points of the best of five T.
"""

FURTHER = 0.3
"""T of PTE(joint), which begins at the vectors of LINE, as a part of the T of LINE."""


def sees(task: Task) -> Sequence[str]:
    """Return what the experts see: "vectors", "words", "encoder", by the entry of the registry."""
    seen: Sequence[str] = task.options.get("sees", ("vectors", "words"))
    return seen


def samples(task: Task) -> tuple[int, int]:
    """Return T of PTE(joint) and T of LINE."""
    line = max(1, min(EDGES_OF_A_WORD * task.corpus.n_words, task.samples_limit))
    return max(1, round(FURTHER * line)), line


def without(corpus: EncodedCorpus, documents: NDArray[np.int64]) -> EncodedCorpus:
    """Return the corpus with some documents as test documents, so that no training sees them.

    Unlabelled documents of their groups are test documents, too.
    """
    split = np.array(corpus.split)
    split[documents] = TEST
    split[unlabelled_mates(corpus, documents)] = TEST
    return replace(corpus, split=split)


def _streams(task: Task, names: Sequence[str]) -> dict[str, EdgeSampler]:
    """Return samplers of those of the networks that have an edge in the documents that train."""
    found: dict[str, EdgeSampler] = {}
    for name in names:
        with suppress(NoEdges):
            found |= named.streams(task.corpus, [name], task.hyperparameters.window)
    if not found:
        raise NoEdges("pte_auto: no training document has a word")
    return found


def train_line(task: Task) -> NDArray[np.float32]:
    """Train word vectors on the networks without labels, by streamed edges."""
    streams = _streams(task, task.options["unlabelled"])
    return np.asarray(train_edges(streams, [(*streams,)], samples(task)[1], task.setup).vectors)


def train_pte(task: Task, line: NDArray[np.float32]) -> NDArray[np.float32]:
    """Train word vectors on the networks with labels; they begin at those of LINE.

    Weights of networks are automatic, so that few labels are not drawn too often.
    """
    streams, drawn = _streams(task, task.options["labelled"]), samples(task)[0]
    phases = [(*streams,)]
    weights = auto_weights(task.corpus, phases, [drawn])
    setup = replace(task.setup, known=KnownWords(np.arange(len(line)), line))
    return np.asarray(train_edges(streams, phases, drawn, setup, weights).vectors)


def train_both(task: Task, line: NDArray[np.float32] | None = None) -> Vectors:
    """Return word vectors of both trainings, by the experts that see them.

    PTE begins at `line`, or at a LINE that is trained before. There are no vectors if the entry of
    the registry says that experts see words alone.
    """
    if "vectors" not in sees(task):
        return {}
    line = train_line(task) if line is None else line
    return {PTE_VECTORS: train_pte(task, line), LINE_VECTORS: line}
