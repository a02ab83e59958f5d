"""YAML files, read and checked, and the entries of workflow/registry and of plugins in them."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema
import yaml

from pte.corpora.entry import Archive, CorpusEntry
from pte.corpora.subsets import Subset
from pte.errors import PteError
from pte.training.method import Method
from pte_study.claims.claim import FROM_PAPER, Claim

SAFE = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # in C where PyYAML has it: ten times as fast


class _EachKeyOnce(SAFE):  # type: ignore[misc, valid-type]
    """The safe loader, which also refuses a key that a mapping has twice, or that is no text."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        places: dict[Any, tuple[int, int]] = {}
        for key, _ in node.value:
            place, name = (key.start_mark.line + 1, key.start_mark.column), key.value
            if isinstance(name, str) and name != "<<" and places.setdefault(name, place) != place:
                twice = f"key {name!r} stands in line {places[name][0]} and in line {place[0]}"
                raise yaml.YAMLError(f"{twice}; keep one")
        made: dict[Any, Any] = super().construct_mapping(node, deep)
        if odd := [key for key in made if not isinstance(key, str)]:
            raise yaml.YAMLError(f"the key {odd[0]!r} is no text; put it into quotes")
        return made


def read(path: Path) -> Any:
    """Return the values of a YAML file whose keys are texts, each once in its mapping."""
    try:
        value = yaml.load(Path(path).read_text("utf-8"), Loader=_EachKeyOnce)
    except OSError as error:
        raise PteError(f"{path}: {error.strerror}") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise PteError(f"{path}: not valid YAML: {error}") from None
    return value


def _is_integer(_: Any, value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(checker: Any, value: Any) -> bool:
    return _is_integer(checker, value) or (isinstance(value, float) and math.isfinite(value))


_TYPES = jsonschema.Draft202012Validator.TYPE_CHECKER.redefine_many(
    {"integer": _is_integer, "number": _is_number}
)
_Strict = jsonschema.validators.extend(  # type: ignore[no-untyped-call]
    jsonschema.Draft202012Validator, type_checker=_TYPES
)  # 1.0 is no integer, and NaN and infinity are no numbers


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the end of a message that asks for the known word most like `word`, or ""."""
    found = get_close_matches(word, list(known), 1)
    return f"; did you mean {found[0]!r}?" if found else ""


def check(value: Any, schema: Path | Mapping[str, Any], name: str, *above: str) -> None:
    """Check `value` by a JSON schema; the error has a line for each fault, with the file `name`."""
    rules = read(schema) if isinstance(schema, Path) else schema
    validator = _Strict(rules)
    faults = sorted(validator.iter_errors(value), key=lambda fault: list(map(str, fault.path)))
    if faults:
        places = (".".join([*above, *map(str, fault.path)]) or "top level" for fault in faults)
        lines = (f"{p}: {_message(f)}" for p, f in zip(places, faults, strict=True))
        raise PteError("\n".join(f"{name}: {line}" for line in lines))


def check_keys(
    value: Any, known: Mapping[str, Any], required: Iterable[str], name: str, *above: str
) -> None:
    """Check a mapping that has no keys but those `known`, each with its schema."""
    rules = {"properties": dict(known), "required": list(required), "additionalProperties": False}
    check(value, {"type": "object", **rules}, name, *above)


_TOLD = {
    "pattern": "{0!r} may hold nothing but {1}",
    "anyOf": "{0!r} is not one of these: {1}",
    "not": "{1}",
    "contains": "{1}",
}  # by rule, how the description of a schema is told


def _message(fault: jsonschema.ValidationError) -> str:
    rules: Mapping[str, Any] = fault.schema if isinstance(fault.schema, dict) else {}
    known = rules.get("properties")
    given: Any = fault.instance
    if fault.validator == "additionalProperties" and known:
        return "; ".join(_unknown(str(key), known) for key in given if key not in known)
    if fault.validator in _TOLD and "description" in rules:
        return _TOLD[str(fault.validator)].format(given, rules["description"])
    return str(fault.message)


def _unknown(key: str, known: Iterable[str]) -> str:
    return f"unknown key {key!r}{nearest(key, known) or '; known are ' + ', '.join(sorted(known))}"


_EXPONENT = re.compile(r"[-+]?\d+e[-+]?\d+", re.IGNORECASE)
"""A number that Python writes and YAML 1.1 does not read."""


def typed(value: Any) -> Any:
    """Return `value` with numbers, booleans and null for text; `--config` leaves it in lists."""
    if isinstance(value, dict):
        return {key: typed(item) for key, item in value.items()}
    if isinstance(value, list):
        return [typed(item) for item in value]
    if isinstance(value, str):
        if value == "None":  # people who write Python mean null
            return None
        if _EXPONENT.fullmatch(value):
            return float(value)
        try:
            scalar = yaml.load(value, SAFE)
        except (yaml.YAMLError, ValueError):
            return value
        return scalar if isinstance(scalar, bool | int | float | None) else value
    return value


# The entries of the registries


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
