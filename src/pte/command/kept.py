"""What commands leave for later ones: a contest beside its text, and notes in a model."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from pte.command.shown import json_text
from pte.errors import PteError
from pte.tables.formats import is_stream

NOTED, MERGED = "columns", "merged_labels"
"""The keys of columns, and of labels with what they counted as, in notes and in results."""

_FORMS = {**dict.fromkeys(("text", "label", "id", "separator"), str), "missing": [str]}
"""What `noted` writes; users may have notes of another form under these keys."""

KEPT = ".contest.json"
"""The end of the name of the file that keeps a result beside the text."""

FORMAT = 1
"""The version of the format of results. It grows when an older program could not read a new one."""

_KEPT = {
    "format": range(FORMAT, FORMAT + 1),
    "sha256": str,
    "classes": [{"class": str}],
    "methods": [dict],
    "advice": {"method": str, "label": str},
    MERGED: dict,
    NOTED: dict,
    "group": (str, None),
    "training": {"dim": int, "samples": (int, str), "window": int, "tokenizer": str, "seed": int},
    "warnings": [str],
}
"""What `pte fit` takes from a result, in a form of `pte.array_file.has_form`."""


def kept_of(file: str) -> Path:
    """Return the file that keeps the result of a contest on a text."""
    path = Path(file)
    if path.name in ("", ".."):
        path = path.resolve()
    return path.with_name(path.name + KEPT)


def kept_result(file: str) -> dict[str, Any] | None:
    """Return the result beside a text; None if there is none that this version can read."""
    from pte.array_file import has_form, parsed

    try:
        if is_stream(file) or not kept_of(file).is_file():  # a pipe would be waited for
            return None
        kept: dict[str, Any] = parsed(kept_of(file).read_bytes())
    except (OSError, ValueError):
        return None
    is_kept = has_form(kept, _KEPT) and has_form(list(kept[MERGED].values()), [str])
    return kept if is_kept else None


def is_about(result: Mapping[str, Any], columns: Mapping[str, Any], classes: Sequence[str]) -> bool:
    """Return whether a contest was on the text and labels in these columns, with these classes."""
    same = all(result[NOTED].get(key) == columns.get(key) for key in ("text", "label"))
    return same and [each["class"] for each in result["classes"]] == list(classes)


def keep(result: Mapping[str, Any], file: str) -> None:
    """Write a result beside the text, but not over a larger contest of the same texts."""
    from pte.files import output_file

    if is_stream(file):
        return
    path, before = kept_of(file), kept_result(file)
    classes = [each["class"] for each in result["classes"]]
    same = before is not None and before["sha256"] == result["sha256"]
    if before and same and is_about(before, result[NOTED], classes):
        many = len(before["methods"])
        if many > len(result["methods"]):
            what = f"keeps the contest of {many} methods, which advises {before['advice']['label']}"
            click.echo(f"{path}: {what}; delete the file to keep a smaller one", err=True)
            return
    try:
        with output_file(path) as temporary:
            temporary.write_text(json_text(result), "utf-8")
        click.echo(f"{path}: kept here, for `pte fit`", err=True)
    except (OSError, PteError) as error:  # the folder of a text may be another's
        why = error.strerror if isinstance(error, OSError) else error
        click.echo(f"Warning: {path}: not written: {why}", err=True)


def noted(columns: Mapping[str, Any]) -> dict[str, Any]:
    """Return the notes on the columns of documents, as JSON can hold them."""
    return {NOTED: {key: columns[key] for key in _FORMS if columns.get(key)}}


class LearntFrom(NamedTuple):
    """The columns that a model was learnt from, and the labels that counted as others."""

    columns: Mapping[str, Any]
    merges: Mapping[str, str]


def learnt_from(model: Path) -> LearntFrom:
    """Return what a model file says of the file it was learnt from, if its notes are ours."""
    from pte.array_file import has_form
    from pte.classify.model_file import facts_of

    notes: Any = (facts_of(model) or {}).get("notes")
    found, merges = (notes[k] if has_form(notes, {k: dict}) else {} for k in (NOTED, MERGED))
    forms = {key: form for key, form in _FORMS.items() if found.get(key)}
    columns = {key: found[key] for key, form in forms.items() if has_form(found[key], form)}
    return LearntFrom(columns, {old: new for old, new in merges.items() if has_form(new, str)})
