"""Readers of archives, found by their names: functions of this package, or `read` of a plugin.

    def read(path: Path, **options) -> Iterator[Document]: ...

`path` is the archive. The options come from the registry entry. If the entry names further archives
under `files`, `read` gets their paths as arguments of these names. If `read` has a parameter
`counts`, a `Counter`, it counts there what it leaves out; the log and corpus.json show the counts.
The order of the documents must not depend on how the archive was packed.
"""

import inspect
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pte.corpora.document import Document
from pte.errors import PteError
from pte.plugins import load, module_name

READERS = {
    **dict.fromkeys(
        ("class_folders", "class_lines", "labelled_tab", "parallel_lines", "table_column"), "packed"
    ),
    **dict.fromkeys(("lyrl2004", "rcv1_json"), "rcv1"),
    **dict.fromkeys(("westbury", "wikiextractor"), "wikipedia"),
    "tweets": "tweets",
}
"""The module of this package that has the reader of each name."""


def reader_module(name: str) -> str:
    """Return the full name of the module of a reader. Raises `PteError` if there is none."""
    return module_name(__name__, READERS.get(name, name))


def check_options(
    name: str, options: Iterable[str], where: str = "corpora.yaml"
) -> Callable[..., Iterator[Document]]:
    """Import a reader, and return its `read` if it takes options of these names."""
    try:
        reader_module(name)
    except PteError:
        raise PteError(
            f"{where}: {name!r} is not a reader; there are {', '.join(sorted(READERS))}, and the "
            "modules in the folders of config.yaml: plugins"
        ) from None
    found = load(__name__, f"{READERS[name]}.{name}" if name in READERS else name)
    function: Callable[..., Iterator[Document]] | None = (
        found if name in READERS else getattr(found, "read", None)
    )
    if function is None:
        raise PteError(f"{name}: the module has no function `read`, so it is not a reader")
    signature = inspect.signature(function)
    counts = {"counts"} & signature.parameters.keys()
    try:
        signature.bind(Path(), **dict.fromkeys([*options, *counts]))
    except TypeError as error:
        takes = ", ".join([*signature.parameters][1:])
        raise PteError(f"{where}: reader {name}: {error}; it takes {takes}") from None
    return function


def read(
    path: Path,
    reader: str,
    options: Mapping[str, Any],
    files: Mapping[str, Path] | None = None,
    counts: Counter[str] | None = None,
) -> Iterator[Document]:
    """Read an archive with a reader, its further `files`, and the options of its registry entry."""
    if files and (both := files.keys() & options.keys()):
        raise PteError(f"corpora.yaml: reader {reader}: {min(both)} is a file and an option")
    given = {**(files or {}), **options}
    function = check_options(reader, given)
    if "counts" in inspect.signature(function).parameters:
        given["counts"] = Counter() if counts is None else counts
    documents: Iterator[Document] = function(path, **given)
    return documents
