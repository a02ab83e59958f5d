"""The files of workflow/registry, joined with those of the same names in plugin folders."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pte.errors import PteError
from pte.study.yaml_files import check, read

SECTIONS = ("archives", "corpora", "claims", "unavailable", "stand_ins")
"""Keys that hold entries, where a file has sections."""


class Joined(NamedTuple):
    """All entries of a registry.

    `where` says where each stands: for "claims.x" the file, a colon, and that key. `sources` gives
    the folder of the plugin that an entry comes from, by the same keys; ours have none.
    """

    entries: Any
    where: Mapping[str, str]
    sources: Mapping[str, str]


def joined(name: str, workflow: Path, folders: Sequence[Path]) -> Joined:
    """Read the registry's file `name`, and behind it each plugin's file of that name.

    Raises `PteError` that names the file when a file does not fit the schema, or holds an entry
    that is there already. A plugin's file may leave out sections.
    """
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
            sources |= dict.fromkeys(_keys(more), folder.name)
    return Joined(entries, where, sources)


def labels(workflow: Path, folders: Sequence[Path]) -> dict[str, str]:
    """What readers see of methods, by name; from the files alone, unchecked."""
    files = [folder / "methods.yaml" for folder in (workflow / "registry", *folders)]
    found = [read(path) for path in files if path.is_file()]
    return {name: entry["label"] for entries in found for name, entry in entries.items()}


def _keys(entries: Mapping[str, Any]) -> Iterator[str]:
    """The names of entries, with their section before them where there are sections."""
    for key, value in entries.items():
        yield from [f"{key}.{name}" for name in value] if key in SECTIONS else [key]


def _merged(entries: Any, more: Any, where: str) -> Any:
    """Mappings with the entries of both, two levels deep where a file has sections."""
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
