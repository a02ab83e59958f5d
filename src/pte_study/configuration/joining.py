"""The files of workflow/registry, joined with the files of the same names in plugin folders."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pte.errors import PteError
from pte_study.claims.claim import FROM_PAPER
from pte_study.configuration.yaml_files import check, read

SECTIONS = ("archives", "corpora", "claims", "unavailable", "official", "stand_ins", "other_splits")
"""Keys of sections, which hold entries; a file without sections holds entries itself."""


class Joined(NamedTuple):
    """All entries of a registry.

    `where` gives the place of each entry: for the key "claims.x" it is the file, a colon, and this
    key. `sources` gives the name of the plugin folder that an entry comes from, by the same keys.
    Entries of workflow/registry are not in `sources`.
    """

    entries: Any
    where: Mapping[str, str]
    sources: Mapping[str, str]


def joined(name: str, workflow: Path, folders: Sequence[Path]) -> Joined:
    """Read the registry's file `name`, and then each plugin's file of the same name.

    Raises `PteError` that names the file if a file does not fit the schema, or if it holds an entry
    that another file has already. A plugin's file may leave out sections. The claims of a plugin
    have its folder's name as their source, so it must be no other's.
    """
    names = [FROM_PAPER, *(folder.resolve().name for folder in folders)]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise PteError(f"config.yaml: plugins: {twice}: this name is taken; rename the folder")
    rules = read(workflow / "schemas" / name.replace(".yaml", ".schema.yaml"))
    entries = read(workflow / "registry" / name)
    check(entries, rules, name)
    where, sources = {key: f"{name}: {key}" for key in _keys(entries)}, dict[str, str]()
    parts = {key: rule for key, rule in rules.items() if key != "required"}
    for folder in folders:
        path = folder / name
        if path.is_file():
            more = read(path)
            entries = _merged(entries, more, str(path))
            check(more, parts, str(path))
            where |= {key: f"{path}: {key}" for key in _keys(more)}
            sources |= dict.fromkeys(_keys(more), folder.resolve().name)
    return Joined(entries, where, sources)


def labels(workflow: Path, folders: Sequence[Path]) -> dict[str, str]:
    """Return the labels of methods by name, read from the files without any check."""
    files = [folder / "methods.yaml" for folder in (workflow / "registry", *folders)]
    found = [read(path) for path in files if path.is_file()]
    return {name: entry["label"] for entries in found for name, entry in entries.items()}


def _keys(entries: Mapping[str, Any]) -> Iterator[str]:
    """Yield the keys of entries: their names, after the section and a dot if there are sections."""
    for key, value in entries.items():
        yield from [f"{key}.{name}" for name in value] if key in SECTIONS else [key]


def _merged(entries: Any, more: Any, where: str) -> Any:
    """Return a mapping with the entries of both mappings; sections are merged entry by entry."""
    if not isinstance(more, dict):
        raise PteError(f"{where}: it must hold a mapping of names to entries")
    for key, value in more.items():
        if key in SECTIONS and key in entries:
            entries = entries | {key: _merged(entries[key], value, f"{where}: {key}")}
        elif key in entries:
            raise PteError(f"{where}: {key} is there already; choose another name")
        else:
            entries = entries | {key: value}
    return entries
