"""Features of documents from the word vectors of another method."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pte.corpora.encoded import EncodedCorpus
from pte.corpora.tfidf import tf_idf, unit_rows
from pte.evaluation.documents import document_means
from pte.files import load_array
from pte.training.contract import Cost, Fitted, Spec, Task

SPEC = Spec(
    yields="features",
    options={
        "vectors": {"type": "string"},
        "unit_length": {"type": "boolean"},
        "beside_bow": {"type": "boolean"},
    },
    required=("vectors",),
    needs=lambda options: {"vectors": options["vectors"]},
    # Published scores without TF-IDF took as long as the score of the vectors themselves.
    cost=lambda options: Cost(6, 24) if options.get("beside_bow") else Cost(5, 3),
)


def fit(task: Task) -> Fitted:
    """Return `document_features` of the word vectors in the file `vectors`, shape (words, dim)."""
    options = {name: task.options.get(name, False) for name in ("unit_length", "beside_bow")}
    return Fitted(
        document_features(task.corpus, load_array(Path(task.inputs["vectors"])), **options)
    )


def document_features(
    corpus: EncodedCorpus,
    word_vectors: NDArray[np.float32],
    *,
    unit_length: bool = False,
    beside_bow: bool = False,
) -> NDArray[np.float32] | sparse.csr_array:
    """Return the mean word vector of each document, float32, shape (documents, dim).

    With `unit_length` the means are L2-normalised. With `beside_bow` columns of TF-IDF, which is
    always L2-normalised, follow the means; the result is then sparse, shape (documents, dim +
    words). Raises `PteError` when a vector holds NaN or infinity.
    """
    means = document_means(corpus, word_vectors)
    if unit_length:
        means = unit_rows(means)
    if not beside_bow:
        return means
    return sparse.csr_array(sparse.hstack([sparse.csr_array(means), tf_idf(corpus)]))
