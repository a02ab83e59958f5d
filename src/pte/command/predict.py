"""Commands that apply a model to documents: transform, predict."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pte.command.documents import Documents, read_labelled, read_texts
from pte.command.flags import OUTPUT, common, keep_inputs, reads_texts
from pte.command.model_files import PATH, load_model
from pte.command.shown import write_records
from pte.errors import PteError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pte.corpora.encoded import EncodedCorpus
    from pte.estimators.auto import PTEAuto
    from pte.estimators.base import TextEmbedding
    from pte.estimators.classifier import PTEClassifier

SEPARATOR = ";"
"""The text between the labels of a document that has several labels."""

LIKELY = 0.5
"""Where documents may have several labels, each label above this probability is predicted."""


@click.command()
@click.argument("model", type=PATH)
@reads_texts
@click.option(
    "-o",
    "--output",
    type=OUTPUT,
    help="A file: .npy holds an array, .csv a table, .jsonl and .json JSON, others tabs.",
)
@common
def transform(
    model: Path, file: str, output: Path | None, as_json: bool, **values: str | None
) -> None:
    """Print the vector of each document of FILE: its id, then the numbers.

    An output file that ends in .npy gets a float32 array instead, with a row for each document.

    \b
    Example:
      echo "a late goal" | pte transform model.npz -
    """
    keep_inputs(output, model, file)
    fitted = load_model(model)
    documents = read_texts(file, values.pop("format"), values)
    vectors = fitted.transform(_encoded(fitted, documents)[0])
    if output is not None and output.suffix.lower() == ".npy":
        import numpy as np

        from pte.outputs import output_file

        with output_file(output) as temporary, temporary.open("wb") as target:
            np.save(target, vectors)
        return
    head = (values["id"] or "document", *map(str, range(1, vectors.shape[1] + 1)))
    records = (
        ((name, *(f"{x:.9g}" for x in row)), {"id": name, "vector": row})
        for name, row in zip(documents.ids, vectors.tolist(), strict=True)
    )
    write_records(head, records, output, as_json)


@click.command()
@click.argument("model", type=PATH)
@reads_texts
@click.option("--unlabelled", is_flag=True, help="Only documents without a label.")
@click.option("--label", metavar="COLUMN", help="The column of the label, for --unlabelled.")
@click.option(
    "-o",
    "--output",
    type=OUTPUT,
    help="A file: .csv holds a table, .jsonl and .json JSON, others tabs.",
)
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
    """Print the label of each document of FILE: its id, the label, and how probable the label is.

    Without `--id`, the id of a document is the line that it begins at, where the head of a table is
    line 1, or its path in a folder.

    Where documents may have several labels, all labels that are more likely than not are printed;
    there may be no such label. The probability is that of the least certain decision. A document
    without a word that the model knows gets no label and no probability. Warnings count the
    documents that get no label, and the documents without a known word.

    \b
    Examples:
      echo "a late goal" | pte predict model.npz -
      pte predict model.npz reviews.csv --text review --label stars --unlabelled -o new.csv
    """
    keep_inputs(output, model, file)
    classifier = load_model(model)
    if not hasattr(classifier, "predict"):
        raise PteError(f"{model}: this model was fitted without labels; fit one with --label")
    kind = values.pop("format")
    if unlabelled:
        documents = read_labelled(file, kind, values | {"label": label}).unlabelled()
        if not documents.found:
            raise PteError(f"{file}: every document has a label")
    elif label is not None:
        raise click.UsageError("--label needs --unlabelled; add that, or leave --label out")
    else:
        documents = read_texts(file, kind, values)
    head = (values["id"] or "document", "label", "probability")
    write_records(head, _predictions(classifier, documents), output, as_json)


def _encoded(
    model: "TextEmbedding", documents: Documents
) -> "tuple[EncodedCorpus, NDArray[np.int64]]":
    """Encode documents in the words of a model, and count these words in each document.

    Warn of documents without any of them.
    """
    from pte.estimators.progress import noted_compiling

    with noted_compiling():
        encoded = model.encode(documents.texts)
    known = model.count_known(encoded)
    strange = [name for name, n in zip(documents.ids, known, strict=True) if not n]
    if strange:
        what = f"{len(strange):,} of {known.size:,} documents hold no word that the model knows"
        click.echo(f"Warning: {what}; the first is {strange[0]}", err=True)
    return encoded, known


def _warn_of_none(ids: list[str], likely: "NDArray[np.bool_]") -> None:
    """Warn of the documents that get no label."""
    without = [name for name, row in zip(ids, likely, strict=True) if not row.any()]
    if without:
        what = f"{len(without):,} of {len(ids):,} documents get no label, as none has a probability"
        click.echo(f"Warning: {what} above {LIKELY}; the first is {without[0]}", err=True)


def _predictions(
    classifier: "PTEClassifier | PTEAuto", documents: Documents
) -> Iterator[tuple[Sequence[str], dict[str, Any]]]:
    """Yield the id, the labels and the probability of each document, as cells and as an object.

    A document without a known word has no label and no probability.
    """
    import numpy as np

    from pte.evaluation.linear import MultilabelClassifier

    classes = [str(name) for name in classifier.classes_]
    several = isinstance(getattr(classifier, "classifier_", None), MultilabelClassifier)
    encoded, known = _encoded(classifier, documents)
    probability = classifier.predict_proba(encoded)
    best = np.eye(len(classes), dtype=np.bool_)[probability.argmax(axis=1)]
    likely = probability > LIKELY if several else best
    likely &= (known > 0)[:, None]
    if several:
        _warn_of_none(documents.ids, likely)
    surest = np.maximum(probability, 1 - probability).min(1) if several else probability.max(1)
    for name, row, sure, n_known in zip(documents.ids, likely, surest, known, strict=True):
        labels = [classes[i] for i in np.flatnonzero(row)]
        p = float(sure) if n_known else None
        label = labels if several else labels[0] if labels else None
        cells = (name, SEPARATOR.join(labels), "" if p is None else f"{p:.4f}")
        yield cells, {"id": name, "label": label, "probability": p}
