"""The command that says what a file holds, and what is suspicious in it."""

import sys
from contextlib import redirect_stderr
from dataclasses import replace
from typing import Any

import click

from pte.command.documents import (
    LABEL_KEYS,
    Documents,
    is_stream,
    path_of,
    read_labelled,
    read_texts,
)
from pte.command.flags import (
    GROUP,
    SPLIT,
    TOKENIZER,
    common,
    merges_labels,
    reads_labels,
    reads_texts,
)
from pte.command.shown import say, show_facts, show_json, spoken
from pte.corpora.columns import NoLabels


@click.command()
@reads_texts
@reads_labels
@merges_labels
@SPLIT
@GROUP
@TOKENIZER
@common
@click.pass_context
def check(
    context: click.Context, /, file: str, tokenizer: str, as_json: bool, **values: Any
) -> None:
    """Say what FILE holds: how it is written, its columns, its classes, and what is suspicious.

    `pte evaluate` and `pte fit` check the same, and print what is suspicious. The exit code is 1 if
    nothing can be learnt from the file.

    \b
    Example:
      pte check reviews.csv --text review --label stars
    """
    kind, once = values.pop("format"), is_stream(file)
    # It is read twice where no column has the labels; `path_of` names it in what is printed.
    with path_of(file, kind) as path, redirect_stderr(sys.stdout if once else sys.stderr):
        documents = _read(str(path) if once else file, kind, values)
    refused = any(each.refuse for each in documents.findings)
    checked = documents.checked(tokenizer, needs_labels=not refused)
    found = {"file": file, **documents.facts, **checked.to_mapping()}
    for finding in found["findings"]:
        finding["message"] = spoken(finding["message"])
    if as_json:
        show_json(found)
    else:
        show_facts({key: value for key, value in found.items() if key != "findings"}, False)
        for finding in found["findings"]:
            say(f"{'refused' if finding['refuse'] else 'suspicious'}: {finding['message']}")
    context.exit(int(not checked.is_usable))


def _read(file: str, kind: str | None, values: dict[str, Any]) -> Documents:
    """Read documents; where nothing says which labels they have, read their texts."""
    from pte.corpora.finding import Finding

    try:
        return read_labelled(file, kind, values)
    except NoLabels as error:
        documents = read_texts(file, kind, values | dict.fromkeys(LABEL_KEYS))
        unknown = Finding("no_label_column", str(error).removeprefix(f"{file}: "), refuse=True)
        return replace(documents, findings=(unknown, *documents.findings))
