"""The formats of people's files, by the ends of their names."""

from pathlib import Path

from pte.corpora.compressed import ENDINGS, uncompressed
from pte.errors import PteError
from pte.tables.text import STANDARD_INPUT, called

FORMATS = {
    "csv": (".csv",),
    "tsv": (".tsv", ".tab"),
    "xlsx": (".xlsx",),
    "ods": (".ods",),
    "jsonl": (".jsonl", ".ndjson", ".json"),
    "parquet": (".parquet", ".pq"),
    "folders": (),
    "fasttext": (".txt", ".ft", ".fasttext"),
    "svmlight": (".svmlight", ".libsvm", ".svm", ".bow"),
}
"""The endings of the files of each format."""

TABLES = ("csv", "tsv", "xlsx", "ods", "jsonl", "parquet")
"""The formats with named columns, which come back with predictions in them."""

LINES = "lines"
"""The format of plain text: a document on each line, without labels."""

_ARCHIVES = (".zip", ".tar", ".tgz", ".7z", ".xls")


def format_of_name(name: str) -> str | None:
    """Return the format that the end of a file's name says; None if it says none."""
    plain = uncompressed(name.lower())
    return next((kind for kind, ends in FORMATS.items() if ends and plain.endswith(ends)), None)


def format_of(file: str, given: str | None) -> str:
    """Return the format of a file or folder: the given one, or what its name says."""
    path, name = Path(file), called(file)
    if file != STANDARD_INPUT and not path.exists():
        raise PteError(f"{name}: no such file; check the path of the text")
    if given is not None:
        if given not in (*FORMATS, LINES):
            raise PteError(f"{name}: format {given!r} is not one of {', '.join(FORMATS)}")
        if path.is_dir() != (given == "folders"):
            found, wanted = ("folder", "file") if path.is_dir() else ("file", "folder")
            raise PteError(f"{name}: this is a {found}, but format {given} needs a {wanted}")
        return given
    kind = format_of_name(path.name)
    if path.is_dir():
        if kind in TABLES:
            raise PteError(
                f"{name}: this is a folder with the name of a file; give a file in it, or if each "
                "file is a document, give --format folders"
            )
        return "folders"
    if kind:
        return kind
    if uncompressed(path.name.lower()).endswith(_ARCHIVES):
        raise PteError(
            f"{name}: this is an archive or an old workbook; unpack it, or save it as .xlsx"
        )
    endings = ", ".join(end for ends in FORMATS.values() for end in ends)
    raise PteError(
        f"{name}: the end of the name says no format; known are {endings}, those of text also with "
        f"{', '.join(ENDINGS)}; rename it, or give one of {', '.join(FORMATS)}: --format"
    )


def vocabulary_of(file: str) -> Path:
    """Return the path of the words, such as `news.vocabulary.txt` of `news.svmlight.gz`."""
    path = Path(file)
    return path.with_name(f"{Path(uncompressed(path.name)).stem}.vocabulary.txt")
