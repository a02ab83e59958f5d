"""The entries of workflow/registry and of plugins: files of the same names, joined into classes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from pte.corpora.entry import Archive, CorpusEntry
from pte.corpora.subsets import Subset
from pte.errors import PteError
from pte.training.method import Method
from pte_study.claims.claim import FROM_PAPER, Claim
from pte_study.configuration.yaml_files import check, check_keys, read

SECTIONS = ("archives", "corpora", "claims", "unavailable", "official", "stand_ins", "other_splits")
"""Keys that hold entries; other files hold entries themselves."""


@dataclass(frozen=True)
class Registries:
    """All entries by their names.

    `unavailable` says why a corpus of the paper cannot be had; `official` are read from its own
    files, `stand_ins` from other texts. `where` begins messages on each entry: file and key.
    `encoded` says whether an encoder reads the texts."""

    methods: Mapping[str, Method]
    archives: Mapping[str, Archive]
    corpora: Mapping[str, CorpusEntry]
    claims: Mapping[str, Claim]
    unavailable: Mapping[str, str]
    where: Mapping[str, str]
    stand_ins: Mapping[str, Sequence[str]]
    official: Mapping[str, Sequence[str]]
    other_splits: Mapping[str, Sequence[str]]
    encoded: bool = True

    def method_on(self, corpus: str, name: str) -> Method:
        entry = self.methods[name]
        return entry.on_lost_order() if self._entry_of(corpus).order_lost else entry

    def why_not(self, corpus: str, method: str) -> str | None:
        """Return why a method, or one whose vectors it takes, cannot run on a corpus, or None."""
        text, entry = self._entry_of(corpus), self.methods[method]
        if reason := entry.why_not(text.several_labels, text.order_lost, self.encoded):
            return reason
        needed = self.method_on(corpus, method).needs.values()
        return next(filter(None, (self.why_not(corpus, name) for name in needed)), None)

    def _entry_of(self, corpus: str) -> CorpusEntry:
        return self.corpora[Subset.parse(corpus).base]

    def yielding(self, *kinds: str) -> list[str]:
        return [name for name, method in self.methods.items() if method.spec.yields in kinds]


def read_registries(workflow: Path, folders: Sequence[Path]) -> Registries:
    """Read the registries of `workflow`, and what plugin `folders` add to them."""
    methods, method_at, _ = joined("methods.yaml", workflow, folders)
    corpora, corpus_at, _ = joined("corpora.yaml", workflow, folders)
    claims, claim_at, sources = joined("claims.yaml", workflow, folders)
    places = claims["official"], claims["stand_ins"], claims["other_splits"]
    made = {}
    for name, entry in claims["claims"].items():
        claim = Claim.from_mapping(entry, sources.get(f"claims.{name}", FROM_PAPER))
        made[name] = claim.on_corpora(*places)
    return Registries(
        methods={n: _checked_method(n, entry, method_at[n]) for n, entry in methods.items()},
        archives={n: Archive.from_mapping(entry) for n, entry in corpora["archives"].items()},
        corpora={n: CorpusEntry.from_mapping(entry) for n, entry in corpora["corpora"].items()},
        claims=made,
        where={**method_at, **corpus_at, **claim_at},
        **{key: claims[key] for key in ("unavailable", "stand_ins", "official", "other_splits")},
    )


def _checked_method(name: str, entry: Mapping[str, Any], where: str) -> Method:
    method = Method.of(name, entry, where)
    spec = method.spec
    for given in (method.options, method.on_lost_order().options):
        check_keys(given, spec.options, spec.required, where.removesuffix(f": {name}"), name)
    if spec.yields == "features" and (method.networks or spec.neighbours):
        raise PteError(
            f"{where}: features are made where they are scored; they may need word vectors of "
            "other methods, but no networks and no neighbours"
        )
    return method


class Joined(NamedTuple):
    """The entries of a registry; `where` has their files and keys, `sources` plugins' folders."""

    entries: Any
    where: Mapping[str, str]
    sources: Mapping[str, str]


def joined(name: str, workflow: Path, folders: Sequence[Path]) -> Joined:
    """Read the registry's file `name`, and then each plugin's file, which may add entries only."""
    names = [FROM_PAPER, *(folder.resolve().name for folder in folders)]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise PteError(f"config.yaml: plugins: {twice}: this name is taken; rename the folder")
    rules = read(workflow / "schemas" / name.replace(".yaml", ".schema.yaml"))
    entries = read(workflow / "registry" / name)
    check(entries, rules, name)
    where, sources = {key: f"{name}: {key}" for key in _keys(entries)}, dict[str, str]()
    parts = {key: rule for key, rule in rules.items() if key != "required"}
    for path in (folder / name for folder in folders):
        if path.is_file():
            more = read(path)
            entries = _merged(entries, more, str(path))
            check(more, parts, str(path))
            where |= {key: f"{path}: {key}" for key in _keys(more)}
            sources |= dict.fromkeys(_keys(more), path.parent.resolve().name)
    return Joined(entries, where, sources)


def _keys(entries: Mapping[str, Any]) -> Iterator[str]:
    for key, value in entries.items():
        yield from [f"{key}.{name}" for name in value] if key in SECTIONS else [key]


def _merged(entries: Any, more: Any, where: str) -> Any:
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
