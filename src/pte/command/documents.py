"""Documents as commands need them: what they tell the user, and what they refuse."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

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
from pte.tables.formats import LINES, STANDARD_INPUT, TABLES, called, format_of_name, lines_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NAMES_OF_INPUT = ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")
"""Other names of standard input."""


def vectors_of(
    documents: Documents, encoder: str | None, vectors: Path | None
) -> "NDArray[np.float32] | None":
    """Return a row for each document: those of a file, or what an encoder makes; else None."""
    from pte import encoders

    if vectors is not None:
        return encoders.read_vectors(vectors, len(documents.texts))
    if encoder is None:
        return None
    from tqdm import tqdm

    whole = len(documents.texts)
    print(f"{encoder}: {whole:,} documents to encode", file=sys.stderr, flush=True)
    with tqdm(total=whole, unit="text", disable=None) as bar:  # on a terminal alone
        return encoders.encode(encoder, documents.texts, lambda done, _: bar.update(done - bar.n))


def warn(file: str, messages: Iterable[str]) -> None:
    """Print what is suspicious in a file, a line for each."""
    for message in messages:
        print(f"Warning: {file}: {message}", file=sys.stderr)


def warn_of(file: str, findings: Iterable[Finding]) -> None:
    """Print the findings that do not refuse documents, a line for each."""
    warn(file, [finding.message for finding in findings if not finding.refuse])


def check_documents(
    file: str,
    documents: Documents,
    tokeniser: str,
    needs_labels: bool = True,
    told: Sequence[str] = (),
) -> list[str]:
    """Print and return what is suspicious in documents to learn from; count what was `told`."""
    from pte.tables.checks import check

    checked = check(documents, tokeniser, needs_labels)
    if again := [each for each in checked.findings if each.message in told]:
        said = counted(len(again), "warning", "warnings")
        print(f"{file}: {said} as by `pte evaluate`", file=sys.stderr)
    warn_of(file, [each for each in checked.findings if each not in again])
    checked.require_usable(file)
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
    if unlabelled or values.get("label") is not None:
        documents = read_labelled(file, values, learnt, may_lack=True)
        if documents.no_labels and documents.facts["format"] != "folders":
            raise documents.no_labels
        documents = replace(documents, vectors=vectors_of(documents, None, vectors))
        documents = documents.some([not labels for labels in documents.named])
        if not documents.texts:
            raise PteError(f"{called(file)}: every document has a label")
    else:
        texts = {name: value for name, value in values.items() if name not in LABEL_KEYS}
        kind = values.get("format") or format_of_name(Path(file).name)
        if keeps and kind in TABLES:
            documents = read_labelled(file, values, learnt, may_lack=True)
        else:
            documents = read_texts(file, texts, learnt)
        documents = replace(documents, vectors=vectors_of(documents, None, vectors))
    warn_of(called(file), documents.findings)
    return documents


def read_to_learn(
    file: str,
    values: Mapping[str, Any],
    no_labels: bool,
    learnt: Mapping[str, Any] | None = None,
) -> Documents:
    """Read documents with labels, or without any if `no_labels`; `learnt` has a model's columns."""
    if no_labels:
        given = [name.replace("_", "-") for name in (*LABEL_KEYS, "group") if values.get(name)]
        if given:
            raise click.UsageError(f"--no-labels: leave --{given[0]} out")
        documents = read_texts(file, values, learnt)
        return replace(documents, named=[()] * len(documents.texts))
    try:
        return read_labelled(file, values, learnt)
    except NoLabels as error:
        raise PteError(f"{error}; or learn without labels: --no-labels") from None


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
