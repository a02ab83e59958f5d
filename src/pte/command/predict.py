"""The command that predicts labels: it prints them, or fills them into the file."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, repeat
from pathlib import Path
from typing import Any

import click

from pte.classify import load_to_predict as load
from pte.command.documents import (
    LearntFrom,
    is_plain_input,
    learnt_from,
    lines_of_input,
    read_to_predict,
    vectors_of,
    warn,
    with_reviews,
)
from pte.command.flags import (
    FILLED,
    OF_LABELS,
    OF_TEXTS,
    PATH,
    Number,
    column_name,
    keep_documents,
    takes,
)
from pte.command.predictor import Prediction, Predictor, ToPredict
from pte.command.shown import has_objects, write_records
from pte.errors import PteError, shown
from pte.tables.columns import Labels, Options, texts_of, words_of
from pte.tables.documents import Documents
from pte.tables.formats import (
    FORMATS,
    LINES,
    STANDARD_INPUT,
    TABLES,
    called,
    format_of,
    format_of_name,
)
from pte.tables.table import open_table

SEPARATOR = ";"  # the text between several labels of a document, if the user gives none
BATCH = 1024  # how many documents are predicted at a time, which bounds the memory


@click.command()
@click.argument("model", type=PATH)
@takes(*OF_TEXTS, *OF_LABELS, "--reviewed", "--unlabelled", "--vectors")
@click.option("--ignore-case", is_flag=True, hidden=True)  # it does so anyhow
@click.option(
    "--column", type=column_name, metavar="NAME", help="The column that is filled, or a new one."
)
@click.option("--threshold", type=Number(0, 1), help="The least probability of a label.")
@click.option(
    "--precision",
    type=Number(0, 1, min_open=True, max_open=True),
    metavar="P",
    help="Give labels of which at least this share is right, as held-out documents prove.",
)
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
    from pte.classify.compiling import noted_compiling

    keep_documents(output, file, values, model, as_json=as_json)
    values.pop("ignore_case")
    classifier = load(model)
    if not hasattr(classifier, "predict_proba"):
        raise PteError(f"{model}: this model was fitted without labels; fit one with --label")
    check_vectors(classifier, values["vectors"])
    learnt = learnt_from(model)
    wanted = _threshold(classifier, values), values.pop("probabilities")
    predictor = Predictor(classifier, *wanted, merges=learnt.merges)
    with noted_compiling():
        if output and _comes_back(file, values["format"], output):
            _give_back(file, values, learnt, predictor, output)
        else:
            head = [values["id"] or "document", "label", "probability"]
            if predictor.all_classes:
                head += [f"probability {name}" for name in predictor.classes]
            is_json = has_objects(output, as_json)
            separator = None if is_json else _separator(values, learnt)
            rows = _rows(file, values, learnt, predictor, output is not None)
            write_records(head, _records(rows, predictor, separator), output, as_json)
    predictor.say()


def _threshold(model: Any, values: dict[str, Any]) -> Any:
    """Return the least probability of a label, or one for each class, that keeps a promise."""
    import numpy as np

    threshold, precision = values.pop("threshold"), values.pop("precision")
    if precision is None:
        return threshold
    if threshold is not None:
        raise click.UsageError("--precision chooses the threshold; leave --threshold out")
    trained = getattr(model, "_trained", None)
    if trained is None or trained.several or trained.held_out is None:
        what = "the model keeps no held-out documents with one label each"
        raise PteError(f"--precision: {what}; learn it anew, or give --threshold")
    from pte.evaluation.promise import thresholds

    found, n = np.full(len(model.classes_), np.inf), trained.held_out.right.size
    found[model._present] = thresholds(trained.held_out, precision, model._present.size)
    kept = np.isfinite(found)
    if not kept.any():
        what = f"{n:,} held-out documents prove no threshold for {precision:g}"
        raise PteError(f"--precision: {what}; label more, or ask for less")
    said = [f"{model.classes_[i]} {found[i]:.2f}" for i in np.flatnonzero(kept)]
    click.echo(f"least probability, by {n:,} held-out documents: {shown(said, 8, False)}", err=True)
    if none := [repr(str(each)) for each in model.classes_[~kept]]:
        click.echo(f"no promise, and no label, for {shown(none, 8, False)}", err=True)
    return found


def check_vectors(model: Any, file: Path | None) -> None:
    """Raise `PteError` if a model has no use for the file of vectors, or lacks one."""
    learnt = bool(getattr(model, "_dim", 0))
    if file is None and learnt and model.encoder is None:
        raise PteError(
            "the model has learnt from vectors; give those of these documents: --vectors FILE.npy"
        )
    if file is not None and not learnt:
        raise PteError("--vectors: the model was learnt without vectors; leave it out")


def _comes_back(file: str, kind: str | None, output: Path) -> bool:
    """Return whether the rows of a file come back; refuse an output that needs other rows."""
    made, given = format_of_name(output.name), kind or format_of_name(file)
    if file != STANDARD_INPUT and Path(file).is_file():
        given = format_of(file, kind)
    alone, here = ("jsonl", "parquet"), made in TABLES and given in TABLES
    if here and made != given and (made in alone or given in alone):
        endings = FORMATS[str(given)] if given in alone else (".csv", ".tsv", ".xlsx", ".ods")
        raise PteError(f"--output: {file} can only become a file in {', '.join(endings)}")
    if made in ("parquet", "xlsx", "ods") and not here:
        raise PteError("--output: only a table comes back as such a file; choose .csv or .jsonl")
    return here


def _give_back(
    file: str, values: dict[str, Any], learnt: LearntFrom, predictor: Predictor, output: Path
) -> None:
    from pte.files import output_file
    from pte.tables.writing import Filled, target_of, write_back

    column, unlabelled = values.pop("column"), values.pop("unlabelled")
    vectors, reviewed = values.pop("vectors"), values.pop("reviewed")
    options = Options.of(called(file), {**values, "guess_label": False})
    table = open_table(file, options, learnt.columns)
    if table.said:
        click.echo(f"{table.file}: {', '.join(table.said)}", err=True)
    warn(table.file, table.doubts)
    target = target_of(table, column, learnt.columns.get("label"))
    if column is not None and target not in (table.options.label, learnt.columns.get("label")):
        predictor.merges = {}  # what is there counts as no label of the training
    if unlabelled and column is not None and target not in table.head:
        raise PteError(f"--unlabelled: the new column {column!r} has no labels; leave --column out")
    where, numbers = f"{table.file}: {table.unit}", table.numbers
    texts = texts_of(where, table.column(str(table.options.text)), numbers)
    known: list[tuple[str, ...]] = [()] * len(texts)
    if target in table.head:
        known, _ = table.labels(target)
    named = known
    if reviewed:
        ids = words_of(where, table.column(table.options.id), numbers) if table.options.id else ()
        here = Documents(texts, known, ids or list(map(str, numbers)))
        known = with_reviews(here, reviewed).named
    rows = _batches([""] * len(texts), texts, known, vectors_of(texts, None, vectors))
    found = [each for batch in rows for each in predictor.answers(batch)]
    for i, (old, new) in enumerate(zip(named, known, strict=True)):
        if new != old:  # a person wrote it into the table of the review
            found[i] = found[i] or Prediction(new, None, {})
    classes = predictor.classes if predictor.all_classes else ()
    filled = Filled(
        target,
        [each and each.labels for each in found],
        [each and each.probability for each in found],
        {name: [each and each.probabilities.get(name) for each in found] for name in classes},
        _separator(values, learnt),
        predictor.several,
        [not labels for labels in known] if unlabelled else None,
    )
    there = [name for name in filled.names(format_of_name(output.name))[1:] if name in table.head]
    warn(table.file, [f"its column {name!r} gets those of predictions" for name in there])
    with output_file(output) as temporary:
        write_back(table, temporary, output.name, filled)


def _rows(
    file: str, values: dict[str, Any], learnt: LearntFrom, predictor: Predictor, keeps: bool
) -> Iterator[list[ToPredict]]:
    """Yield batches of documents, but lines of standard input one by one; `keeps` keeps labels."""
    unlabelled = values.pop("unlabelled")
    for name in ("column", "reviewed"):
        if values.pop(name) is not None:
            raise click.UsageError(f"--{name} needs a table or JSON Lines, and -o FILE")
    if file == STANDARD_INPUT:
        values["format"] = values["format"] or LINES
    is_lines = file == STANDARD_INPUT and values["format"] == LINES
    if is_lines and values["vectors"] is None and is_plain_input():
        if unlabelled:
            raise PteError("--unlabelled: lines of standard input have no labels; leave it out")
        apart = ("separator", "vectors", "format")
        lines = lines_of_input({n: each for n, each in values.items() if n not in apart})
        return ([ToPredict(str(number), line)] for number, line in enumerate(lines, start=1))
    documents = read_to_predict(file, values, unlabelled, learnt.columns, keeps)
    labels = documents.named if keeps else [()] * len(documents.texts)
    return _batches(documents.ids, documents.texts, labels, documents.vectors)


def _batches(
    names: Sequence[str], texts: Sequence[bytes], labels: Sequence[Labels], vectors: Any
) -> Iterator[list[ToPredict]]:
    each = repeat(None) if vectors is None else vectors
    rows = map(ToPredict, names, texts, labels, each)
    while batch := list(islice(rows, BATCH)):
        yield batch


def _records(
    batches: Iterable[list[ToPredict]], predictor: Predictor, separator: str | None
) -> Iterator[tuple[Sequence[str], dict[str, Any]]]:
    """Yield the id, labels and probability of each document, as cells and as an object."""
    classes = predictor.classes if predictor.all_classes else ()
    for batch in batches:
        for row, answer in zip(batch, predictor.answers(batch), strict=True):
            each = answer or Prediction(tuple(row.labels), None, {})
            bad = next((name for name in each.labels if separator and separator in name), None)
            if bad and predictor.several:
                raise PteError(
                    f"--separator: label {bad!r} holds {separator!r}, which stands between labels; "
                    "give another text"
                )
            one = each.labels[0] if each.labels else None
            label = list(each.labels) if predictor.several else one
            record = {"id": row.name, "label": label, "probability": each.probability}
            more = {"probabilities": each.probabilities} if each.probabilities else {}
            numbers = (each.probability, *(each.probabilities.get(name) for name in classes))
            cells = ("" if p is None else f"{p:.4f}" for p in numbers)
            yield (row.name, (separator or "").join(each.labels), *cells), record | more


def _separator(values: Mapping[str, Any], learnt: LearntFrom) -> str:
    """Return what stands between several labels: as the user or the training says, or the usual."""
    return str(values.get("separator") or learnt.columns.get("separator") or SEPARATOR)
