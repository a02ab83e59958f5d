"""The command that says which words speak for and against a prediction."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from pte.command.documents import Documents, read_texts
from pte.command.flags import OUTPUT, PATH, POSITIVE, common, keep_inputs, reads_texts
from pte.command.shown import write_records
from pte.errors import PteError
from pte.estimators.loading import load


@click.command()
@click.argument("model", type=PATH)
@reads_texts
@click.option("--class", "name", metavar="LABEL", help="Explain this label, not the predicted one.")
@click.option("--top", type=POSITIVE, default=10, show_default=True, help="Words at most.")
@click.option("-o", "--output", type=OUTPUT, help="A file; .csv holds a table, .jsonl JSON.")
@common
def explain(
    model: Path,
    file: str,
    name: str | None,
    top: int,
    output: Path | None,
    as_json: bool,
    **values: Any,
) -> None:
    """Print the words of each document of FILE that speak for and against its label.

    A line has the id, the label, a word, and how much the log-odds of the label fall when the word
    is left out. A negative number speaks against the label.

    \b
    Example:
      echo "a late goal" | pte explain model.npz -
    """
    keep_inputs(output, model, file)
    classifier = load(model)
    if not hasattr(classifier, "explain"):
        raise PteError(f"{model}: this model was fitted without labels; fit one with --label")
    documents = read_texts(file, values.pop("format"), values)
    header = (values["id"] or "document", "label", "word", "log-odds")
    write_records(header, _records(classifier, documents, name, top), output, as_json)


def _records(
    classifier: Any, documents: Documents, name: str | None, top: int
) -> Iterator[tuple[Sequence[str], dict[str, Any]]]:
    """Yield each word of each document, as cells and as an object."""
    names = [str(each) for each in classifier.classes_.tolist()]
    for identity, text in zip(documents.ids, documents.texts, strict=True):
        label = name or names[int(classifier.predict_proba([text])[0].argmax())]
        for word, adds in classifier.explain(text, label, top):
            record = {"id": identity, "label": label, "word": word, "log_odds": adds}
            yield (identity, label, word, f"{adds:+.3f}"), record
