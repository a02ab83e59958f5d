"""Modules that an entry of the registry names: our own, or those of a plugin folder.

The folders are those of the environment variable PTE_PLUGINS, which the workflow sets from
config.yaml. They must be on Python's path.
"""

import os
import traceback
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from pte.errors import PteError


def module_name(kind: str, name: str) -> str:
    """The full name of the module `name` of the package `pte.<kind>`, or else of a plugin's.

    Raises `PteError` when there is neither, when there are both, and when Python has another
    module of the plugin's name.
    """
    return _module_name(kind, name, os.environ.get("PTE_PLUGINS", ""))


def has_module(kind: str, name: str) -> bool:
    """Whether `pte.<kind>` or a plugin folder has a module of this name."""
    try:
        return bool(module_name(kind, name))
    except PteError:
        return False


@cache
def _module_name(kind: str, name: str, folders: str) -> str:
    ours = find_spec(f"pte.{kind}.{name}") is not None
    files = [Path(folder, name) for folder in folders.split(os.pathsep) if folder]
    files = [each for base in files for each in _module_files(base) if each.is_file()]
    if not files:
        if ours:
            return f"pte.{kind}.{name}"
        raise PteError(
            f"{name}: there is no module pte.{kind}.{name}, nor {name}.py in a folder of "
            "config.yaml: plugins"
        )
    found = find_spec(name)
    if ours or found is None or found.origin is None or Path(found.origin) != files[0]:
        other = f"pte.{kind}" if ours else "Python"
        raise PteError(f"{files[0]}: {other} has a module {name} already; choose another name")
    return name


def _module_files(base: Path) -> list[Path]:
    return [base.with_suffix(".py"), base / "__init__.py"]


def load(kind: str, name: str) -> ModuleType:
    """Import that module. Raises `PteError`, naming file and line, when a plugin's is broken."""
    full = module_name(kind, name)
    if full.startswith("pte."):
        return import_module(full)
    try:
        return import_module(full)
    except PteError:
        raise
    except Exception as error:
        where = _where(error, find_spec(full).origin or "")  # type: ignore[union-attr]
        raise PteError(f"{where}: {type(error).__name__}: {error}") from error


def _where(error: Exception, file: str) -> str:
    """The plugin's file, and its line that failed."""
    if isinstance(error, SyntaxError):
        return f"{error.filename}, line {error.lineno}"
    lines = [at.lineno for at in traceback.extract_tb(error.__traceback__) if at.filename == file]
    return f"{file}, line {lines[-1]}" if lines else file
