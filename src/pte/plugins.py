"""Modules that the registry names: of this project, or of PTE_PLUGINS on Python's path."""

import os
import traceback
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pte.errors import PteError


def module_name(package: str, name: str) -> str:
    """Return the full name of a module of one package or plugin folder; a class follows a dot."""
    return _module_name(package, name.partition(".")[0], os.environ.get("PTE_PLUGINS", ""))


@cache
def _module_name(package: str, name: str, folders: str) -> str:
    ours = find_spec(f"{package}.{name}") is not None
    bases = [Path(folder, name) for folder in folders.split(os.pathsep) if folder]
    both = [each for base in bases for each in (base.with_suffix(".py"), base / "__init__.py")]
    files = [each for each in both if each.is_file()]
    if not files:
        if ours:
            return f"{package}.{name}"
        raise PteError(
            f"{name}: there is no module {package}.{name}, nor {name}.py in a folder of "
            "config.yaml: plugins"
        )
    found = find_spec(name)
    origin = found.origin if found else None
    if ours or origin is None or Path(origin).resolve() != files[0].resolve():
        other = package if ours else "Python"
        raise PteError(f"{files[0]}: {other} has a module {name} already; choose another name")
    return name


def load(package: str, name: str) -> Any:
    """Return the module or class that `module_name` finds; errors name file and line."""
    full, _, inside = module_name(package, name), *name.partition(".")[1:]
    module = import_module(full) if full.startswith(f"{package}.") else _plugin(full)
    if not inside:
        return module
    if not hasattr(module, inside):
        raise PteError(f"{name}: {full} has no class {inside}")
    return getattr(module, inside)


def _plugin(full: str) -> Any:
    try:
        return import_module(full)
    except PteError:
        raise
    except Exception as error:
        where = _where(error, find_spec(full).origin or "")  # type: ignore[union-attr]
        raise PteError(f"{where}: {type(error).__name__}: {error}") from error


def _where(error: Exception, file: str) -> str:
    if isinstance(error, SyntaxError):
        return f"{error.filename}, line {error.lineno}"
    lines = [at.lineno for at in traceback.extract_tb(error.__traceback__) if at.filename == file]
    return f"{file}, line {lines[-1]}" if lines else file
