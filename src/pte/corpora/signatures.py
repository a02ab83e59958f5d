"""Kinds of files that are no text, by their first bytes, and what to do with each."""

import re

from pte.corpora.compressed import HEAD, by_head

_EXPORT = "export it as CSV"
_SIGNATURES = {
    rb"PK\x03\x04": f"a zip archive, or a workbook of Excel; unpack it, or {_EXPORT}",
    rb"7z\xbc\xaf|Rar!\x1a": "an archive; unpack it",
    rb"\x28\xb5\x2f\xfd|\x1f\x9d|\x04\x22\x4d\x18": "compressed; unpack it, or use gzip",
    rb"\xd0\xcf\x11\xe0": f"an old workbook of Excel; {_EXPORT}",
    rb"PAR1[\x00-\x1f]": "a Parquet file; end its name in .parquet, or: format=parquet",
    rb"ARROW1\0": "a file of Arrow; write it as Parquet",
    rb"SQLite format 3\0": f"a database; {_EXPORT}",
    rb"\x89HDF": f"a file of HDF5; {_EXPORT}",
    rb"\x93NUMPY": "an array of numpy; write it as text",
    rb"\x80[\x02-\x05]": "a pickle of Python, which may run code; write it as text",
    rb"\xba\x16\x4f\x2f": "a model of fastText; give its .vec file",
    rb"%PDF-": "a PDF; give its text",
    rb"\{\\rtf": "a document in RTF; save it as plain text",
    rb"\s*(?i:<!doctype html|<html)": "a page of HTML; save its table as CSV",
    rb"version https://git-lfs": "a pointer of Git LFS; get the file itself: git lfs pull",
}
_COMPILED = [(re.compile(begin), title) for begin, title in _SIGNATURES.items()]


def title_of(head: bytes) -> str | None:
    """Return what a file is, and what to do, by its first bytes; None if it may be text."""
    if kind := by_head(head[:HEAD]):
        return f"{kind.title}; add {kind.ending} to its name"
    return next((title for begin, title in _COMPILED if begin.match(head)), None)
