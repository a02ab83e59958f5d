"""Features of documents from the word vectors of another method."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pte.array_file import ArrayFile
from pte.corpora.encoded import EncodedCorpus
from pte.corpora.tfidf import tf_idf, unit_rows, word_rarity
from pte.evaluation.evaluate import document_means
from pte.files import load_array
from pte.training.contract import Cost, Learnt, Options, Spec, Task

SPEC = Spec(
    yields="features",
    options={
        "vectors": {"type": "string"},
        "unit_length": {"type": "boolean"},
        "beside_bow": {"type": "boolean"},
    },
    required=("vectors",),
    needs=lambda options: {"vectors": options["vectors"]},
    cost=lambda options: Cost(0.3, 20) if options.get("beside_bow") else Cost(0.1, 1),
)


def learn(task: Task) -> Learnt:
    """Keep the word vectors of the file `vectors`, and the `rarity` of words if TF-IDF needs it.

    The arrays are `word_vectors`, float32, shape (words, dim), and `rarity`, float32.
    """
    arrays = {"word_vectors": load_array(Path(task.inputs["vectors"]))}
    if task.options.get("beside_bow"):
        arrays["rarity"] = word_rarity(task.corpus)
    return Learnt(arrays, {"choice": {}, "notes": {}})


def apply(
    learnt: Learnt, options: Options, corpus: EncodedCorpus
) -> NDArray[np.float32] | sparse.csr_array:
    """Return the mean word vector of each document, float32, shape (documents, dim).

    With `unit_length` the means are L2-normalised. With `beside_bow` columns of TF-IDF, which is
    always L2-normalised, follow the means; the result is then sparse, shape (documents, dim +
    words). Raises `PteError` when a vector holds NaN or infinity.
    """
    means = document_means(corpus, learnt.arrays["word_vectors"])
    if options.get("unit_length"):
        means = unit_rows(means)
    if not options.get("beside_bow"):
        return means
    words = tf_idf(corpus, learnt.arrays["rarity"])
    return sparse.csr_array(sparse.hstack([sparse.csr_array(means), words]))


def check(kept: ArrayFile, options: Options) -> int:
    """Check the arrays that `learn` gives; return the number of columns. Raises `PteError`."""
    dim = kept.array("word_vectors", "float32", "words", "dim").shape[1]
    if not options.get("beside_bow"):
        return int(dim)
    return int(dim) + kept.array("rarity", "float32", "words").size
