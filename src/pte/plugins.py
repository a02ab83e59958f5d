"""Modules that an entry of the registry names: our own, or those of a plugin folder."""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from pte.errors import PteError


@cache
def module_name(kind: str, name: str) -> str:
    """The full name of the module `name` of the package `pte.<kind>`, or else of a plugin's.

    A plugin's module is a file of a folder that config.yaml lists under `plugins`; the workflow
    puts these folders on the path. Raises `PteError` when there is neither.
    """
    for full in (f"pte.{kind}.{name}", name):
        if find_spec(full) is not None:
            return full
    raise PteError(
        f"{name}: there is no module pte.{kind}.{name}, nor {name}.py in a folder of "
        "config.yaml: plugins"
    )


def load(kind: str, name: str) -> ModuleType:
    """Import that module."""
    return import_module(module_name(kind, name))
