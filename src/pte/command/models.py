"""Commands that make and use a model: fit, transform, predict, neighbours, export."""

import json
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pte.command.documents import Documents, read_labelled, read_texts, read_to_learn
from pte.command.flags import NO_LABELS, OUTPUT, Training, common, reads_labels, reads_texts, trains
from pte.command.shown import show_facts, show_json, show_table, write_csv_table, write_lines
from pte.errors import PteError

if TYPE_CHECKING:
    from pte.corpora.encoded import EncodedCorpus
    from pte.estimators.auto import PTEAuto
    from pte.estimators.base import TextEmbedding
    from pte.estimators.classifier import PTEClassifier
    from pte.keyed_vectors import KeyedVectors

PATH = click.Path(path_type=Path)
ESTIMATORS = ("LINE", "PTE", "PTEAuto", "PTEClassifier", "ParagraphVector", "SkipGram")
"""The names of estimators that a model file may hold."""

SEPARATOR = ";"
"""What stands between the labels of a document that has several."""


@click.command()
@reads_texts
@reads_labels
@trains
@NO_LABELS
@click.option("--auto", is_flag=True, help="PTE(auto): usually better, several times as slow.")
@click.option("--from", "known", type=PATH, metavar="MODEL", help="Go on from this model.")
@click.option("-o", "--output", type=OUTPUT, required=True, help="The file of the model.")
@common
def fit(
    file: str,
    no_labels: bool,
    auto: bool,
    known: Path | None,
    output: Path,
    as_json: bool,
    **values: Any,
) -> None:
    """Learn from the documents of FILE, and write a model.

    With labels of two classes, the model classifies. With `--no-labels` it only has vectors.
    Documents without a label train as well. PTE(auto) also looks at the words themselves, finds
    its own T, and needs one label for a document. `--from` goes on from a model: words that
    it knows begin with their vectors, and options that you leave out are those of the model.

    \b
    Examples:
      pte fit reviews.csv --text review --label stars --output model.npz
      pte fit reviews.csv --text review --label stars --auto --output model.npz
      pte fit texts.txt --no-labels --output vectors.npz
      pte fit more.csv --from model.npz --samples 1000000 --output model.npz
    """
    from pte.estimators.progress import noted_compiling

    training = Training.of(values)
    documents = read_to_learn(file, values.pop("format"), values, no_labels)
    _check_classes(file, documents)
    model = _model(training, bool(documents.classes), auto, known)
    has_terminal = sys.stderr.isatty()  # a bar in a log is of no use
    model.set_params(verbose=int(has_terminal))
    with noted_compiling(not has_terminal):
        model.fit(documents.texts, documents.labels)
    model.set_params(verbose=0).save(output)
    show_facts(
        {
            "model": str(output),
            "estimator": type(model).__name__,
            "documents": len(documents.found),
            "labelled": sum(document.label is not None for document in documents.found),
            "classes": documents.classes,
            "words": len(model.word_vectors_),
            "samples": model.samples_,
        },
        as_json,
    )


def _check_classes(file: str, documents: Documents) -> None:
    """Raise `PteError` for labels that no classifier can learn."""
    counts = Counter(label for document in documents.found for label in document.labels)
    if len(counts) == 1:
        name = next(iter(counts))
        raise PteError(f"{file}: all labels are {name!r}; give two classes, or --no-labels")
    if counts and max(counts.values()) == 1:
        raise PteError(
            f"{file}: each of its {len(counts):,} labels has one document only; check the column "
            "of the label"
        )


def _model(training: Training, is_labelled: bool, auto: bool, known: Path | None) -> Any:
    """The estimator to fit."""
    import pte

    if auto:
        return pte.PTEAuto(**_of_auto(training, is_labelled, known))
    if known:
        return _going_on(known, training)
    return (pte.PTEClassifier if is_labelled else pte.PTE)(**training.of_networks())


def _of_auto(training: Training, is_labelled: bool, known: Path | None) -> dict[str, Any]:
    if training.samples != "chosen":
        raise PteError("--auto finds T itself; leave --samples out")
    if known:
        raise PteError("--auto learns afresh; leave --from out")
    if not is_labelled:
        raise PteError("--auto needs labels; leave it out, or name their column: --label")
    return training.shared()


def _going_on(path: Path, training: Training) -> Any:
    """The model of a file, to be fitted further."""
    model = load_model(path)
    if not hasattr(model, "warm_start"):
        raise PteError(f"{path}: a {type(model).__name__} cannot go on; leave --from out")
    return model.set_params(warm_start=True, **training.typed())


@click.command()
@click.argument("model", type=PATH)
@reads_texts
@click.option("-o", "--output", type=OUTPUT, help="A file: .npy holds an array, others text.")
@common
def transform(
    model: Path, file: str, output: Path | None, as_json: bool, **values: str | None
) -> None:
    """Print the vector of each document of FILE: its id, then the numbers.

    A file that ends in .npy gets a float32 array instead, a row for each document.

    \b
    Example:
      echo "a late goal" | pte transform model.npz -
    """
    fitted = load_model(model)
    documents = read_texts(file, values.pop("format"), values)
    vectors = fitted.transform(_encoded(fitted, documents))
    if output is not None and output.suffix == ".npy":
        import numpy as np

        from pte.files import atomic_file

        with atomic_file(output) as temporary, temporary.open("wb") as target:
            np.save(target, vectors)
        return
    pairs = zip(documents.ids, vectors.tolist(), strict=True)
    if as_json:
        lines = (_object({"id": name, "vector": row}) for name, row in pairs)
    else:
        lines = ("\t".join((_cell(name), *(f"{x:.9g}" for x in row))) for name, row in pairs)
    write_lines(lines, output)


@click.command()
@click.argument("model", type=PATH)
@reads_texts
@click.option("--unlabelled", is_flag=True, help="Only documents without a label.")
@click.option("--label", metavar="COLUMN", help="The column of the label, for --unlabelled.")
@click.option("-o", "--output", type=OUTPUT, help="A file: .csv holds a table, others text.")
@common
def predict(
    model: Path,
    file: str,
    unlabelled: bool,
    label: str | None,
    output: Path | None,
    as_json: bool,
    **values: str | None,
) -> None:
    """Print the label of each document of FILE: its id, the label, and how probable it is.

    Without `--id`, a document is called by its line, or by its path in a folder.

    Where documents may have several labels, all that are likely stand there, and the probability
    is that of the least certain decision. A document without a word that the model knows gets a
    label, too; a warning counts these.

    \b
    Examples:
      echo "a late goal" | pte predict model.npz -
      pte predict model.npz reviews.csv --text review --label stars --unlabelled -o new.csv
    """
    classifier = load_model(model)
    if not hasattr(classifier, "predict"):
        raise PteError(f"{model}: this model was fitted without labels; fit one with --label")
    kind = values.pop("format")
    if unlabelled:
        documents = read_labelled(file, kind, values | {"label": label}).unlabelled()
        if not documents.found:
            raise PteError(f"{file}: every document has a label")
    elif label is not None:
        raise click.UsageError("--label is for --unlabelled alone")
    else:
        documents = read_texts(file, kind, values)
    found = _predictions(classifier, documents)
    if as_json:
        lines = (
            _object({"id": name, "label": labels if several else labels[0], "probability": p})
            for name, labels, p, several in found
        )
        write_lines(lines, output)
        return
    rows = ((name, SEPARATOR.join(labels), f"{p:.4f}") for name, labels, p, _ in found)
    if output is not None and output.suffix == ".csv":
        first = "id" if values["id"] else "document"
        write_csv_table((first, "label", "probability"), rows, output)
    else:
        write_lines(("\t".join(map(_cell, row)) for row in rows), output)


def _encoded(model: "TextEmbedding", documents: Documents) -> "EncodedCorpus":
    """The documents in the words of a model; warns of those that hold none of them."""
    from pte.estimators.progress import noted_compiling

    with noted_compiling():
        encoded = model.encode(documents.texts)
    known = model.count_known(encoded)
    strange = [name for name, n in zip(documents.ids, known, strict=True) if not n]
    if strange:
        what = f"{len(strange):,} of {known.size:,} documents hold no word that the model knows"
        click.echo(f"Warning: {what}; the first is {strange[0]}", err=True)
    return encoded


def _predictions(
    classifier: "PTEClassifier | PTEAuto", documents: Documents
) -> Iterator[tuple[str, list[str], float, bool]]:
    """Yield the id, the labels and the probability of each document.

    The last says whether documents may have several labels.
    """
    import numpy as np

    from pte.evaluation.linear import MultilabelClassifier

    classes = [str(name) for name in classifier.classes_]
    several = isinstance(getattr(classifier, "classifier_", None), MultilabelClassifier)
    probability = classifier.predict_proba(_encoded(classifier, documents))
    for name, row in zip(documents.ids, probability, strict=True):
        if several:
            labels = [classes[i] for i in np.flatnonzero(row > 0.5)]
            yield name, labels, float(np.maximum(row, 1 - row).min()), True
        else:
            best = int(row.argmax())
            yield name, [classes[best]], float(row[best]), False


@click.command()
@click.argument("model", type=PATH)
@click.argument("words", nargs=-1)
@click.option("--minus", multiple=True, metavar="WORD", help="A word to be far from.")
@click.option("--class", "label", metavar="LABEL", help="A class instead of words.")
@click.option(
    "--top", type=click.IntRange(min=1), default=10, show_default=True, help="How many words."
)
@common
def neighbours(
    model: Path,
    words: tuple[str, ...],
    minus: tuple[str, ...],
    label: str | None,
    top: int,
    as_json: bool,
) -> None:
    """Print the words nearest to WORDS, or to a class, with their cosines.

    \b
    Examples:
      pte neighbours model.npz goal
      pte neighbours model.npz --class sport
    """
    if bool(words or minus) == (label is not None):
        raise click.UsageError("give either words or a class (--class)")
    fitted = load_model(model)
    if label is None:
        found = fitted.word_vectors_.most_similar(words, minus, topn=top)
    elif hasattr(fitted, "nearest_words"):
        found = fitted.nearest_words(label, topn=top)
    else:
        raise PteError(f"{model}: a {type(fitted).__name__} has no classes")
    if as_json:
        show_json([{"word": word, "cosine": cosine} for word, cosine in found])
    else:
        show_table([("word", "cosine"), *((word, f"{cosine:.3f}") for word, cosine in found)])


@click.command()
@click.argument("model", type=PATH)
@click.argument("output", type=OUTPUT)
@click.option("--binary", is_flag=True, help="The binary format instead of text.")
@click.option("--labels", is_flag=True, help="The vectors of the labels, not of the words.")
@common
def export(model: Path, output: Path, binary: bool, labels: bool, as_json: bool) -> None:
    """Write the vectors of a model to OUTPUT, in word2vec's format.

    \b
    Example:
      pte export model.npz words.txt
    """
    fitted = load_model(model)
    vectors: KeyedVectors | None = fitted.word_vectors_
    if labels:
        vectors = getattr(fitted, "label_vectors_", None)
    if vectors is None:
        raise PteError(f"{model}: it has no vectors of labels; fit it with labels")
    vectors.to_word2vec(output, binary=binary)
    show_facts({"file": str(output), "vectors": len(vectors), "dim": vectors.dim}, as_json)


def model_facts(path: Path) -> dict[str, Any] | None:
    """What a model file says of itself; None for a file that is no model."""
    try:
        with zipfile.ZipFile(path) as archive:
            facts: dict[str, Any] = json.loads(archive.read("model.json"))
            return facts
    except (OSError, KeyError, ValueError, zipfile.BadZipFile):
        return None


def load_model(path: Path) -> Any:
    """Load the estimator that a file holds. Raises `PteError` when it is not a model."""
    if not path.is_file():
        raise PteError(f"{path}: no such file; `pte fit` writes one")
    facts = model_facts(path)
    if facts is None or facts.get("estimator") not in ESTIMATORS:
        raise PteError(f"{path}: not a model; `pte fit` writes one")
    import pte

    estimator: type[TextEmbedding] = getattr(pte, facts["estimator"])
    return estimator.load(path)


def _cell(text: str) -> str:
    """Text that stays in its field of a line with tabs."""
    return " ".join(text.split())


def _object(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)
