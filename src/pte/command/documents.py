"""What commands read, tell the user of it, and keep beside it for later commands."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from pte.command.shown import json_text
from pte.corpora.compressed import HEAD, by_head
from pte.errors import PteError, counted
from pte.tables.columns import NoLabels
from pte.tables.documents import (
    LABEL_KEYS,
    Documents,
    Finding,
    read_labelled,
    read_texts,
    refuse_options,
)
from pte.tables.formats import (
    LINES,
    STANDARD_INPUT,
    TABLES,
    called,
    format_of_name,
    is_stream,
    lines_of,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


NAMES_OF_INPUT = ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")  # other names of standard input


def vectors_of(
    texts: Sequence[bytes], encoder: str | None, vectors: Path | None
) -> "NDArray[np.float32] | None":
    """Return a row for each document: those of a file, or what an encoder makes; else None."""
    from pte import encoders

    if vectors is not None:
        return encoders.read_vectors(vectors, len(texts))
    if encoder is None:
        return None
    from tqdm import tqdm

    whole = len(texts)
    print(f"{encoder}: {whole:,} documents to encode", file=sys.stderr, flush=True)
    with tqdm(total=whole, unit="text", disable=None) as bar:  # on a terminal alone
        return encoders.encode(encoder, texts, lambda done, _: bar.update(done - bar.n))


def warn(file: str, messages: Iterable[str]) -> None:
    """Print what is suspicious in a file, a line for each."""
    for message in messages:
        print(f"Warning: {file}: {message}", file=sys.stderr)


def warn_of(file: str, findings: Iterable[Finding]) -> None:
    """Print the findings that do not refuse documents, a line for each."""
    warn(file, [finding.message for finding in findings if not finding.refuse])


def check_documents(
    file: str, documents: Documents, tokeniser: str, needs_labels: bool = True
) -> list[str]:
    """Print and return what is suspicious in documents to learn from."""
    from pte.tables.checks import check

    checked = check(documents, tokeniser, needs_labels)
    warn_of(file, checked.findings)
    if refused := next((each for each in checked.findings if each.refuse), None):
        raise PteError(f"{file}: {refused.message}")
    return [finding.message for finding in checked.findings]


def read_to_predict(
    file: str,
    values: dict[str, Any],
    unlabelled: bool,
    learnt: Mapping[str, Any],
    keeps: bool = False,
) -> Documents:
    """Read the documents that a model is applied to, and print what is suspicious.

    With `unlabelled`, these are those without a label; with `keeps`, labels are read, too.
    """
    values = dict(values)
    vectors = values.pop("vectors")
    selects = unlabelled or values.get("label") is not None
    kind = values.get("format") or format_of_name(Path(file).name)
    if selects or (keeps and kind in TABLES):
        documents = read_labelled(file, values, learnt, may_lack=True)
    else:
        texts = {name: value for name, value in values.items() if name not in LABEL_KEYS}
        documents = read_texts(file, texts, learnt)
    if selects and documents.no_labels and documents.facts["format"] != "folders":
        raise documents.no_labels
    documents = replace(documents, vectors=vectors_of(documents.texts, None, vectors))
    if selects:
        documents = documents.some([not labels for labels in documents.named])
        if not documents.texts:
            raise PteError(f"{called(file)}: every document has a label")
    warn_of(called(file), documents.findings)
    return documents


def read_to_learn(
    file: str, values: Mapping[str, Any], no_labels: bool, named: bool = False
) -> Documents:
    """Read documents with labels, or without any if `no_labels`; if `named`, it may lack them."""
    if no_labels:
        given = [name.replace("_", "-") for name in (*LABEL_KEYS, "group") if values.get(name)]
        if given:
            raise click.UsageError(f"--no-labels: leave --{given[0]} out")
        documents = read_texts(file, values)
        return replace(documents, named=[()] * len(documents.texts))
    try:
        return read_labelled(file, values, may_lack=named)
    except NoLabels as error:
        raise PteError(f"{error}; or learn without labels: --no-labels") from None


def names_of(given: str | None) -> str | dict[str, list[str]] | None:
    """Return `names` of an estimator: "labels", or those of a table of `class` and `words`."""
    from pte.classify.names import LABELS

    if given in (None, LABELS):
        return given
    file = str(given)
    table = read_labelled(file, {"text": "words", "label": "class"})
    found: dict[str, list[str]] = {}
    for labels, words in zip(table.named, table.texts, strict=True):
        for label in labels:
            found.setdefault(label, []).append(bytes(words).decode("utf-8", "replace"))
    return found


def with_reviews(documents: Documents, files: Iterable[Path] | None) -> Documents:
    """Return documents with the labels that a person wrote into tables of reviews, the last ones.

    Those chosen by a review for their labels are marked, and those that a person answered.
    """
    for file in files or ():
        documents = _with_review(documents, file)
    return documents


def _with_review(documents: Documents, file: Path) -> Documents:
    import numpy as np

    from pte.classify.review import NEXT

    columns = {"text": "text", "label": "label", "id": "id", "group": "why", "predicted": True}
    answers = read_labelled(str(file), columns)
    place, known = {name: i for i, name in enumerate(documents.ids)}, {*documents.classes}
    named, chosen = list(documents.named), np.zeros(len(documents.ids), np.bool_)
    if documents.chosen is not None:
        chosen |= documents.chosen
    groups = answers.groups or [None] * len(answers.ids)
    rows = answers.numbers or range(1, len(answers.ids) + 1)
    answered = []
    table = zip(rows, answers.ids, answers.texts, answers.named, groups, strict=True)
    for row, name, text, labels, why in table:
        if name not in place or _letters(text) != _letters(documents.texts[place[name]]):
            what = "no document" if name not in place else "a document with another text"
            raise PteError(
                f"{file}: {name!r} is {what}; give the --id of the review, or review again"
            )
        if labels:
            merged = tuple(dict.fromkeys(documents.merges.get(each, each) for each in labels))
            warn(f"{file}: row {row}", _new(merged, known))
            known.update(merged)
            named[place[name]] = merged
            chosen[place[name]] |= why == NEXT
            answered.append(place[name])
    written = counted(len(answered), "label", "labels")
    print(f"{file}: {written} written by a person", file=sys.stderr)
    every = (*documents.answered, *answered)
    return replace(documents, named=named, chosen=chosen if chosen.any() else None, answered=every)


def _new(labels: Iterable[str], known: set[str]) -> Iterator[str]:
    """Name labels that no document has, and what may be meant."""
    for label in labels:
        if label not in known:
            near = get_close_matches(label, known, 1)
            yield f"{label!r} is a new class{f'; did you mean {near[0]!r}?' if near else ''}"


def _letters(text: bytes) -> str:
    """Return what no spreadsheet changes in a text."""
    return "".join(filter(str.isalnum, text.decode("utf-8", "replace")))


def is_plain_input() -> bool:
    """Return whether standard input begins as lines in UTF-8 that are not compressed."""
    peek = getattr(sys.stdin.buffer, "peek", None)  # a stream in memory has none
    head = peek(HEAD)[:HEAD] if peek else b""
    return not (by_head(head) or head.startswith((b"\xff\xfe", b"\xfe\xff")))


def lines_of_input(values: Mapping[str, Any]) -> Iterator[bytes]:
    """Yield the lines of standard input as soon as they are there, without space around them."""
    refuse_options(STANDARD_INPUT, LINES, values)
    any_text = False
    for line in lines_of(called(STANDARD_INPUT), sys.stdin.buffer):
        any_text |= bool(line.strip())
        yield line.strip().encode()
    if not any_text:
        raise PteError(f"{called(STANDARD_INPUT)}: it holds no text; put a document on each line")


NOTED, MERGED = "columns", "merged_labels"  # keys in notes and results: columns, merged labels

_FORMS = {**dict.fromkeys(("text", "label", "id", "separator"), str), "missing": [str]}
"""What `noted` writes; users may have notes of another form under these keys."""

KEPT = ".contest.json"  # the end of the name of the file that keeps a result beside the text
FORMAT = 1  # of results; it grows when an older program could not read a new one

_KEPT = {
    "format": range(FORMAT, FORMAT + 1),
    "sha256": str,
    "classes": [{"class": str}],
    "methods": [dict],
    "advice": {"method": str, "label": str},
    MERGED: dict,
    NOTED: dict,
    "group": (str, None),
    "training": {
        **{"dim": int, "samples": (int, str), "window": int, "tokenizer": str, "seed": int},
        "names": (str, None),
    },
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
    """Write a result beside the text."""
    from pte.files import output_file

    path = kept_of(file)
    if is_stream(file):
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
