"""The command that says which words speak for and against a prediction."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from pte.command.documents import read_to_predict
from pte.command.flags import (
    OF_LABELS,
    OF_TEXTS,
    OUTPUT,
    PATH,
    keep_documents,
    takes,
)
from pte.command.kept import learnt_from
from pte.command.predict import check_vectors
from pte.command.shown import write_records
from pte.errors import PteError, called
from pte.tables.documents import Documents

UNKNOWN = "(no known word)"
"""What stands in place of words for a document without a word that the model knows."""


@click.command()
@click.argument("model", type=PATH)
@takes(*OF_TEXTS, *OF_LABELS, "--unlabelled", "--vectors", "--class", "--top")
@click.option("--rows", metavar="IDS", help="Only these: ids or numbers of lines, with commas.")
@click.option("-o", "--output", type=OUTPUT, help="A file; .csv holds a table, .jsonl JSON.")
def explain(
    model: Path,
    file: str,
    output: Path | None,
    as_json: bool,
    **values: Any,
) -> None:
    """Print the words of each document of FILE that speak for and against its label.

    A line has the id, the label, its probability, a word, and how much the log-odds of the label
    fall when the word is left out. A negative number speaks against the label. With `--label`, only
    documents without a label are explained.

    \b
    Examples:
      echo "a late goal" | pte explain model.npz -
      pte explain model.npz reviews.csv --rows 26,31
    """
    keep_documents(output, file, values, model, as_json=as_json)
    from pte.classify import load

    classifier = load(model)
    if not hasattr(classifier, "explain"):
        raise PteError(f"{model}: this model was fitted without labels; fit one with --label")
    wanted, name, top = (values.pop(key) for key in ("rows", "name", "top"))
    unlabelled = values.pop("unlabelled")
    check_vectors(classifier, values["vectors"])
    documents = read_to_predict(file, values, unlabelled, learnt_from(model).columns)
    documents = _chosen(file, documents, wanted)
    header = (values["id"] or "document", "label", "probability", "word", "log-odds")
    write_records(header, _records(classifier, documents, name, top), output, as_json, named=True)


def _chosen(file: str, documents: Documents, wanted: str | None) -> Documents:
    if wanted is None:
        return documents
    names = [name.strip() for name in wanted.split(",") if name.strip()] or [wanted]
    if missing := [name for name in names if name not in documents.ids]:
        said = called(missing[0], documents.unit)
        raise PteError(f"{file}: no document {said} is there to explain; name others in --rows")
    return documents.some([name in names for name in documents.ids])


def _records(
    classifier: Any, documents: Documents, name: str | None, top: int
) -> Iterator[tuple[Sequence[str], dict[str, Any]]]:
    names = [str(each) for each in classifier.classes_.tolist()]
    if name is not None and name not in names:
        raise PteError(f"--class: no label {name!r}; there are {', '.join(names)}")
    n = len(documents.ids)
    for i, identity in enumerate(documents.ids):
        text = documents.some([i == each for each in range(n)]).encoded(classifier)
        likely = classifier.predict_proba(text)[0]
        number = int(likely.argmax()) if name is None else names.index(name)
        label, probability = names[number], float(likely[number])
        same = {"id": identity, "label": label, "probability": probability}
        cells = (identity, label, f"{probability:.4f}")
        words = classifier.explain(text, label, top)
        if not words:
            yield (*cells, UNKNOWN, ""), {**same, "word": None, "log_odds": None}
        for word, adds in words:
            yield (*cells, word, f"{adds:+.3f}"), {**same, "word": word, "log_odds": adds}
