"""Turns an entry of the registry into an encoded corpus: reads, checks, splits and encodes it."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from pte.corpora.archives import stream_lines, without_mark
from pte.corpora.document import Document, SpooledText, spooled
from pte.corpora.encode import encode
from pte.corpora.encoded import TEST, TRAIN, EncodedCorpus
from pte.corpora.entry import DISTRIBUTED, Recipe
from pte.corpora.readers import read
from pte.corpora.tokenise import TOKENISERS
from pte.errors import PteError, shown
from pte.files import sha256_of

NO_FILES = ("archive", "unlabelled", "vocabulary")  # roles that are no further files of a reader

_MOST_SHOWN = 20


def read_entry(
    paths: Mapping[str, Path], recipe: Recipe, counts: Counter[str] | None = None
) -> list[Document]:
    """Read an entry's documents; `paths` has archives by role, `counts` gets what is left out."""
    files = {role: path for role, path in paths.items() if role not in NO_FILES}
    documents = _read(paths["archive"], recipe.reader, recipe.options, files, counts)
    more = recipe.unlabelled
    if more is not None:
        others = _read(paths["unlabelled"], more["reader"], more["options"])
        if (most := more["documents"]) > len(others):
            raise PteError(f"unlabelled: documents is {most}, but there are {len(others)}")
        chosen = np.random.default_rng(more["seed"]).permutation(len(others))[:most]
        documents += [
            replace(others[i], label=None, more_labels=(), part=TRAIN) for i in np.sort(chosen)
        ]
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
    names = document.labels if document.group is None else (*document.labels, document.group)
    if not (
        isinstance(document.content, bytes | SpooledText)
        and document.part in (TRAIN, TEST)
        and (document.label is not None or not document.more_labels)
        and all(isinstance(name, str) and name for name in names)
    ):
        raise PteError(
            f"corpora.yaml: reader {reader}: {document}: text must be bytes, part TRAIN or TEST, "
            "and labels and the group str and not empty; None stands for no label and no group"
        )
    return document


def encode_entry(
    documents: Sequence[Document],
    recipe: Recipe,
    vocabulary: Path | None = None,
    file: Path | None = None,
) -> EncodedCorpus:
    """Encode an entry's documents in the words of the file `vocabulary`; errors name `file`."""
    split, digest = split_entry(documents, recipe, file)
    only = None if vocabulary is None else read_words(vocabulary)
    with _naming(file):
        _check_class_names(split, recipe.class_names)
        corpus = encode(split, TOKENISERS[recipe.tokeniser], recipe.class_names, only)
    origin = {"documents_sha256": digest, "entry": recipe.to_mapping()}
    return replace(corpus, meta=corpus.meta | origin)


def split_entry(
    documents: Sequence[Document], recipe: Recipe, file: Path | None = None
) -> tuple[Sequence[Document], str]:
    """Check an entry's documents, and split them as it says; return also their hash before it."""
    tests = sum(document.part == TEST for document in documents)
    if not documents or (recipe.split["rule"] == DISTRIBUTED and tests in (0, len(documents))):
        lacks = f"documents is a {'test' if tests == 0 else 'training'} document"
        raise PteError(
            f"corpora.yaml: reader {recipe.reader}: none of its {len(documents)} {lacks}"
        )
    digest, expected = documents_sha256(documents), recipe.documents_sha256
    if expected is not None and digest != expected:
        raise PteError(
            f"corpora.yaml: documents_sha256 is {expected}, but the documents that were read hash "
            f"to {digest}, so the archive holds other texts than the registry describes; fetch it "
            "anew, or enter the new hash if you meant to change the texts"
        )
    if recipe.split["rule"] != DISTRIBUTED:
        with _naming(file):
            documents = split_anew(documents, recipe.split)
    return documents, digest


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


def split_anew(documents: Sequence[Document], split: Mapping[str, Any]) -> list[Document]:
    """Split the documents as the `split` of a recipe says."""
    rules: dict[str, Callable[..., list[Document]]]
    rules = {"shuffled": shuffled_split, "rotated": rotated, "held_out": held_out}
    given = dict(split)
    return rules[given.pop("rule")](documents, **given)


def shuffled_split(documents: Sequence[Document], train: int, seed: int) -> list[Document]:
    """Shuffle the labelled documents, and train with the first `train` and all unlabelled ones."""
    labelled = [document for document in documents if document.label is not None]
    if not 0 < train < len(labelled):
        raise PteError(f"split: train is {train}, but there are {len(labelled)} labelled documents")
    order = np.random.default_rng(seed).permutation(len(labelled))
    shuffled = [
        replace(labelled[i], part=TRAIN if rank < train else TEST) for rank, i in enumerate(order)
    ]
    return shuffled + [replace(d, part=TRAIN) for d in documents if d.label is None]


def rotated(documents: Sequence[Document], part: int, seed: int) -> list[Document]:
    """Let test documents change places with part number `part`, from 1 on, of shuffled training."""
    tests = sum(document.part == TEST for document in documents)
    others = [i for i, d in enumerate(documents) if d.part == TRAIN and d.label is not None]
    shuffled = np.random.default_rng(seed).permutation(others)
    chosen = {int(i) for i in shuffled[(part - 1) * tests : part * tests]}
    if not 0 < len(chosen) == tests:
        raise PteError(
            f"split: part is {part}, but {len(others)} labelled training documents have "
            f"{len(others) // max(tests, 1)} parts of {tests} documents"
        )
    return [replace(each, part=TEST if i in chosen else TRAIN) for i, each in enumerate(documents)]


def held_out(documents: Sequence[Document], test: float, seed: int) -> list[Document]:
    """Hold out about a share `test` of the labelled documents, of each class and by whole groups.

    Groups and lone documents, in a random order, are held out if that brings the classes nearer to
    their shares. Each class keeps a document for training.
    """
    units = _units(documents)
    names = [[name for i in unit for name in documents[i].labels] for unit in units]
    sizes = Counter(name for each in names for name in each)
    quotas = _quotas(sizes, test)
    taken: Counter[str] = Counter()
    tests: set[int] = set()
    for i in np.random.default_rng(seed).permutation(len(units)):
        added = Counter(names[i])
        nearer = sum(
            abs(taken[name] + many - quotas[name]) - abs(taken[name] - quotas[name])
            for name, many in added.items()
        )
        if nearer < 0 and all(taken[name] + many < sizes[name] for name, many in added.items()):
            taken.update(added)
            tests.update(units[i])
    if not tests:
        grouped = any(document.group is not None for document in documents)
        labelled = sum(document.label is not None for document in documents)
        what = "group of documents" if grouped else "document"
        raise PteError(
            f"test is {test}: of {labelled} labelled documents, no {what} can be held out; label "
            "more, give a larger share, or say in a column `split` which are for the test"
        )
    return [
        replace(document, part=TEST if i in tests and document.label is not None else TRAIN)
        for i, document in enumerate(documents)
    ]


def _units(documents: Sequence[Document]) -> list[list[int]]:
    """Return groups, and documents without a group, that have a label, as arrays of indices."""
    groups: dict[str, list[int]] = defaultdict(list)
    units = []
    for i, document in enumerate(documents):
        if document.group is not None:
            groups[document.group].append(i)
        elif document.label is not None:
            units.append([i])
    return units + [g for g in groups.values() if any(documents[i].label is not None for i in g)]


def _quotas(sizes: Mapping[str, int], share: float) -> dict[str, int]:
    """Return how many documents of each class to hold out, by largest remainders, never all."""
    quotas = {name: min(int(share * size), size - 1) for name, size in sizes.items()}
    missing = round(share * sum(sizes.values())) - sum(quotas.values())
    by_remainder = sorted(sizes, key=lambda name: (quotas[name] - share * sizes[name], name))
    for name in by_remainder:
        if missing > 0 and quotas[name] < sizes[name] - 1:
            quotas[name] += 1
            missing -= 1
    return quotas
