"""Commands that apply a model to documents: transform, predict."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from pte.classify import load
from pte.command.documents import (
    LINES,
    STANDARD_INPUT,
    Documents,
    is_plain_input,
    lines_of_input,
    path_of,
    read_to_predict,
)
from pte.command.flags import (
    FILLED,
    OF_LABELS,
    OF_TEXTS,
    OUTPUT,
    PATH,
    Number,
    check_json,
    column_name,
    keep_documents,
    keep_inputs,
    takes,
)
from pte.command.learnt import as_learnt, learnt_from
from pte.command.predictor import (
    Prediction,
    Predictor,
    batches,
    check_vectors,
    joined,
    separator_of,
)
from pte.command.shown import has_objects, write_records
from pte.corpora.own import format_of, format_of_name
from pte.errors import PteError

if TYPE_CHECKING:
    from pte.classify.base import TextEmbedding
    from pte.corpora.encoded import EncodedCorpus

ONLY_PARQUET = "--output: only a Parquet file can come back as one; choose .csv, .tsv or .jsonl"

COME_BACK = ("csv", "tsv", "jsonl", "parquet")
"""The formats of files that come back with predictions in them."""


@click.command()
@click.argument("model", type=PATH)
@takes(*OF_TEXTS, "--vectors")
@click.option(
    "-o",
    "--output",
    type=OUTPUT,
    help="A file: .npy holds an array, .csv and .tsv a table, .jsonl and .json JSON, others tabs.",
)
def transform(model: Path, file: str, output: Path | None, as_json: bool, **values: Any) -> None:
    """Print the vector of each document of FILE: its id, then the numbers.

    An output file that ends in .npy gets a float32 array instead, with a row for each document.

    \b
    Example:
      echo "a late goal" | pte transform model.npz -
    """
    keep_inputs(output, model)
    keep_documents(output, file, values)
    check_json(output, as_json)
    as_array = output is not None and output.suffix.lower() == ".npy"
    fitted, kind = load(model), values.pop("format")
    check_vectors(fitted, values["vectors"])
    documents = read_to_predict(file, kind, values, False, learnt_from(model).columns)
    found = fitted.transform(_encoded(fitted, documents))
    if output is not None and as_array:
        import numpy as np

        from pte.files import output_file

        with output_file(output) as temporary, temporary.open("wb") as target:
            np.save(target, found)
        return
    head = (values["id"] or "document", *map(str, range(1, found.shape[1] + 1)))
    records = (
        ((name, *(f"{x:.9g}" for x in row)), {"id": name, "vector": row})
        for name, row in zip(documents.ids, found.tolist(), strict=True)
    )
    write_records(head, records, output, as_json)


@click.command()
@click.argument("model", type=PATH)
@takes(*OF_TEXTS, *OF_LABELS, "--unlabelled", "--vectors")
@click.option(
    "--column", type=column_name, metavar="NAME", help="The column that is filled, or a new one."
)
@click.option("--threshold", type=Number(0, 1), help="The least probability of a label.")
@click.option("--probabilities", is_flag=True, help="The probabilities of all classes, too.")
@click.option(
    "-o",
    "--output",
    type=FILLED,
    help="A file: .csv, .tsv and .parquet hold a table, .jsonl and .json JSON, others tabs.",
)
def predict(model: Path, file: str, output: Path | None, as_json: bool, **values: Any) -> None:
    """Predict the labels of FILE's documents.

    With `-o`, a table (Parquet too) or a file of JSON Lines comes back with all of its rows and
    columns. The label is filled in where it is empty, or in a new column, and a column
    `probability` is added. Labels that counted as others in training are written as these. Of a
    folder or a file of lines, a table of ids and labels is written; labels that are there stay,
    too. A file in a folder `unlabelled`, or in a folder without folders, has none.

    Without `-o`, a line is printed for each document, or with `--unlabelled` or `--label` for each
    without a label: its id, the label, and the probability. Without `--id`, the id of a document is
    the line that it begins at, where the header of a table is line 1, or its path in a folder.
    Lines of standard input are answered as they come. If you name no columns, they are those that
    the model was learnt from, where the file has them.

    Where documents may have several labels, all labels that are more likely than not are predicted;
    there may be no such label. The probability is that of the least certain decision. A document
    without a word that the model knows gets what is most frequent in training, unless the model
    sees letters or an encoder reads the document. The last line on standard error counts all this.

    \b
    Examples:
      echo "a late goal" | pte predict model.npz -
      pte predict model.npz reviews.csv -o filled.csv
    """
    from pte.classify.progress import noted_compiling

    keep_inputs(output, model)
    keep_documents(output, file, values)
    check_json(output, as_json)
    classifier = load(model)
    if not hasattr(classifier, "predict"):
        raise PteError(f"{model}: this model was fitted without labels; fit one with --label")
    check_vectors(classifier, values["vectors"])
    wanted, learnt = (values.pop("threshold"), values.pop("probabilities")), learnt_from(model)
    predictor, kind = Predictor(classifier, *wanted, merges=learnt.merges), values.pop("format")
    made, given = output and format_of_name(output.name), kind or format_of_name(file)
    if kind != LINES and file != STANDARD_INPUT and Path(file).is_file():
        given = format_of(Path(file), kind)
    if made == "parquet" and given != made:
        raise PteError(ONLY_PARQUET)
    comes_back = made in COME_BACK and given in COME_BACK
    with noted_compiling():
        if output and comes_back:
            _give_back(file, kind, values, learnt.columns, predictor, output)
            click.echo(predictor.said(), err=True)
            return
        keeps = output is not None
        documents = _documents(file, kind, values, learnt.columns, predictor, keeps)
        head = [values["id"] or "document", "label", "probability"]
        if predictor.all_classes:
            head += [f"probability {name}" for name in predictor.classes]
        is_json = has_objects(output, as_json)
        separator = None if is_json else separator_of(values, learnt.columns)
        write_records(head, _records(documents, predictor, separator), output, as_json)
    predictor.require_vectors()
    click.echo(predictor.said(), err=True)


def _give_back(
    file: str,
    kind: str | None,
    values: dict[str, Any],
    learnt: Mapping[str, Any],
    predictor: Predictor,
    output: Path,
) -> None:
    """Write a file with predictions; `learnt` has the columns that the model was learnt from."""
    from pte.command.given_back import (
        Places,
        Spelling,
        give_back,
        sink_of,
        source_of,
        target_of,
    )
    from pte.files import output_file

    column, unlabelled = values.pop("column"), values.pop("unlabelled")
    predictor.read_vectors(values.pop("vectors"))
    with redirect_stdout(sys.stderr), path_of(file, kind) as path:
        values = as_learnt(path, kind, values, learnt)
        source = source_of(path, kind, values)
        label = target_of(source, column, learnt.get("label"))
        if column is not None and label not in (source.columns.label, learnt.get("label")):
            predictor.merges = {}  # what is there counts as no label of the training
        if unlabelled and column is not None and label not in source.head:
            raise PteError(
                f"--unlabelled: the new column {column!r} has no labels; leave --column out"
            )
        classes = predictor.classes if predictor.all_classes else ()
        spelling = Spelling.of(source, label)
        separator = separator_of(values, learnt)
        places = Places(label, classes, separator, spelling, predictor.several)
        written = places.written(format_of_name(output.name))
        if len({*written}) < len(written) or source.columns.text in written:
            raise PteError(
                f"--output: {label!r} is the column of labels, and that of texts or probabilities, "
                "too; name another: --column"
            )
        for name in written[1:]:
            if name in source.head:
                print(f"Warning: {file}: its column {name!r} gets those of predictions")
        with output_file(output) as temporary:
            sink = sink_of(source, output.name, places)
            try:
                with sink.opened(temporary):
                    give_back(source, sink, predictor, unlabelled)
            except UnicodeEncodeError as error:
                raise PteError(
                    f"{output}: {error.object[error.start : error.end]!r} is not in "
                    f"{error.encoding}; write a file that ends in .jsonl"
                ) from None


class _Row(NamedTuple):
    """A document to predict: its id, its text, and the labels that stay."""

    name: str
    text: bytes
    labels: Sequence[str]


def _documents(
    file: str,
    kind: str | None,
    values: dict[str, Any],
    learnt: Mapping[str, Any],
    predictor: Predictor,
    keeps: bool,
) -> Iterator[list[_Row]]:
    """Yield batches of documents; a line of standard input is a batch of its own.

    The `predictor` gets the vectors of the documents, if there are any. With `keeps`, labels that
    documents have stay.
    """
    unlabelled = values.pop("unlabelled")
    if values.pop("column") is not None:
        raise click.UsageError("--column needs a table or JSON Lines, and -o FILE")
    if file == STANDARD_INPUT and kind in (None, LINES) and is_plain_input():
        if unlabelled:
            raise PteError("--unlabelled: lines of standard input have no labels; leave it out")
        texts = {n: each for n, each in values.items() if n not in ("separator", "vectors")}
        predictor.read_vectors(values["vectors"])
        lines = enumerate(lines_of_input(texts), start=1)
        return ([_Row(str(number), line, ())] for number, line in lines)
    if file == STANDARD_INPUT:
        kind = kind or LINES
    documents = read_to_predict(file, kind, values, unlabelled, learnt, keeps)
    predictor.vectors = documents.vectors
    rows = zip(documents.ids, documents.texts, documents.found, strict=True)
    return batches(_Row(name, text, each.labels if keeps else ()) for name, text, each in rows)


def _records(
    documents: Iterator[list[_Row]], predictor: Predictor, separator: str | None
) -> Iterator[tuple[Sequence[str], dict[str, Any]]]:
    """Yield the id, the labels and the probability of each document, as cells and as an object.

    Without a `separator`, which stands between several labels, only the objects are complete.
    """
    classes = predictor.classes if predictor.all_classes else ()
    for batch in documents:
        found = predictor.answers([row.text for row in batch], [row.labels for row in batch])
        for row, answer in zip(batch, found, strict=True):
            each = answer or Prediction(tuple(row.labels), None, {})
            one = each.labels[0] if each.labels else None
            label = list(each.labels) if predictor.several else one
            numbers = (each.probability, *(each.probabilities.get(name) for name in classes))
            shown = ("" if p is None else f"{p:.4f}" for p in numbers)
            record = {"id": row.name, "label": label, "probability": each.probability}
            more = {"probabilities": each.probabilities} if each.probabilities else {}
            names = separator and joined(each.labels, separator, predictor.several)
            yield (row.name, names or "", *shown), record | more


def _encoded(model: "TextEmbedding", documents: Documents) -> "EncodedCorpus":
    """Encode documents in the words of a model; warn of documents without any of them."""
    from pte.classify.progress import noted_compiling

    with noted_compiling():
        encoded = documents.encoded(model)
    known = model.count_known(encoded)
    strange = [name for name, n in zip(documents.ids, known, strict=True) if not n]
    if strange:
        what = f"{len(strange):,} of {known.size:,} documents hold no word that the model knows"
        click.echo(f"Warning: {what}; the first is {strange[0]}", err=True)
    return encoded
