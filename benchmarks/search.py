"""A search of scikit-learn over PTE, as a user writes it: GridSearchCV of a pipeline.

    python -m benchmarks.search CORPUS_FOLDER …

The networks and the classifier's C are chosen by three folds of the training documents. Vectors are
made anew in each fold, without the documents that judge, and the edges are those of `SAMPLES`.
micro_f1 is on the test documents, which nothing has seen.
"""

import sys
import time
from pathlib import Path

from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

import pte
from benchmarks.common import journal
from benchmarks.libraries import texts_of
from pte.corpora.encoded import TEST, TRAIN, EncodedCorpus

SAMPLES = 20_000_000


def main(folders: list[str]) -> None:
    note = journal("search")
    for folder in folders:
        corpus = EncodedCorpus.load(Path(folder))
        (texts, labels), (unseen, answers) = texts_of(corpus, TRAIN), texts_of(corpus, TEST)
        began = time.perf_counter()
        pipeline = make_pipeline(
            pte.PTE(samples=SAMPLES, tokenizer="whitespace", random_state=1),
            LogisticRegression(max_iter=1000),
        )
        grid = {
            "pte__networks": [("wl",), ("ww", "wd", "wl")],
            "logisticregression__C": [1, 10, 100],
        }
        search = GridSearchCV(pipeline, grid, cv=3).fit(texts, labels)
        note(
            corpus=Path(folder).name,
            chosen=str(search.best_params_),
            folds_f1=100 * search.best_score_,
            micro_f1=100 * search.score(unseen, answers),
            seconds=time.perf_counter() - began,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
