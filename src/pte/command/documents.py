"""Documents of a file or of standard input, read for the commands by the readers of own text."""

import os
import shlex
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, redirect_stdout
from dataclasses import dataclass, field, replace
from io import StringIO
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from pte import bounds
from pte.corpora.columns import NoIds, NoLabels, SeveralLabels
from pte.corpora.compressed import HEAD, by_head, uncompressed
from pte.corpora.own import FORMATS, format_of_name
from pte.errors import PteError, naming

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pte.classify.folds import Collection
    from pte.corpora.checking import Checked
    from pte.corpora.document import Document
    from pte.corpora.encoded import EncodedCorpus
    from pte.corpora.finding import Finding
    from pte.corpora.own import TextReading

STANDARD_INPUT = "-"
NAMES_OF_INPUT = ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")
"""Other names of standard input."""

LINES = "lines"
"""The format of plain text: a document on each line, without labels."""

_BLOCK = 2**20
"""How many bytes of a stream are copied at once."""

MOST_SHOWN = 3
"""How many labels that count as others are named."""

LABEL_KEYS = ("label", "separator", "missing", "same", "ignore_case")
"""The options that say which labels documents have."""


@dataclass(frozen=True)
class Documents:
    """The documents of a file, and whether the file says which documents train.

    `order_lost` says whether the file has counts of words and not their order.
    """

    found: "tuple[Document, ...]"
    is_split: bool = False
    facts: Mapping[str, Any] = field(default_factory=dict)
    """How the file is read: its format, and for a table its dialect and its columns."""
    findings: "tuple[Finding, ...]" = ()
    """What is suspicious in how the file was read."""
    order_lost: bool = False
    columns: Mapping[str, Any] = field(default_factory=dict)
    """The columns that were named or found, by their keys."""
    unit: str = ""
    """What a number counts that is an id, such as "line"; empty if ids are names."""
    merges: Mapping[str, str] = field(default_factory=dict)
    """Labels of the file that were replaced, and the labels in their place."""
    vectors: "NDArray[np.float32] | None" = None
    """What an encoder made of each document; None if no file has it."""

    def collection(self) -> "Collection":
        """Return the documents as a contest takes them."""
        import numpy as np

        from pte.classify.folds import Collection
        from pte.classify.given import read_labels
        from pte.corpora.parts import TEST

        labels = read_labels(self.labels, len(self.found))
        assert labels is not None
        tests = np.array([each.part == TEST for each in self.found]) if self.is_split else None
        groups = [each.group for each in self.found]
        return Collection(self.texts, labels, self.ids, groups, tests, self.order_lost, self.unit)

    @property
    def texts(self) -> list[bytes]:
        """The text of each document."""
        return [document.text for document in self.found]

    @property
    def ids(self) -> list[str]:
        """The id of each document: a field of a column, the number of its line, or its path."""
        return [str(document.id) for document in self.found]

    @property
    def labels(self) -> list[Any]:
        """The label of each document, or None; lists of labels if any document has several."""
        if any(document.more_labels for document in self.found):
            return [list(document.labels) or None for document in self.found]
        return [document.label for document in self.found]

    def some(self, wanted: Sequence[bool]) -> "Documents":
        """Return the documents that a mask marks, with their vectors."""
        rows = None if self.vectors is None else self.vectors[list(wanted)]
        return replace(self, found=tuple(compress(self.found, wanted)), vectors=rows)

    def encoded(self, model: Any) -> "EncodedCorpus":
        """Return the documents in the words of a fitted model, with their vectors."""
        given = {} if self.vectors is None else {"vectors": self.vectors}
        corpus: EncodedCorpus = model.encode(self.texts, **given)
        return corpus

    @property
    def groups(self) -> list[str | None] | None:
        """The group of each document, or None; None if no document has a group."""
        found = [document.group for document in self.found]
        return found if any(found) else None

    def tokeniser(self, given: str) -> str:
        """Return the name of the tokeniser: the `given` one, unless the order of words is lost."""
        return "whitespace" if self.order_lost else given

    def checked(self, tokeniser: str, needs_labels: bool) -> "Checked":
        """Find what is suspicious, as `pte.corpora.checking.check` does; `tokeniser` is a name."""
        from pte.corpora.checking import check
        from pte.corpora.tokenise import TOKENISERS

        return check(
            self.found,
            is_split=self.is_split,
            needs_labels=needs_labels,
            found=self.findings,
            tokeniser=TOKENISERS[self.tokeniser(tokeniser)],
            unit=self.unit,
        )

    def ungrouped(self) -> "Documents":
        """Return the documents as if no column had groups."""
        found = tuple(replace(each, group=None) for each in self.found)
        return replace(self, found=found, columns={**self.columns, "group": None})

    @property
    def classes(self) -> list[str]:
        """The distinct labels, in ascending order."""
        return sorted({label for document in self.found for label in document.labels})


def vectors_of(
    documents: Documents, encoder: str | None, vectors: Path | None
) -> "NDArray[np.float32] | None":
    """Return a row for each document: those of a file, or what an encoder makes of the texts.

    None if there is neither. Raises `PteError` as `pte.encoders` does.
    """
    from pte import encoders

    if vectors is not None:
        return encoders.read_vectors(vectors, len(documents.found))
    if encoder is None:
        return None
    from tqdm import tqdm

    whole = len(documents.found)
    print(f"{encoder}: {whole:,} documents to encode", file=sys.stderr, flush=True)
    with tqdm(total=whole, unit="text", disable=None) as bar:  # on a terminal alone
        return encoders.encode(encoder, documents.texts, lambda done, _: bar.update(done - bar.n))


def is_stream(file: str) -> bool:
    """Return whether a file can be read only once: standard input, a pipe or a device."""
    path = Path(file)
    return file == STANDARD_INPUT or (path.exists() and not (path.is_file() or path.is_dir()))


def stem_of(file: str) -> str:
    """Return the name of a file without its endings, or of a folder; "" for other inputs."""
    path = Path(file)
    if is_stream(file):
        return ""
    return path.name if path.is_dir() else Path(uncompressed(path.name)).stem


def sha256_of_text(file: str) -> str:
    """Return the hash of a file, or of the names and texts in a folder; "" for other inputs."""
    from hashlib import sha256

    from pte.corpora.text_files import paths_below
    from pte.files import sha256_of

    path = Path(file)
    if file == STANDARD_INPUT or not (path.is_file() or path.is_dir()):
        return ""
    if path.is_file():
        return sha256_of(path)
    digest = sha256()
    for each in filter(Path.is_file, paths_below(path)):
        inside = each.relative_to(path).as_posix()
        digest.update(os.fsencode(f"{inside}\0{sha256_of(each)}\n"))
    return digest.hexdigest()


def read_labelled(
    file: str,
    kind: str | None,
    columns: dict[str, Any],
    learnt: Mapping[str, Any] | None = None,
    may_lack: bool = False,
) -> Documents:
    """Read documents with labels; `columns` has any of `pte.corpora.own.KEYS`.

    Of `learnt`, the columns of a model, come those that `columns` does not name. Lines of the
    format `LINES` have no label, and a folder `may_lack` folders of classes. Ids of `learnt`
    that repeat, or are empty, give way to numbers. Raises `NoLabels` when nothing else says where
    the labels are, and `PteError` when the file holds no document, and as the readers do.
    """
    if kind == LINES:
        return _read_lines(file, columns)
    from pte.command.learnt import as_learnt
    from pte.corpora.merging import merges_of
    from pte.corpora.own import OwnText, format_of, reading_of

    with redirect_stdout(sys.stderr), path_of(file, kind) as path:
        given = as_learnt(path, kind, columns, learnt or {})
        own = OwnText.of({"file": str(path), "format": kind, **given})
        try:
            documents = _read(path, reading_of(own))
        except NoIds as error:
            if columns.get("id"):
                raise
            print(f"{str(error).partition(';')[0]}; so documents are counted in place of ids")
            own = replace(own, columns=replace(own.columns, id=None))
            documents = _read(path, reading_of(own))
        if not documents.found:
            raise PteError(f"{path}: it holds no document")
        merges = merges_of(path, documents.found, own.same, own.ignore_case)
        documents = with_merges(path, documents, merges)
        kind = format_of(path, kind)
    if kind == "folders" and not (may_lack or documents.classes):
        raise NoLabels(f"{file}: it holds no folder with files; put each class into a folder")
    return replace(documents, facts={"format": kind, **documents.facts})


def _read(path: Path, reading: "TextReading") -> Documents:
    """Read the documents of a file, and print which columns were found, but not given."""
    from pte.corpora.checking import of_reading
    from pte.corpora.reading import read

    counts: Counter[str] = Counter()
    if opened := reading.opened:
        found, said, facts = opened.documents(counts), opened.said, opened.facts()
        doubts, columns, unit = opened.doubts, opened.columns.named(), opened.unit
    else:
        found, said, facts = read(path, reading.reader, reading.options, counts=counts), (), {}
        doubts, columns = (), dict(reading.options)
        unit = "" if reading.reader == "label_folders" else "line"
    if said:
        print(f"{path}: {', '.join(said)}")
    documents, findings = tuple(found), tuple(of_reading(doubts, counts))
    unit = "" if columns.get("id") else unit
    return Documents(
        documents, reading.is_split, facts, findings, reading.order_lost, columns, unit
    )


def with_merges(name: object, documents: Documents, merges: Mapping[str, str]) -> Documents:
    """Return documents in which labels have the names that they count as; print these names."""
    from pte.corpora.finding import counted, shown
    from pte.corpora.merging import merged

    if merges:
        pairs = [f"{old!r} is {new!r}" for old, new in merges.items()]
        said = counted(len(pairs), "label counts as another", "labels count as others")
        print(f"{name}: {said}: {shown(pairs, MOST_SHOWN, quoted=False)}")
    return replace(documents, found=merged(documents.found, merges), merges=merges)


def warn_of(file: str, findings: Iterable["Finding"]) -> None:
    """Print the findings that do not refuse documents, a line for each."""
    from pte.command.shown import spoken

    for finding in findings:
        if not finding.refuse:
            print(f"Warning: {file}: {spoken(finding.message)}", file=sys.stderr)


def check_documents(
    file: str,
    documents: Documents,
    tokeniser: str,
    needs_labels: bool = True,
    told: Sequence[str] = (),
) -> list[str]:
    """Print what is suspicious in documents that are to be learnt from, and return it.

    What was `told` before is only counted. `tokeniser` is the name of a tokeniser. Raises
    `PteError` when nothing can be learnt from the documents.
    """
    from pte.command.shown import spoken
    from pte.corpora.finding import counted

    checked = documents.checked(tokeniser, needs_labels)
    found = [spoken(finding.message) for finding in checked.findings]
    if again := [message for message in found if message in told]:
        said = counted(len(again), "warning", "warnings")
        print(f"{file}: {said} as by `pte evaluate`", file=sys.stderr)
    warn_of(file, [each for each in checked.findings if spoken(each.message) not in again])
    checked.require_usable(file)
    return found


def read_to_predict(
    file: str,
    kind: str | None,
    values: dict[str, Any],
    unlabelled: bool,
    learnt: Mapping[str, Any],
    keeps: bool = False,
) -> Documents:
    """Read the documents of a file that a model is applied to, and print what is suspicious.

    With `unlabelled`, or if the user names the column of the label, these are the documents without
    a label. With `keeps`, a table's labels are read, too. `learnt` has the columns of the model.
    The file `vectors` among the `values` has a row for each document of the file. Raises `PteError`
    as `read_labelled` does, and if every document has a label.
    """
    values = dict(values)
    vectors = values.pop("vectors")
    if unlabelled or values.get("label") is not None:
        documents = read_labelled(file, kind, values, learnt, may_lack=True)
        documents = replace(documents, vectors=vectors_of(documents, None, vectors))
        documents = documents.some([each.label is None for each in documents.found])
        if not documents.found:
            raise PteError(f"{file}: every document has a label")
    else:
        texts = {name: value for name, value in values.items() if name not in LABEL_KEYS}
        try:
            documents = (
                read_labelled(file, kind, values, learnt)
                if keeps and _has_columns(file, kind)
                else read_texts(file, kind, texts, learnt)
            )
        except (NoLabels, SeveralLabels):  # no column of the table is known to have labels
            documents = read_texts(file, kind, texts, learnt)
        documents = replace(documents, vectors=vectors_of(documents, None, vectors))
    warn_of(file, documents.findings)
    return documents


def read_to_learn(
    file: str,
    kind: str | None,
    columns: dict[str, Any],
    no_labels: bool,
    learnt: Mapping[str, Any] | None = None,
) -> Documents:
    """Read documents to learn from: with their labels, or without any label if `no_labels`.

    `learnt` has the columns of a model that goes on, as in `read_labelled`. Raises `PteError` as
    that does, and `UsageError` when the command line has options for labels though no label is to
    be read.
    """
    if no_labels:
        given = [name.replace("_", "-") for name in (*LABEL_KEYS, "group") if columns.get(name)]
        if given:
            raise click.UsageError(f"--no-labels: leave --{given[0]} out")
        documents = read_texts(file, kind, columns, learnt)
        bare = tuple(replace(each, label=None, more_labels=()) for each in documents.found)
        return replace(documents, found=bare)
    try:
        return read_labelled(file, kind, columns, learnt)
    except NoLabels as error:
        raise PteError(f"{error}; or learn without labels: --no-labels") from None


def read_texts(
    file: str, kind: str | None, columns: dict[str, Any], learnt: Mapping[str, Any] | None = None
) -> Documents:
    """Read documents whose labels, if there are any, do not matter.

    Without a format, standard input is read as plain lines, and so is a file of fastText's format,
    such as one that ends in .txt, if no line of it begins with a label. A blank line is an empty
    document. Raises `PteError` as `read_labelled` does.
    """
    named = kind or format_of_name(Path(file).name)
    if named is None and is_stream(file):
        return _read_lines(file, columns)
    if named == "fasttext" and Path(file).is_file():
        if kind is None:
            _refuse_columns(file, columns)
        try:
            return read_labelled(file, "fasttext", columns)
        except NoLabels:
            return _read_lines(file, columns)
    no_label = {"label": ""} if _has_columns(file, kind) else {}
    return read_labelled(file, kind, columns | no_label, learnt, may_lack=True)


def _has_columns(file: str, kind: str | None) -> bool:
    named = kind or format_of_name(Path(file).name)
    return named in FORMATS and FORMATS[named].has_columns


def _read_lines(file: str, columns: Mapping[str, str | None]) -> Documents:
    """Read a document from each line, as `lines_of_input` does."""
    from pte.corpora.document import Document
    from pte.corpora.parts import TRAIN
    from pte.corpora.text_files import read_lines

    _refuse_columns(file, columns)
    with path_of(file, LINES) as path:
        numbered = enumerate(read_lines(path), start=1)
        found = [Document(line.strip().encode(), None, TRAIN, id=str(n)) for n, line in numbered]
        if not any(document.content for document in found):
            raise PteError(f"{path}: it holds no text; put a document on each line")
    return Documents(tuple(found), facts={"format": LINES}, unit="line")


def is_plain_input() -> bool:
    """Return whether standard input begins as lines in UTF-8 that are not compressed."""
    from pte.corpora.text_files import LOOKED_AT, wide_head

    peek = getattr(sys.stdin.buffer, "peek", None)  # a stream in memory has none
    head = peek(LOOKED_AT)[:LOOKED_AT] if peek else b""
    return not (by_head(head) or wide_head(head))


def lines_of_input(columns: Mapping[str, Any]) -> Iterator[bytes]:
    """Yield the lines of standard input as soon as they are there, without white space around them.

    Raises `PteError` if the user names a column, for bytes that are not UTF-8, and, at the end, if
    no line holds text.
    """
    from pte.corpora.text_files import lines_of, undecoded

    name = "standard input"
    _refuse_columns(STANDARD_INPUT, columns)
    any_text = False
    for number, line in enumerate(lines_of(name, sys.stdin.buffer), start=1):
        if (near := undecoded(line)) is not None:
            convert = "convert it: iconv -f cp1252 -t utf-8"
            raise PteError(f"{name}: line {number} is not UTF-8 near {near!r}; {convert}")
        any_text |= bool(line.strip())
        yield line.strip().encode()
    if not any_text:
        raise PteError(f"{name}: it holds no text; put a document on each line")


def _refuse_columns(file: str, columns: Mapping[str, Any]) -> None:
    """Raise `PteError` if the user says of plain lines what is said of a table or of labels."""
    from pte.command.flags import words_of

    said = {key: value for key, value in columns.items() if value or key == "header"}
    if words := words_of({key: value for key, value in said.items() if value is not None}):
        raise PteError(
            f"{_called(file)}: its lines are read as documents, not as a table, but you give "
            f"{shlex.join(words)}; say what it holds with --format"
        )


@contextmanager
def path_of(file: str, kind: str | None) -> Iterator[Path]:
    """Yield the path of a file; copy what can be read once to a file, which readers read twice.

    What is compressed, as its first bytes say, gets a name that says so.
    """
    if not is_stream(file):
        yield Path(file)
        return
    if kind is None and format_of_name(Path(file).name) is None:
        raise PteError(f"{_called(file)}: it has no name that says its format; give --format")
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        is_input = file == STANDARD_INPUT
        source = sys.stdin.buffer if is_input else stack.enter_context(Path(file).open("rb"))
        head = _read_from(source, HEAD, _called(file))
        packed = by_head(head)
        name = uncompressed(Path(file).name) + (packed.ending if packed else "")
        path = Path(folder) / ("standard_input" + name if is_input else name)
        with path.open("wb") as copy:
            copy.write(head)
            _copy_all(source, copy, _called(file))
        with _named(path, _called(file)):
            yield path


def _copy_all(source: BinaryIO, copy: BinaryIO, name: str) -> None:
    """Copy all that a stream holds. Raises `PteError` for a stream that seems to have no end."""
    while block := _read_from(source, _BLOCK, name):
        copy.write(block)
        if copy.tell() > bounds.MOST_CONTENT:
            most = f"{bounds.MOST_CONTENT:,}"
            raise PteError(f"{name}: more than {most} bytes arrived; if all are text, give a file")


def _read_from(source: BinaryIO, size: int, name: str) -> bytes:
    with naming(name):
        return source.read(size)


def _called(file: str) -> str:
    return "standard input" if file == STANDARD_INPUT else file


@contextmanager
def _named(path: Path, name: str) -> Iterator[None]:
    """Put `name` in place of `path` in the error of the block, and in the text that it prints."""
    printed = StringIO()
    try:
        with redirect_stdout(printed):
            yield
    except PteError as error:
        raise type(error)(str(error).replace(str(path), name)) from error
    finally:
        print(printed.getvalue().replace(str(path), name), end="", file=sys.stderr)
