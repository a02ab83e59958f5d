"""JSON of other programs as records with a text and labels: exports of tools that label texts.

Each export is known by its keys. A record that is of no known export stays as it is.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pte.errors import PteError

Record = dict[str, Any]

SURE = 0.5  # a category of spaCy with at least this value is a label


def records_of(file: str, found: Mapping[str, Any]) -> list[Record] | None:
    """Return the records that one JSON object holds; None if it is itself a record.

    It holds them as a list under one key (pandas' "table", AskUbuntu), perhaps deeper (Rasa), as
    rows beside the names of columns (pandas' "split"), or as pairs under names of parts (CLINC).
    """
    if {"columns", "data"} <= found.keys():
        return [dict(zip(found["columns"], row, strict=True)) for row in found["data"]]
    lists = {key: each for key, each in found.items() if _are(each, dict)}
    pairs = {key: each for key, each in found.items() if _are(each, list)}
    if pairs and all(len(row) == 2 for rows in pairs.values() for row in rows):
        named = [(part, *row) for part, rows in pairs.items() for row in rows]
        return [{"part": part, "text": text, "label": label} for part, text, label in named]
    deeper = [each for each in found.values() if isinstance(each, dict)]
    if not lists and len(deeper) == 1 and len(found) == 1:
        return records_of(file, deeper[0])
    if not lists or "text" in found or {"data", "annotations"} <= found.keys():
        return None
    if len(kept := {key: each for key, each in lists.items() if key not in _ASIDE}) != 1:
        raise PteError(f"{file}: lists of objects are under {sorted(lists)}; keep one of them")
    return list(*kept.values())


_ASIDE = ("entities", "fields", "schema", "regex_features", "lookup_tables", "entity_synonyms")
"""Keys whose lists are no documents."""


def _are(value: Any, kind: type) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, kind) for each in value)


def plain(records: Sequence[Record]) -> tuple[Sequence[Record], str]:
    """Return records with a plain text and label, and what they are an export of, or ""."""
    for name, (keys, convert) in EXPORTS.items():
        if records and all(keys <= each.keys() for each in records):
            return [convert(each) for each in records], name
    return records, ""


def _label_studio(record: Record) -> Record:
    results = [r for each in record["annotations"] for r in _given(each)]
    labels = [x for r in results for x in r.get("value", {}).get("choices", ())]
    return {"id": record.get("id"), **record["data"], "label": labels or None}


def _given(annotation: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    if not annotation.get("was_cancelled"):
        yield from annotation.get("result", ())


def _prodigy(record: Record) -> Record:
    """A rejected or ignored label is none; of choices, `accept` has those that were taken."""
    others = {k: v for k, v in record.items() if k not in ("accept", "answer", "options")}
    labels = record.get("accept", record.get("label"))
    return others | {"label": labels or None if record["answer"] == "accept" else None}


def _argilla(record: Record) -> Record:
    responses = record["responses"]
    each = responses.values() if isinstance(responses, dict) else [responses]
    values = [one.get("value") for some in each for one in some or ()]
    return {"id": record.get("id"), **record["fields"], "label": values[0] if values else None}


def _argilla_1(record: Record) -> Record:
    inputs = record.get("inputs") or {"text": record.get("text")}
    status = str(record.get("status", "Validated")).casefold()
    label = record["annotation"] if status == "validated" else None
    return {"id": record.get("id"), **inputs, "label": label}


def _spacy(record: Record) -> Record:
    others = {key: value for key, value in record.items() if key != "cats"}
    return others | {"label": [k for k, v in record["cats"].items() if v >= SURE] or None}


EXPORTS: dict[str, tuple[set[str], Callable[[Record], Record]]] = {
    "Label Studio": ({"data", "annotations"}, _label_studio),
    "Prodigy": ({"text", "answer"}, _prodigy),
    "Argilla": ({"fields", "responses"}, _argilla),
    "Argilla 1": ({"annotation", "status"}, _argilla_1),
    "spaCy": ({"text", "cats"}, _spacy),
}
"""By name: the keys that all records have, and what makes one plain."""
