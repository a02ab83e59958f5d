"""Commands that apply a model to documents: transform, predict."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from pte.classify import load
from pte.command.documents import is_plain_input, lines_of_input, read_to_predict
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
from pte.command.learnt import learnt_from
from pte.command.predictor import (
    Prediction,
    Predictor,
    batches,
    check_vectors,
    joined,
    separator_of,
)
from pte.command.shown import has_objects, write_records
from pte.errors import PteError
from pte.tables.columns import Labels, Options, labels_of, texts_of
from pte.tables.documents import Documents
from pte.tables.formats import LINES, TABLES, format_of, format_of_name
from pte.tables.table import FileTable, open_table
from pte.tables.text import STANDARD_INPUT, called

if TYPE_CHECKING:
    from pte.classify.base import TextEmbedding
    from pte.corpora.encoded import EncodedCorpus

ONLY_TABLES = "--output: only a table can become a workbook; choose .csv, .tsv or .jsonl"
ONLY_PARQUET = "--output: only a Parquet file can come back as one; choose .csv, .tsv or .jsonl"


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
    fitted = load(model)
    check_vectors(fitted, values["vectors"])
    documents = read_to_predict(file, values, False, learnt_from(model).columns)
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
    help="A file: .csv, .tsv, .xlsx, .ods, .parquet, .jsonl, .json; others have tabs.",
)
def predict(model: Path, file: str, output: Path | None, as_json: bool, **values: Any) -> None:
    """Predict the labels of FILE's documents.

    With `-o`, a table, the first sheet of a workbook, a Parquet file or a file of JSON Lines comes
    back with all of its rows and columns. The label is filled in where it is empty, or in a new
    column, and a column `probability` is added. Labels that counted as others in training are
    written as these. Of a folder or a file of lines, a table of ids and labels is written; labels
    that are there stay, too. A file in a folder `unlabelled`, or in a folder without folders, has
    none.

    Without `-o`, a line is printed for each document, or with `--unlabelled` or `--label` for each
    without a label: its id, the label, and the probability. Without `--id`, the id of a document is
    the number of its row, where the header of a table is row 1, or its path in a folder.
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
    predictor, kind = Predictor(classifier, *wanted, merges=learnt.merges), values["format"]
    made, given = output and format_of_name(output.name), kind or format_of_name(file)
    if file != STANDARD_INPUT and Path(file).is_file():
        given = format_of(file, kind)
    if made in ("parquet", "xlsx", "ods") and given not in (
        TABLES if made != "parquet" else [made]
    ):
        raise PteError(ONLY_PARQUET if made == "parquet" else ONLY_TABLES)
    with noted_compiling():
        if output and made in TABLES and given in TABLES:
            _give_back(file, values, learnt.columns, predictor, output)
            click.echo(predictor.said(), err=True)
            return
        keeps = output is not None
        documents = _documents(file, values, learnt.columns, predictor, keeps)
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
    values: dict[str, Any],
    learnt: Mapping[str, Any],
    predictor: Predictor,
    output: Path,
) -> None:
    """Write a file with predictions; `learnt` has the columns that the model was learnt from."""
    from pte.files import output_file
    from pte.tables.writing import Filled, target_of, write_back

    column, unlabelled = values.pop("column"), values.pop("unlabelled")
    predictor.read_vectors(values.pop("vectors"))
    options = Options.of(called(file), {**values, "guess_label": False})
    table = open_table(file, options, learnt)
    if table.said:
        print(f"{table.file}: {', '.join(table.said)}", file=sys.stderr)
    for doubt in table.doubts:
        print(f"Warning: {table.file}: {doubt}", file=sys.stderr)
    target = target_of(table, column, learnt.get("label"))
    if column is not None and target not in (table.options.label, learnt.get("label")):
        predictor.merges = {}  # what is there counts as no label of the training
    if unlabelled and column is not None and target not in table.head:
        raise PteError(f"--unlabelled: the new column {column!r} has no labels; leave --column out")
    known, found = _answers(table, target, predictor)
    classes = predictor.classes if predictor.all_classes else ()
    filled = Filled(
        target,
        [each and each.labels for each in found],
        [each and each.probability for each in found],
        {name: [each and each.probabilities.get(name) for each in found] for name in classes},
        separator_of(values, learnt),
        predictor.several,
        [not labels for labels in known] if unlabelled else None,
    )
    for name in filled.names(format_of_name(output.name))[1:]:
        if name in table.head:
            print(
                f"Warning: {table.file}: its column {name!r} gets those of predictions",
                file=sys.stderr,
            )
    with output_file(output) as temporary:
        write_back(table, temporary, output.name, filled)


def _answers(
    table: FileTable, target: str, predictor: Predictor
) -> tuple[list[Labels], list[Prediction | None]]:
    """Return the labels of all rows of a table, and what is predicted for those without any."""
    where, numbers = f"{table.file}: {table.unit}", table.numbers
    texts = texts_of(where, table.column(str(table.options.text)), numbers)
    known: list[Labels] = [()] * len(texts)
    if target in table.head:
        known, _ = labels_of(where, table.column(target), numbers, table.options)
    found: list[Prediction | None] = []
    for batch in batches(zip(texts, known, strict=True)):
        found += predictor.answers([text for text, _ in batch], [labels for _, labels in batch])
    predictor.require_vectors()
    return known, found


class _Row(NamedTuple):
    """A document to predict: its id, its text, and the labels that stay."""

    name: str
    text: bytes
    labels: Sequence[str]


def _documents(
    file: str,
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
    if file == STANDARD_INPUT and values["format"] in (None, LINES) and is_plain_input():
        if unlabelled:
            raise PteError("--unlabelled: lines of standard input have no labels; leave it out")
        texts = {n: each for n, each in values.items() if n not in ("separator", "vectors")}
        predictor.read_vectors(values["vectors"])
        lines = enumerate(lines_of_input(texts), start=1)
        return ([_Row(str(number), line, ())] for number, line in lines)
    if file == STANDARD_INPUT:
        values["format"] = values["format"] or LINES
    documents = read_to_predict(file, values, unlabelled, learnt, keeps)
    predictor.vectors = documents.vectors
    rows = zip(documents.ids, documents.texts, documents.named, strict=True)
    return batches(_Row(name, text, each if keeps else ()) for name, text, each in rows)


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
