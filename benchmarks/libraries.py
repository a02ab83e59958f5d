"""This package beside gensim and fastText, each through its own public interface.

    python -m benchmarks.libraries CORPUS_FOLDER …

Each function below is what a user writes to get predictions from texts and labels, so its lines
are the lines of code. Same settings: dimension 100, window 5, five negatives, twenty epochs, every
word, no subsampling, two threads, and scikit-learn's logistic regression where the library has no
classifier. What a library does not offer as a setting keeps its default: gensim's FastText has two
million buckets. Seconds are those of a whole function by the clock, and of the processor; the first
round compiles and is not counted. micro_f1 is on the test part, a mean over the rounds, of which
each has its own seed.
"""

import ast
import inspect
import statistics
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score

import pte
from benchmarks.common import interleaved, journal
from benchmarks.trainings import now
from pte.corpora.encoded import TEST, TRAIN, EncodedCorpus

ROUNDS = 3

Texts = Sequence[str]
Labels = Sequence[str]


class Result(NamedTuple):
    """One call: micro-F1 in percent, seconds by the clock and of the processor."""

    micro_f1: float
    seconds: float
    worked: float


def gensim_word2vec(train: Texts, labels: Labels, test: Texts, seed: int) -> Any:
    from gensim.models import Word2Vec

    sentences = [text.split() for text in train]
    model = Word2Vec(sentences, sg=1, sample=0, min_count=1, epochs=20, workers=2, seed=seed)

    def means(texts: Texts) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), model.vector_size), np.float32)
        for i, text in enumerate(texts):
            known = [word for word in text.split() if word in model.wv]
            if known:
                vectors[i] = model.wv[known].mean(axis=0)
        return vectors

    classifier = LogisticRegression(max_iter=1000).fit(means(train), labels)
    return classifier.predict(means(test))


def gensim_doc2vec(train: Texts, labels: Labels, test: Texts, seed: int) -> Any:
    from gensim.models.doc2vec import Doc2Vec, TaggedDocument

    tagged = [TaggedDocument(text.split(), [i]) for i, text in enumerate(train)]
    settings = {"dm": 0, "sample": 0, "min_count": 1, "epochs": 20, "workers": 2, "seed": seed}
    model = Doc2Vec(tagged, **settings)
    learnt = [model.dv[i] for i in range(len(train))]
    classifier = LogisticRegression(max_iter=1000).fit(learnt, labels)
    return classifier.predict([model.infer_vector(text.split()) for text in test])


def pte_classifier(train: Texts, labels: Labels, test: Texts, seed: int) -> Any:
    model = pte.PTEClassifier(tokenizer="whitespace", threads=2, random_state=seed)
    return model.fit(train, labels).predict(test)


def pte_auto(train: Texts, labels: Labels, test: Texts, seed: int) -> Any:
    model = pte.PTEAuto(tokenizer="whitespace", threads=2, random_state=seed)
    return model.fit(train, labels).predict(test)


def gensim_fasttext(train: Texts, labels: Labels, test: Texts, seed: int) -> Any:
    from gensim.models import FastText

    sentences = [text.split() for text in train]
    model = FastText(sentences, sg=1, sample=0, min_count=1, epochs=20, workers=2, seed=seed)

    def means(texts: Texts) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), model.vector_size), np.float32)
        for i, text in enumerate(texts):
            if words := text.split():
                vectors[i] = model.wv[words].mean(axis=0)
        return vectors

    classifier = LogisticRegression(max_iter=1000).fit(means(train), labels)
    return classifier.predict(means(test))


def fasttext_classifier(train: Texts, labels: Labels, test: Texts, seed: int) -> Any:
    import fasttext

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "train.txt"
        lines = (f"__label__{label} {text}\n" for label, text in zip(labels, train, strict=True))
        path.write_text("".join(lines), "utf-8")
        settings = {"dim": 100, "epoch": 20, "thread": 2, "seed": seed, "verbose": 0}
        model = fasttext.train_supervised(str(path), **settings)
    predicted, _ = model.predict([text or " " for text in test])
    return [label[0].removeprefix("__label__") for label in predicted]


LIBRARIES: dict[str, Callable[..., Any]] = {
    "gensim Word2Vec": gensim_word2vec,
    "gensim FastText": gensim_fasttext,
    "gensim Doc2Vec": gensim_doc2vec,
    "pte.PTEClassifier": pte_classifier,
    "pte.PTEAuto": pte_auto,
    "fasttext": fasttext_classifier,
}


def main(folders: list[str]) -> None:
    note = journal("libraries")
    for folder in folders:
        corpus = EncodedCorpus.load(Path(folder))
        parts = texts_of(corpus, TRAIN), texts_of(corpus, TEST)
        cases = {name: partial(call, library, *parts) for name, library in LIBRARIES.items()}
        for name, (_, *rounds) in interleaved(cases, 1 + ROUNDS).items():
            scores = [each.micro_f1 for each in rounds]
            note(
                corpus=Path(folder).name,
                library=name,
                lines=lines_of_code(LIBRARIES[name]),
                seconds=statistics.median(each.seconds for each in rounds),
                processor_seconds=statistics.median(each.worked for each in rounds),
                micro_f1=statistics.mean(scores),
                micro_sd=statistics.stdev(scores),
            )


def texts_of(corpus: EncodedCorpus, part: int) -> tuple[list[str], list[str]]:
    """The texts of a part, of tokens with a space between, and their labels.

    They are shuffled: an archive that is sorted by class would tell gensim the labels.
    """
    words = [word.decode("utf-8", "replace") for word in corpus.words]
    texts, labels = [], []
    for d in np.random.default_rng(0).permutation(corpus.documents(part)):
        tokens = corpus.tokens[corpus.offsets[d] : corpus.offsets[d + 1]]
        texts.append(" ".join(words[token] for token in tokens))
        labels.append(str(corpus.labels[d]))
    return texts, labels


def call(
    library: Callable[..., Any],
    train: tuple[list[str], list[str]],
    test: tuple[list[str], list[str]],
    number: int,
) -> Result:
    """Train and predict, with the number of the round as the seed."""
    began, worked_before = now()
    predicted = library(*train, test[0], number + 1)
    ended, worked = now()
    score = 100 * float(f1_score(test[1], predicted, average="micro"))
    return Result(score, ended - began, worked - worked_before)


def lines_of_code(function: Callable[..., Any]) -> int:
    """The lines of a function that are not blank, without the first, as the formatter has them."""
    source = inspect.getsource(function)
    (definition,) = ast.parse(source).body
    assert isinstance(definition, ast.FunctionDef)
    body = source.splitlines()[definition.body[0].lineno - 1 :]
    return sum(bool(line.strip()) for line in body)


if __name__ == "__main__":
    main(sys.argv[1:])
