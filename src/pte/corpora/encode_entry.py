"""Turns an entry of the registry into an encoded corpus: reads, checks, splits and encodes it."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pte.corpora.archives import stream_lines, without_mark
from pte.corpora.document import Document, SpooledText, spooled
from pte.corpora.encode import assembled
from pte.corpora.encoded import TEST, TRAIN, EncodedCorpus
from pte.corpora.entry import Recipe
from pte.corpora.finding import shown
from pte.corpora.numbering import Numbered, number
from pte.corpora.readers import read
from pte.corpora.splitting import split_anew
from pte.corpora.tokenise import TOKENISERS
from pte.errors import PteError
from pte.files import sha256_of

NO_FILES = ("archive", "unlabelled", "vocabulary")
"""The roles of archives that a reader does not get as further files."""

_MOST_SHOWN = 20


def read_entry(
    paths: Mapping[str, Path], recipe: Recipe, counts: Counter[str] | None = None
) -> list[Document]:
    """Read an entry's documents; `paths` has archives by role, `counts` gets what is left out."""
    files = {role: path for role, path in paths.items() if role not in NO_FILES}
    documents = _read(paths["archive"], recipe.reader, recipe.options, files, counts)
    more = recipe.unlabelled
    if more is not None:
        others = _read(paths["unlabelled"], more.reader, more.options)
        chosen = sampled(others, more.documents, more.seed)
        documents += [replace(each, label=None, more_labels=(), part=TRAIN) for each in chosen]
    return documents


def _read(path: Path, reader: str, *options: Any) -> list[Document]:
    return spooled(_checked(each, reader) for each in read(path, reader, *options))


def read_words(path: Path) -> frozenset[bytes]:
    """Read a list of words, one on each line; text after a tab is ignored."""
    lines = without_mark(stream_lines(path))
    words = frozenset(line.split(b"\t")[0].strip() for line in lines) - {b""}
    if not words:
        raise PteError(f"{path}: it has no word; put one on each line")
    return words


def sampled(documents: Sequence[Document], size: int, seed: int) -> list[Document]:
    """Choose `size` documents at random, and keep their order."""
    if size > len(documents):
        raise PteError(f"unlabelled: documents is {size}, but there are {len(documents)}")
    chosen = np.random.default_rng(seed).permutation(len(documents))[:size]
    return [documents[i] for i in np.sort(chosen)]


def documents_sha256(documents: Iterable[Document]) -> str:
    """Hash the documents with their labels and parts, however an archive packs them."""
    digest = hashlib.sha256()
    for document in documents:
        labels = "\x1f".join((str(document.label), *document.more_labels))
        head = f"{document.part}\t{labels}\t{len(document.content)}\n"
        digest.update(head.encode())
        digest.update(document.text)
    return digest.hexdigest()


def _checked(document: Document, reader: str) -> Document:
    """Return the document if a reader may yield it."""
    where = f"corpora.yaml: reader {reader}"
    if not isinstance(document.content, bytes | SpooledText) or document.part not in (TRAIN, TEST):
        raise PteError(f"{where}: {document}: text must be bytes, and part TRAIN or TEST")
    if document.label is None and document.more_labels:
        raise PteError(f"{where}: {document}: it has more_labels, but no label")
    names = document.labels if document.group is None else (*document.labels, document.group)
    if not all(isinstance(name, str) and name for name in names):
        raise PteError(
            f"{where}: {document}: labels and the group must be str and not empty; None stands for "
            "no label and no group"
        )
    return document


def _check_parts(documents: Sequence[Document], recipe: Recipe) -> None:
    """Refuse documents without a part, before their hash is compared."""
    tests = sum(document.part == TEST for document in documents)
    if not documents or (recipe.split is None and tests in (0, len(documents))):
        lacks = f"documents is a {'test' if tests == 0 else 'training'} document"
        raise PteError(
            f"corpora.yaml: reader {recipe.reader}: none of its {len(documents)} {lacks}"
        )


class SplitDocuments(NamedTuple):
    """The documents of an entry of the registry after the split, and their hash before it."""

    documents: Sequence[Document]
    sha256: str


def encode_entry(
    documents: Sequence[Document],
    recipe: Recipe,
    threads: int = 1,
    vocabulary: Path | None = None,
    file: Path | None = None,
) -> EncodedCorpus:
    """Encode an entry's documents in the words of the file `vocabulary`; errors name `file`."""
    split = split_entry(documents, recipe, file)
    only = None if vocabulary is None else read_words(vocabulary)
    numbered = number(split.documents, TOKENISERS[recipe.tokeniser], threads, only)
    return assembled_entry(split, numbered, recipe, file)


def split_entry(
    documents: Sequence[Document], recipe: Recipe, file: Path | None = None
) -> SplitDocuments:
    """Check the documents of an entry, and split them as the entry says."""
    _check_parts(documents, recipe)
    digest, expected = documents_sha256(documents), recipe.documents_sha256
    if expected is not None and digest != expected:
        raise PteError(
            f"corpora.yaml: documents_sha256 is {expected}, but the documents that were read hash "
            f"to {digest}, so the archive holds other texts than the registry describes; fetch it "
            "anew, or enter the new hash if you meant to change the texts"
        )
    if recipe.split is not None:
        with _naming(file):
            documents = split_anew(documents, recipe.split)
    return SplitDocuments(documents, digest)


def assembled_entry(
    split: SplitDocuments, numbered: Numbered, recipe: Recipe, file: Path | None = None
) -> EncodedCorpus:
    """Return the corpus of an entry whose words are numbered."""
    with _naming(file):
        _check_class_names(split.documents, recipe.class_names)
        corpus = assembled(split.documents, numbered, recipe.class_names)
    origin = {"documents_sha256": split.sha256, "entry": recipe.to_mapping()}
    return replace(corpus, meta=corpus.meta | origin)


def _check_class_names(documents: Sequence[Document], names: Mapping[str, str]) -> None:
    """Refuse `class_names` with a label that no document has, or with one name for two classes."""
    if not names:
        return
    labels = sorted({label for document in documents for label in document.labels})
    where = "corpora.yaml: class_names"
    if unknown := [label for label in names if label not in labels]:
        there = shown(labels, _MOST_SHOWN)
        raise PteError(f"{where}: no document has the label {unknown[0]!r}; there are {there}")
    counts = Counter(names.get(label, label) for label in labels)
    if twice := [name for name, n in counts.items() if n > 1]:
        raise PteError(f"{where}: two classes are named {twice[0]!r}; give them different names")


@contextmanager
def _naming(file: Path | None) -> Iterator[None]:
    """Let errors begin with the name of `file`, unless it is None."""
    try:
        yield
    except PteError as error:
        raise error if file is None else PteError(f"{file}: {error}") from None


def origin_of(
    archives: Mapping[str, Path], official: Mapping[str, str | None], left_out: Mapping[str, int]
) -> dict[str, dict[str, Any]]:
    """Return what corpus.json records of each archive, by role: file, hash, whether official."""
    hashes = {role: sha256_of(path) for role, path in archives.items()}
    origin: dict[str, dict[str, Any]] = {
        role: {"file": archives[role].name, "sha256": found, "official": found == official[role]}
        for role, found in hashes.items()
    }
    counts = {what: n for what, n in left_out.items() if n}
    return origin | ({"reading": counts} if counts else {})
