"""Text of the user's own: what a user says about a file, and how it is read.

Nothing here imports numpy, because the workflow's main process imports it. This module checks
whether the file is there, whether a folder is divided into `train` and `test`, and whether a table
has the columns that are named.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from pte.corpora.columns import Columns, RowsOfFile
from pte.corpora.compressed import ENDINGS, uncompressed
from pte.corpora.dialect import DIALECT_KEYS, GivenDialect
from pte.corpora.readers.delimited import open_table
from pte.corpora.readers.json_lines import open_lines
from pte.corpora.readers.label_folders import is_divided
from pte.corpora.readers.parquet import open_parquet
from pte.corpora.tokenise import TOKENISERS
from pte.errors import PteError

ARCHIVES = (".zip", ".tar", ".tgz", ".7z", ".xlsx", ".xls", ".ods")
"""Endings of files, compressed or not, that the user must unpack or export first."""


@dataclass(frozen=True)
class Format:
    """A format of files: its reader, the endings of its files, and whether they have columns."""

    reader: str
    endings: tuple[str, ...]
    has_columns: bool = True


FORMATS = {
    "csv": Format("delimited", (".csv",)),
    "tsv": Format("delimited", (".tsv", ".tab")),
    "jsonl": Format("json_lines", (".jsonl", ".ndjson", ".json")),
    "parquet": Format("parquet", (".parquet", ".pq")),
    "folders": Format("label_folders", (), has_columns=False),
    "fasttext": Format("label_lines", (".txt", ".ft", ".fasttext"), has_columns=False),
    "svmlight": Format("svmlight", (".svmlight", ".libsvm", ".svm", ".bow"), has_columns=False),
}
"""The formats by the names that `OwnText.format` uses."""


@dataclass(frozen=True, kw_only=True)
class OwnText:
    """What a user says about a file or folder of documents."""

    file: str
    columns: Columns = field(default_factory=Columns)
    seed: int = 1
    """The seed of the folds and of all trainings."""
    tokeniser: str = "words"
    dialect: GivenDialect = field(default_factory=GivenDialect)
    """How a table is written; what is not given is found."""
    format: str | None = None
    """One of `FORMATS`. If it is None, the end of the file's name says the format."""
    same: Sequence[str] = ()
    """Labels that are others, each like "sprot=sport"."""
    ignore_case: bool = False
    """Whether labels that differ only by case are the same."""

    def __post_init__(self) -> None:
        """Make `same` a tuple; a single text stands for a tuple of one."""
        given = (self.same,) if isinstance(self.same, str) else self.same
        object.__setattr__(self, "same", tuple(given))

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> "OwnText":
        """Make an `OwnText` from values by their keys: `file`, and any of `KEYS`."""
        columns = {key: value for key, value in values.items() if key in COLUMNS}
        dialect = {key: value for key, value in values.items() if key in DIALECT_KEYS}
        others = {key: values[key] for key in values.keys() - columns.keys() - dialect.keys()}
        return cls(columns=Columns(**columns), dialect=GivenDialect(**dialect), **others)


COLUMNS = tuple(f.name for f in fields(Columns))
_OTHERS = [f.name for f in fields(OwnText) if f.name not in ("file", "columns", "dialect")]
KEYS = (*COLUMNS, *DIALECT_KEYS, *_OTHERS)
"""The keys of everything that a user may say about a file."""


@dataclass(frozen=True)
class TextReading:
    """How a file or folder of documents is read."""

    reader: str
    options: Mapping[str, Any]
    is_split: bool
    """Whether the file itself says which documents are for training and which for the test."""
    order_lost: bool
    """Whether the file has only the counts of words, and not their order."""
    opened: RowsOfFile | None = field(default=None, compare=False)
    """The open file, if it has rows with named fields."""


def reading_of(own: OwnText) -> TextReading:
    """Return how a user's text is read.

    Raises `PteError` when the file is not there, when its format is not known, when columns are
    named though the format has none, when a table lacks a column, and when a setting is out of
    range.
    """
    path = Path(own.file)
    if not path.exists():
        raise PteError(f"{own.file}: no such file; check the path of the text")
    kind = format_of(path, own.format)
    _check(own, kind)
    reader, options = FORMATS[kind].reader, _options(own, kind)
    openers: dict[str, Callable[..., RowsOfFile]] = {
        "delimited": open_table,
        "json_lines": open_lines,
        "parquet": open_parquet,
    }
    opened = openers[reader](path, **options) if reader in openers else None
    return TextReading(reader, options, _is_split(own, kind), kind == "svmlight", opened)


def vocabulary_of(file: Path) -> Path:
    """Return the path of the words of a bag-of-words file.

    The words of `news.svmlight.gz` are in `news.vocabulary.txt` beside it.
    """
    return file.with_name(f"{Path(uncompressed(file.name)).stem}.vocabulary.txt")


def _options(own: OwnText, kind: str) -> dict[str, Any]:
    """Return the options of the reader: what the user gave, and what the format needs."""
    options: dict[str, Any] = own.columns.named() | own.dialect.named()
    if "missing" in options:
        options["missing"] = list(options["missing"])
    if kind == "tsv":
        options["tabs"] = True
    if kind == "svmlight" and (words := vocabulary_of(Path(own.file))).is_file():
        options["vocabulary"] = str(words)
    return options


def format_of_name(name: str) -> str | None:
    """Return the format that the end of a file's name says; None if it says none."""
    plain = uncompressed(name.lower())
    return next((kind for kind, each in FORMATS.items() if plain.endswith(each.endings)), None)


def format_of(path: Path, given: str | None) -> str:
    """Return the format of a file or folder: the given one, or what its name says.

    Raises `PteError` when the format is not known, and when it needs a folder and `path` is none.
    """
    if given is not None:
        if given not in FORMATS:
            raise PteError(f"{path}: format {given!r} is not one of {', '.join(FORMATS)}")
        if path.is_dir() != (given == "folders"):
            found, wanted = ("folder", "file") if path.is_dir() else ("file", "folder")
            raise PteError(f"{path}: this is a {found}, but format {given} needs a {wanted}")
        return given
    kind = format_of_name(path.name)
    if path.is_dir():
        if kind and FORMATS[kind].has_columns:
            raise PteError(
                f"{path}: this is a folder with the name of a file; give a file in it, or all of "
                "them in one file, or if each file is a document: format=folders"
            )
        return "folders"
    if kind:
        return kind
    if uncompressed(path.name.lower()).endswith(ARCHIVES):
        raise PteError(
            f"{path}: this is an archive or a workbook; unpack it, or export it as CSV, and name "
            "the file or folder in it"
        )
    endings = ", ".join(end for known in FORMATS.values() for end in known.endings)
    whole = " and ".join(FORMATS["parquet"].endings)
    raise PteError(
        f"{path}: the end of the name says no format; known are {endings}, each but {whole} also "
        f"with {', '.join(ENDINGS)}; rename it, or give one of {', '.join(FORMATS)}: format=…"
    )


def _check(own: OwnText, kind: str) -> None:
    """Refuse settings that the file's format cannot follow, or that are out of range."""
    named = own.columns.named()
    if named and not FORMATS[kind].has_columns:
        raise PteError(f"{own.file}: format {kind} has no columns; leave out {', '.join(named)}")
    written = own.dialect.named()
    if written and FORMATS[kind].reader != "delimited":
        raise PteError(f"{own.file}: format {kind} is no table; leave out {', '.join(written)}")
    if own.columns.separator == "":
        what = "the separator is empty; give what stands between labels, or leave it out"
        raise PteError(f"{own.file}: {what}: separator=…")
    if own.tokeniser not in TOKENISERS:
        known = ", ".join(TOKENISERS)
        raise PteError(f"{own.file}: tokeniser {own.tokeniser!r} is not one of {known}")


def _is_split(own: OwnText, kind: str) -> bool:
    """Return whether the file itself says which documents are for training."""
    path = Path(own.file)
    divided = kind == "folders" and is_divided(path)
    return own.columns.split is not None or divided
