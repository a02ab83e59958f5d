"""Turns documents into an encoded corpus: splits, tokenises, numbers and counts them."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pte.corpora.archives import stream_lines
from pte.corpora.document import Document, spooled
from pte.corpora.encoded import TEST, TRAIN, UNLABELLED, EncodedCorpus
from pte.corpora.entry import HeldOut, Recipe, Shuffle
from pte.corpora.held_out import held_out
from pte.corpora.numbering import Numbered, number
from pte.corpora.own_text import check_own, check_taught, with_ids_and_warnings
from pte.corpora.reading import read
from pte.corpora.spool import SpooledText
from pte.corpora.tokenise import Tokeniser
from pte.errors import PteError
from pte.files import sha256_of

NO_FILES = ("archive", "unlabelled", "vocabulary")
"""Roles of archives that no reader gets as a further file."""


def shuffled_split(documents: Sequence[Document], train: int, seed: int) -> list[Document]:
    """Split the documents anew: shuffle the labelled ones, and train with the first `train`.

    The unlabelled ones follow in their order, for training, too. Raises `PteError` when one part
    would have no labelled document.
    """
    labelled = [document for document in documents if document.label is not None]
    if not 0 < train < len(labelled):
        raise PteError(f"split: train is {train}, but there are {len(labelled)} labelled documents")
    order = np.random.default_rng(seed).permutation(len(labelled))
    shuffled = [
        replace(labelled[i], part=TRAIN if rank < train else TEST) for rank, i in enumerate(order)
    ]
    return shuffled + [replace(d, part=TRAIN) for d in documents if d.label is None]


def split_anew(documents: Sequence[Document], split: Shuffle | HeldOut) -> list[Document]:
    """Split the documents as a recipe says."""
    if isinstance(split, HeldOut):
        return held_out(documents, split.test, split.seed)
    return shuffled_split(documents, split.train, split.seed)


def sampled(documents: Sequence[Document], size: int, seed: int) -> list[Document]:
    """Choose `size` documents at random, in their order. Raises `PteError` if there are fewer."""
    if size > len(documents):
        raise PteError(f"unlabelled: documents is {size}, but there are {len(documents)}")
    chosen = np.random.default_rng(seed).permutation(len(documents))[:size]
    return [documents[i] for i in np.sort(chosen)]


def read_entry(
    paths: Mapping[str, Path], recipe: Recipe, counts: Counter[str] | None = None
) -> list[Document]:
    """Read the documents of an entry of the registry.

    `paths` has its archives by their roles, as `CorpusEntry.roles` names them. `counts` gets what
    the reader leaves out. Raises `PteError` when an archive is not as its reader needs it.
    """
    files = {role: path for role, path in paths.items() if role not in NO_FILES}
    documents = _read(paths["archive"], recipe.reader, recipe.options, files, counts)
    more = recipe.unlabelled
    if more is not None:
        others = _read(paths["unlabelled"], more.reader, more.options)
        documents += sampled(others, more.documents, more.seed)
    if recipe.own:
        check_own(paths["archive"], documents, recipe.split is None)
    return documents


def _read(path: Path, reader: str, *options: Any) -> list[Document]:
    """Read the documents with their texts in a file, but those that are none as they are."""
    return spooled(_checked(each, reader) for each in read(path, reader, *options))


def read_words(path: Path) -> frozenset[bytes]:
    """Read a list of words, one on each line; what stands behind a tab does not matter.

    The file is plain or compressed. Raises `PteError` when it is damaged or has no word.
    """
    words = frozenset(line.split(b"\t")[0].strip() for line in stream_lines(path)) - {b""}
    if not words:
        raise PteError(f"{path}: it has no word; put one on each line")
    return words


def documents_sha256(documents: Iterable[Document]) -> str:
    """Hash the documents with their labels and parts, in order, whatever archive held them."""
    digest = hashlib.sha256()
    for document in documents:
        labels = "\x1f".join((str(document.label), *document.more_labels))
        head = f"{document.part}\t{labels}\t{len(document.content)}\n"
        digest.update(head.encode())
        digest.update(document.text)
    return digest.hexdigest()


def encode(
    documents: Sequence[Document],
    tokeniser: Tokeniser,
    class_names: Mapping[str, str] | None = None,
    threads: int = 1,
    only: frozenset[bytes] | None = None,
) -> EncodedCorpus:
    """Number the words and the classes of a corpus.

    The vocabulary has the words of the training part, labelled or not. The most frequent come
    first; ties are in the order of their bytes. Classes are in the order of their labels, and
    `class_names` renames them. All tokens that are not in `only` are left out, as if the text did
    not have them, so that their neighbours come next to each other. The result does not depend on
    `threads`. If any document has more than one label, the corpus has `memberships`.

    A token is a byte string, so bytes that do not decode stay as they are. An empty document stays,
    without tokens. Test words that are not in the vocabulary are dropped; a test document that has
    no other stays, too. `meta` counts all these.

    Raises `PteError` when no training document has a token, when a test document has no label, and
    when a class has no training document, because no classifier could predict it.
    """
    return assembled(documents, number(documents, tokeniser, threads, only), class_names)


def assembled(
    documents: Sequence[Document],
    numbered: Numbered,
    class_names: Mapping[str, str] | None = None,
) -> EncodedCorpus:
    """The corpus of documents whose words are numbered; all else is as `encode` says."""
    part = np.array([document.part for document in documents], np.uint8)
    lengths, known = numbered.lengths, numbered.known
    if not numbered.words:
        raise PteError("corpus: no training document holds a token; is the tokeniser right?")
    labels, memberships, classes = _number_classes(documents)

    meta: dict[str, int | float] = {
        "documents": len(documents),
        "train": int((part == TRAIN).sum()),
        "labelled_train": int(((part == TRAIN) & (labels != UNLABELLED)).sum()),
        "test": int((part == TEST).sum()),
        "vocabulary": len(numbered.words),
        "classes": len(classes),
        "mean_document_length": float(lengths.mean()),
        "tokens": int(lengths.sum()),
        "training_tokens": int(lengths[part == TRAIN].sum()),
        "test_tokens_dropped": int((lengths - known).sum()),
        "empty_documents": int((lengths == 0).sum()),
        "documents_without_known_word": int(((known == 0) & (lengths > 0)).sum()),
        "test_texts_also_in_train": _test_texts_in_train(documents),
    }
    if memberships is not None:
        meta["labels"] = len(memberships)
    names = class_names or {}
    return EncodedCorpus(
        tokens=numbered.tokens,
        offsets=np.concatenate([[0], np.cumsum(known)]),
        labels=labels,
        split=part,
        words=numbered.words,
        classes=tuple(names.get(label, label) for label in classes),
        meta={"counts": meta},
        groups=_number_groups(documents),
        memberships=memberships,
    )


def _checked(document: Document, reader: str) -> Document:
    """The document. Raises `PteError` when no reader may yield it."""
    where = f"corpora.yaml: reader {reader}"
    if not isinstance(document.content, bytes | SpooledText) or document.part not in (TRAIN, TEST):
        raise PteError(f"{where}: {document}: text must be bytes, and part TRAIN or TEST")
    if document.label is None and document.more_labels:
        raise PteError(f"{where}: {document}: it has more_labels, but no label")
    return document


def _check_documents(documents: Sequence[Document], recipe: Recipe) -> None:
    """Refuse what a reader must not yield, before its hash is asked about."""
    where = f"corpora.yaml: reader {recipe.reader}"
    for document in documents:
        _checked(document, recipe.reader)
    tests = sum(document.part == TEST for document in documents)
    if not documents or (recipe.split is None and tests in (0, len(documents))):
        lacks = "test" if tests == 0 else "training"
        raise PteError(f"{where}: none of its {len(documents)} documents is a {lacks} document")


def _number_classes(
    documents: Sequence[Document],
) -> tuple[NDArray[np.int32], NDArray[np.int32] | None, list[str]]:
    """The first label of each document, the pairs if any document has several, and the classes."""
    trained = {label for d in documents if d.part == TRAIN for label in d.labels}
    for document in documents:
        if document.part == TEST and document.label is None:
            raise PteError("corpus: a test document has no label; put it into the training part")
        for label in document.labels:
            if label not in trained:
                raise PteError(
                    f"corpus: class {label!r} has no training document; "
                    "remove its test documents or label some for training"
                )
    classes = sorted(trained)
    ids: dict[str | None, int] = {label: i for i, label in enumerate(classes)}
    ids[None] = UNLABELLED
    firsts = np.array([ids[document.label] for document in documents], np.int32)
    if not any(document.more_labels for document in documents):
        return firsts, None, classes
    pairs = {(d, ids[label]) for d, each in enumerate(documents) for label in each.labels}
    return firsts, np.array(sorted(pairs), np.int32), classes


def _number_groups(documents: Sequence[Document]) -> np.ndarray | None:
    """Groups in the order in which they come, -1 for a document without; None if none has one."""
    ids: dict[str, int] = {}
    groups = [-1 if d.group is None else ids.setdefault(d.group, len(ids)) for d in documents]
    return np.array(groups, np.int32) if ids else None


def _test_texts_in_train(documents: Sequence[Document]) -> int:
    tests = Counter(_digest(document) for document in documents if document.part == TEST)
    train = {text for d in documents if d.part == TRAIN and (text := _digest(d)) in tests}
    return sum(tests[text] for text in train)


def _digest(document: Document) -> bytes:
    """16 bytes that stand for the text without white space around it."""
    return hashlib.blake2b(document.text.strip(), digest_size=16).digest()


class SplitDocuments(NamedTuple):
    """The documents of an entry of the registry, in their parts, and their hash before that."""

    documents: Sequence[Document]
    sha256: str


def encode_entry(
    documents: Sequence[Document],
    recipe: Recipe,
    tokenisers: Mapping[str, Tokeniser],
    threads: int = 1,
    vocabulary: Path | None = None,
    file: Path | None = None,
) -> EncodedCorpus:
    """Encode the documents of an entry of the registry.

    `tokenisers` has the tokenisers by their names. `vocabulary` is a file as `read_words` reads it:
    other words are left out. `meta` records the hash of the documents. Raises `PteError` when it is
    not that of the entry, if that has one, and as `split_anew` and `encode` do; these name `file`,
    where it is given.
    """
    split = split_entry(documents, recipe, file)
    only = None if vocabulary is None else read_words(vocabulary)
    tokeniser = tokenisers[recipe.tokeniser]
    numbered = number(split.documents, tokeniser, threads, only)
    return assembled_entry(split, numbered, recipe, tokeniser, file)


def split_entry(
    documents: Sequence[Document], recipe: Recipe, file: Path | None = None
) -> SplitDocuments:
    """Check the documents of an entry of the registry, and split them as it says.

    Raises `PteError` as `encode_entry` does.
    """
    _check_documents(documents, recipe)
    digest, expected = documents_sha256(documents), recipe.documents_sha256
    if expected is not None and digest != expected:
        raise PteError(
            f"corpora.yaml: documents_sha256 is {expected}, but the documents that were read hash "
            f"to {digest}, so the archive holds other texts than the registry describes; fetch it "
            "anew, or enter the new hash if you meant to change the texts"
        )
    with _naming(file):
        if recipe.split is not None:
            documents = split_anew(documents, recipe.split)
        if all(document.part != TEST for document in documents):
            raise PteError("corpus: no document is a test document; check the files and the split")
    return SplitDocuments(documents, digest)


def assembled_entry(
    split: SplitDocuments,
    numbered: Numbered,
    recipe: Recipe,
    tokeniser: Tokeniser,
    file: Path | None = None,
) -> EncodedCorpus:
    """The corpus of an entry whose words are numbered. Raises `PteError` as `encode_entry` does."""
    with _naming(file):
        corpus = assembled(split.documents, numbered, recipe.class_names)
        if recipe.own:
            check_taught(corpus)
    if recipe.own:
        corpus = with_ids_and_warnings(corpus, split.documents, tokeniser)
    origin = {"documents_sha256": split.sha256, "entry": recipe.to_mapping()}
    return replace(corpus, meta=corpus.meta | origin)


@contextmanager
def _naming(file: Path | None) -> Iterator[None]:
    """Let errors begin with the name of a file, if there is one."""
    try:
        yield
    except PteError as error:
        raise error if file is None else PteError(f"{file}: {error}") from None


def origin_of(
    archives: Mapping[str, Path], official: Mapping[str, str | None], left_out: Mapping[str, int]
) -> dict[str, dict[str, Any]]:
    """What corpus.json records of archives, by their roles: the file, its hash, whether official.

    `official` has the hashes of the archives as they were published. `left_out` counts what their
    readers left out, and is recorded as `reading` if there is any.
    """
    hashes = {role: _sha256_of(path) for role, path in archives.items()}
    origin: dict[str, dict[str, Any]] = {
        role: {"file": archives[role].name, "sha256": found, "official": found == official[role]}
        for role, found in hashes.items()
    }
    counts = {what: n for what, n in left_out.items() if n}
    return origin | ({"reading": counts} if counts else {})


def _sha256_of(path: Path) -> str:
    """The hash of a file; that of a folder is of the names and the hashes of its files."""
    if not path.is_dir():
        return sha256_of(path)
    digest = hashlib.sha256()
    for file in sorted(file for file in path.rglob("*") if file.is_file()):
        digest.update(f"{file.relative_to(path).as_posix()}\0{sha256_of(file)}\n".encode())
    return digest.hexdigest()
