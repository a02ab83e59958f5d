"""The command that lists doubtful labels, and the texts to label next."""

from collections import Counter
from pathlib import Path
from typing import Any

import click

from pte.command.documents import (
    check_documents,
    kept_of,
    kept_result,
    read_to_learn,
    vectors_of,
    with_reviews,
)
from pte.command.flags import (
    FILLED,
    OF_LABELS,
    OF_MERGES,
    OF_TEXTS,
    OF_TRAININGS,
    POSITIVE,
    Training,
    command_line,
    keep_documents,
    takes,
    typed,
    words_of,
)
from pte.command.shown import say, write_records
from pte.errors import counted
from pte.tables.documents import Documents, sha256_of_text
from pte.tables.formats import format_of_name
from pte.tables.writing import write_workbook

HEAD = (
    *("id", "row", "why", "text", "label now", "likelier", "probability of label"),
    *("probability", "copies", "label"),
)


@click.command()
@takes(
    *(*OF_TEXTS, *OF_LABELS, *OF_MERGES, "--reviewed", "--group", *OF_TRAININGS),
    *("--encoder", "--vectors"),
)
@click.option("--method", metavar="NAME", help="The method; left out, as `pte fit` takes it.")
@click.option(
    "--next",
    "n_next",
    type=click.IntRange(0),
    default=100,
    show_default=True,
    help="Texts to label next.",
)
@click.option("--jobs", type=POSITIVE, help="Fits that run at once; left out, as many as cores.")
@click.option(
    "-o", "--output", type=FILLED, required=True, help="A file: .csv, .tsv, .xlsx, .ods, .jsonl."
)
def review(
    file: str, method: str | None, n_next: int, output: Path, as_json: bool, **values: Any
) -> None:
    """List the labels of FILE to look at, and the texts to label next.

    A label is to be looked at if a model that has not seen it finds another class likelier, or if
    a document with the same text has another label. Texts to label next are those of which the
    model is least sure, one of each kind, and some at random. Write labels into the column `label`
    of the table, the old one where it is right; `--reviewed` of `pte fit` and `pte evaluate` takes
    them. With `--reviewed`, a second review leaves out what the first one has answered.

    \b
    Examples:
      pte review tickets.csv --output review.xlsx
      pte fit tickets.csv --reviewed review.xlsx --output model.npz
    """

    from pte.classify.registry import method_named
    from pte.classify.text_classifier import TextClassifier
    from pte.machine import cores

    keep_documents(output, file, values, kept_of(file))
    jobs = values.pop("jobs") or cores()
    training, sha256 = Training.of(values), sha256_of_text(file)
    encoding = {name: values.pop(name) for name in ("encoder", "vectors")}
    reviewed = values.pop("reviewed")
    documents = with_reviews(read_to_learn(file, values, no_labels=False), reviewed)
    check_documents(file, documents, training.tokenizer)
    kept = kept_result(file)
    if method is None:
        method = kept["advice"]["method"] if kept and kept["sha256"] == sha256 else "pte_auto"
    parameters = training.parameters() | {"threads": jobs}
    model = TextClassifier(method=method_named(method).name, **parameters)
    vectors = vectors_of(documents.texts, **encoding)
    labels, groups = documents.labels, documents.groups
    found = model.review(documents.texts, labels, groups, vectors, n_next)
    found = found[~found["row"].isin(documents.answered)]
    rows = [_cells(documents, *row) for row in found.itertuples(index=False, name=None)]
    kind = format_of_name(output.name)
    if kind in ("xlsx", "ods"):
        from pte.files import output_file

        with output_file(output) as temporary:
            write_workbook([HEAD, *rows], temporary, kind, documents.classes)
    else:
        cells = (([_text(each) for each in row], dict(zip(HEAD, row, strict=True))) for row in rows)
        write_records(HEAD, cells, output, as_json, named=True)
    _show(file, output, found, sum(map(bool, documents.named)))


def _cells(documents: Documents, row: int, why: str, *found: Any) -> tuple[Any, ...]:
    label, *_, copies = found
    number = documents.numbers[row] if documents.numbers else row + 1
    text = bytes(documents.texts[row]).decode("utf-8", "replace")
    now = None if label is None or label != label else label
    numbers = (None if p != p else round(float(p), 4) for p in found[2:4])
    return documents.ids[row], number, why, text, now, found[1], *numbers, copies, None


def _text(cell: Any) -> str:
    return "" if cell is None else str(cell)


def _show(file: str, output: Path, found: Any, n_known: int) -> None:
    from pte.classify.review import LOOK, NEXT, RANDOM

    n = Counter(found["why"])
    doubtful = counted(n[LOOK], "label", "labels")
    say(f"{output}: {doubtful} of {n_known:,} to look at, the most doubtful first")
    if more := n[NEXT] + n[RANDOM]:
        say(f"{counted(more, 'text', 'texts')} to label next, {n[RANDOM]:,} of them at random")
    say("\nNext: write into the column `label`: the right label, or the old one where it is right.")
    say("Then:")
    words = ["pte", "evaluate", file, *words_of(typed()), "--reviewed", str(output)]
    say(f"  {command_line(words)}")
