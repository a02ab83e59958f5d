"""The methods that a contest knows: those of the registry, and those of plugin folders."""

import os
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from pte.array_file import has_form
from pte.errors import NotInstalled, PteError
from pte.training.contract import KernelSet
from pte.training.method import Method

REGISTRY = Path(__file__).parents[1] / "methods.yaml"
"""The registry. It is a link to the file of the workflow; a wheel has a copy."""

Methods = Mapping[str, Method]


@cache
def methods() -> Methods:
    """Return all methods that can be kept in a model file, in the order of the registry."""
    folders = [each for each in os.environ.get("PTE_PLUGINS", "").split(os.pathsep) if each]
    found: dict[str, Method] = {}
    for path in (REGISTRY, *(Path(folder) / REGISTRY.name for folder in folders)):
        if path.is_file():
            found |= {n: Method.of(n, each, f"{path}: {n}") for n, each in _read(path).items()}
    return {n: each for n, each in found.items() if each.keeps and not each.shuffled}


def _read(path: Path) -> dict[str, dict[str, Any]]:
    try:
        entries = yaml.safe_load(path.read_text("utf-8"))
    except (yaml.YAMLError, ValueError) as error:
        raise PteError(f"{path}: not valid YAML: {error}") from None
    needed = ("label", "group", "model")
    if not has_form(entries, {}) or not has_form([*entries.values()], [dict.fromkeys(needed, str)]):
        raise PteError(f"{path}: it must hold names of methods, each with {', '.join(needed)}")
    return dict(entries)


def method_named(name: str) -> Method:
    """Return a method. Raises `PteError`, which lists all methods, for an unknown name."""
    known = methods()
    labels = {each.label.casefold(): key for key, each in known.items()}
    key = labels.get(str(name).casefold(), str(name).replace("-", "_"))
    if key not in known:
        raise PteError(f"method {name!r} is not known; there are {', '.join(known)}")
    return known[key]


def kernel_sets_of(names: Iterable[str]) -> list[KernelSet]:
    """Return the sets of kernels that methods, and those whose vectors they need, call."""
    entries = [method_named(name) for name in names]
    entries += [method_named(other) for each in entries for other in each.needs.values()]
    sets: set[KernelSet] = {kernels for each in entries for kernels in each.kernels}
    streams: set[KernelSet] = {"streamed"} if any(each.networks for each in entries) else set()
    encoding: set[KernelSet] = {"encoding"}
    return sorted(sets | streams | encoding)


def why_not(method: Method, several: bool, order_lost: bool, encoded: bool = False) -> str | None:
    """Return why a method, or one whose vectors it takes, cannot run on such a text; else None."""
    if reason := method.why_not(several, order_lost, encoded):
        return reason
    entry = method.on_lost_order() if order_lost else method
    if entry.spec.package is not None:
        try:
            __import__(entry.spec.package)
        except ModuleNotFoundError:
            return str(NotInstalled(entry.spec.package))
    needed = (why_not(method_named(name), several, order_lost) for name in entry.needs.values())
    return next(filter(None, needed), None)
