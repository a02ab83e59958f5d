"""The command that says what a file holds, and what is suspicious in it."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from pte.command.flags import OF_LABELS, OF_MERGES, OF_TEXTS, takes
from pte.command.shown import plain, say, show_facts, show_json
from pte.tables.documents import Documents, Finding, read_labelled
from pte.tables.formats import called


@click.command()
@takes(*OF_TEXTS, *OF_LABELS, *OF_MERGES, "--split", "--group", "--tokenizer")
@click.pass_context
def check(
    context: click.Context, /, file: str, tokenizer: str, as_json: bool, **values: Any
) -> None:
    """Say what FILE holds: how it is written, its columns, its classes, and what is suspicious.

    `pte evaluate` and `pte fit` check the same, and print what is suspicious. The exit code is 1 if
    nothing can be learnt from the file. Of a model of `pte fit`, it says how it was made: the code,
    versions, seeds, machine and corpus.

    \b
    Examples:
      pte check reviews.csv --text review --label stars
      pte check model.npz
    """
    if facts := _facts_of_model(file):
        show_json(facts) if as_json else _say_nested(facts)
        return
    from pte.tables.checks import check as checks_of

    documents = _read(file, values)
    refused = any(each.refuse for each in documents.findings)
    checked = checks_of(documents, tokenizer, needs_labels=not refused)
    found = {"file": file, **documents.facts, **checked.to_mapping()}
    if as_json:
        show_json(found)
    else:
        show_facts({key: value for key, value in found.items() if key != "findings"}, False)
        for finding in found["findings"]:
            say(f"{'refused' if finding['refuse'] else 'suspicious'}: {finding['message']}")
    context.exit(int(not checked.is_usable))


def _facts_of_model(file: str) -> dict[str, Any] | None:
    """Return what is known of a model file; None for any other file."""
    from pte.classify.model_file import facts_of
    from pte.files import sha256_of

    facts = facts_of(file)
    return facts and {"file": file, "sha256": sha256_of(Path(file)), "kind": "model", **facts}


def _say_nested(facts: Mapping[str, Any], indent: str = "") -> None:
    for name, value in facts.items():
        if isinstance(value, Mapping) and value:
            say(f"{indent}{name}:")
            _say_nested(value, f"{indent}  ")
        else:
            say(f"{indent}{name}: {'none' if value in (None, [], {}) else plain(value)}")


def _read(file: str, values: dict[str, Any]) -> Documents:
    """Read documents; where nothing says which labels they have, read their texts."""
    documents = read_labelled(file, values, may_lack=True)
    if not (fault := documents.no_labels):
        return documents
    said = str(fault).removeprefix(f"{called(file)}: ")
    unknown = Finding("no_label_column", said, refuse=True)
    return replace(documents, findings=(unknown, *documents.findings))
