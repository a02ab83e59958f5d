"""The columns that a model was learnt from; `pte fit` writes them into the model's notes."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

NOTED = "columns"
"""The key of the notes that has the columns."""

MERGED = "merged_labels"
"""The key of the notes that has labels of the file, and the labels that they counted as."""

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
