"""The columns that a model was learnt from; `pte fit` writes them into the model's notes."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pte.corpora.columns import LABELS, TEXTS, by_number
from pte.corpora.dialect import DIALECT_KEYS, GivenDialect
from pte.corpora.finding import listed
from pte.corpora.own import FORMATS, format_of

NOTED = "columns"
"""The key of the notes that has the columns."""

MERGED = "merged_labels"
"""The key of the notes that has labels of the file, and the labels that they counted as."""

_OTHER = {"text": "label", "label": "text"}
"""Keys that never name one column."""

OF_LABELS = ("separator", "missing")
"""What goes with the column of the label."""

_FORMS = {**dict.fromkeys(("text", "label", "id", "separator"), str), "missing": [str]}
"""What `noted` writes; users may have notes of another form under these keys."""


def noted(columns: Mapping[str, Any]) -> dict[str, Any]:
    """Return the notes on the columns of documents, as JSON can hold them."""
    keys = ("text", "label", "id", *OF_LABELS)
    return {NOTED: {key: columns[key] for key in keys if columns.get(key)}}


class LearntFrom(NamedTuple):
    """The columns that a model was learnt from, and the labels that counted as others."""

    columns: Mapping[str, Any]
    merges: Mapping[str, str]


def learnt_from(model: Path) -> LearntFrom:
    """Return what a model file says of the file it was learnt from; it need not say anything.

    Notes that have not the form of those of `pte fit` say nothing.
    """
    from pte.array_file import has_form
    from pte.classify.model_file import facts_of

    notes = (facts_of(model) or {}).get("notes")
    found, merges = _noted_in(notes, NOTED), _noted_in(notes, MERGED)
    columns = {
        key: found[key]
        for key, form in _FORMS.items()
        if found.get(key) and has_form(found[key], form)
    }
    return LearntFrom(columns, {old: new for old, new in merges.items() if has_form(new, str)})


def _noted_in(notes: Any, key: str) -> Mapping[str, Any]:
    found = notes.get(key) if isinstance(notes, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def as_learnt(
    path: Path, kind: str | None, given: Mapping[str, Any], learnt: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what a user gave of the columns of a file, and what a model knows of the rest.

    The text, the label and the id are taken from `learnt` if the user names none, and the file has
    these columns; no column becomes that of the text and the label. What was taken is printed. An
    empty name in `given` says that there is no such column.
    """
    found = {name: value for name, value in given.items() if value is not None}
    keys = ("text", "label", "id")
    wanted = {key: learnt[key] for key in keys if key in learnt and key not in found}
    named = {key: str(found[key]) for key in keys if key in found}
    is_numbered = any(map(str.isdecimal, named.values()))
    asks = bool(learnt) and (bool(wanted) or is_numbered)
    if asks and (form := FORMATS[format_of(path, kind)]).has_columns:
        head = _head(path, kind, found, list(wanted.values()))
        if form.reader == "delimited":
            named = {key: by_number(name, head) for key, name in named.items()}
        free = {key: name for key, name in wanted.items() if named.get(_OTHER.get(key, "")) != name}
        taken = {key: name for key, name in free.items() if head.count(name) == 1}
        if taken:
            told = listed([f"the {key} in column {name!r}" for key, name in taken.items()])
            print(f"{path}: {told}, as in training")
        found |= taken
        named |= taken
    if "label" in learnt and named.get("label") == learnt["label"]:
        found |= {key: learnt[key] for key in OF_LABELS if key in learnt and key not in found}
    return found


def _head(path: Path, kind: str | None, given: Mapping[str, Any], names: list[str]) -> list[str]:
    """Return the names of the columns of a file; `names` may be among them."""
    reader = FORMATS[format_of(path, kind)].reader
    if reader == "delimited":
        from pte.corpora.dialect_search import find_dialect

        dialect = GivenDialect(**{key: given[key] for key in DIALECT_KEYS if key in given})
        usual = (*TEXTS, *LABELS, *(name.lower() for name in names if not name.isdecimal()))
        tabs = format_of(path, kind) == "tsv"
        found, first, _ = find_dialect(path, dialect, [], usual, tabs)
        numbers = [str(number + 1) for number in range(len(first))]
        return [name.strip() for name in first] if found.header else numbers
    if reader == "json_lines":
        from pte.corpora.readers import json_lines

        return json_lines.names_of(path, names)
    from pte.corpora.readers import parquet

    return parquet.names_of(path)
