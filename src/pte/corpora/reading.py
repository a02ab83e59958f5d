"""Finds readers by their names: the modules in `pte.corpora.readers`, and readers of plugins."""

import inspect
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pte.corpora.document import Document
from pte.errors import PteError
from pte.plugins import load, module_name

_KIND = "pte.corpora.readers"


def check_options(
    name: str, options: Iterable[str], where: str = "corpora.yaml"
) -> Callable[..., Iterator[Document]]:
    """Import a reader, and check that it takes options of these names; return its function `read`.

    The names of further archives are options, too. `counts` is always given to a reader that takes
    it. `where` says where the name stands. Raises `PteError` when there is no reader of this name,
    when the module has no function `read`, and when `read` does not take the options.
    """
    try:
        module_name(_KIND, name)
    except PteError:
        own = sorted(path.stem for path in (Path(__file__).parent / "readers").glob("[a-z]*.py"))
        raise PteError(
            f"{where}: {name!r} is not a reader; there are {', '.join(own)}, and the modules in "
            "the folders of config.yaml: plugins"
        ) from None
    function: Callable[..., Iterator[Document]] | None = getattr(load(_KIND, name), "read", None)
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
    """Read an archive with the reader and the options of its registry entry.

    `files` are further archives, by the names of the reader's arguments that get them. A reader
    with a parameter `counts` counts there what it leaves out. Raises `PteError` when there is no
    such reader, when the reader does not take these files and options, when a name is a file and an
    option, and, at the latest while iterating, when an archive is not as the reader needs it.
    """
    if files and (both := files.keys() & options.keys()):
        raise PteError(f"corpora.yaml: reader {reader}: {min(both)} is a file and an option")
    given = {**(files or {}), **options}
    function = check_options(reader, given)
    if "counts" in inspect.signature(function).parameters:
        given["counts"] = Counter() if counts is None else counts
    documents: Iterator[Document] = function(path, **given)
    return documents
