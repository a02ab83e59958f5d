"""The methods of the registry and of plugins, by name or label; why one cannot run on a text."""

import os
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from pte.array_file import has_form
from pte.errors import NotInstalled, PteError
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
    """Return a method by its name or label. Raises `PteError`, which lists those it may mean."""
    known = methods()
    labels = {each.label.casefold(): key for key, each in known.items()}
    key = labels.get(str(name).casefold(), str(name).replace("-", "_"))
    if key not in known:
        near = [each for each in known if key in each] or get_close_matches(key, known)
        shown = ", ".join(f"{each} ({known[each].label})" for each in near or known)
        said = "did you mean" if near else "there are"
        raise PteError(f"method {name!r} is not known; {said} {shown}")
    return known[key]


def why_not(method: Method, several: bool, encoded: bool = False) -> str | None:
    """Return why a method, or one whose vectors it takes, cannot run on such a text; else None."""
    if reason := method.why_not(several, False, encoded):
        return reason
    if method.spec.package is not None:
        try:
            __import__(method.spec.package)
        except ModuleNotFoundError:
            return str(NotInstalled(method.spec.package))
    needed = (why_not(method_named(name), several) for name in method.needs.values())
    return next(filter(None, needed), None)
