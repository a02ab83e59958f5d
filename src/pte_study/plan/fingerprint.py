"""Hashes of the code that results depend on."""

import ast
import hashlib
from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

_ROOT = Path(__file__).parents[2]

PACKAGES = ("pte", "pte_study")
SILENT = ("scripts/job.py",)  # these change no result, so no hash has them


Imports = tuple[tuple[str, tuple[str, ...]], ...]
"""Modules and names; no names if a whole module is imported."""


class Source(NamedTuple):
    """A file of code; its `meaning` is its syntax tree without docstrings, or its data."""

    name: str
    meaning: bytes
    followed: tuple[str | Path, ...]


@cache
def fingerprint(*parts: str | Path) -> str:
    """Hash the code of files or modules (all of a package), and all of the project they import.

    Comments, docstrings and formatting may change freely. A plugin's own imports, and data files
    with a module's name, are hashed, too. Each file counts as it was when it was first read."""
    digest = hashlib.sha256()
    for name, meaning in sorted(each[:2] for each in _closure(*parts)):
        digest.update(name.encode() + b"\0")
        digest.update(meaning + b"\0")
    return digest.hexdigest()[:16]


def closure(*parts: str | Path) -> set[str]:
    """Return the names of the files that `fingerprint` hashes."""
    return {source.name for source in _closure(*parts)}


def _closure(*parts: str | Path) -> Iterable[Source]:
    pending, seen = list(parts), dict[Path, Source]()
    while pending:
        for path, source in _sources(pending.pop()).items():
            if path not in seen:
                seen[path] = source
                pending += source.followed
    return seen.values()


@cache
def _sources(part: str | Path) -> dict[Path, Source]:
    paths = (path for path in _files(part) if "/".join(path.parts[-2:]) not in SILENT)
    return {path: _source(path) for path in paths}


def _source(path: Path) -> Source:
    content = path.read_bytes()
    meaning, imports = _parsed(content) if path.suffix == ".py" else (content, ())
    return Source(_name(path), meaning, tuple(_imported(imports, path)))


def _name(path: Path) -> str:
    if path.is_relative_to(_ROOT):
        return path.relative_to(_ROOT).as_posix()
    root = _root_of(path)
    return f"../{root.name}/{path.relative_to(root).as_posix()}"


def _root_of(path: Path) -> Path:
    """Return the folder that must be on the path to import a file from outside the package."""
    folder = path.parent
    while (folder / "__init__.py").is_file():
        folder = folder.parent
    return folder


def _files(part: str | Path) -> list[Path]:
    if isinstance(part, Path):
        return sorted(part.parent.glob(f"{part.stem}.*"))
    if _is_ours(part):
        base = _ROOT.joinpath(*part.split("."))
        if base.is_dir():
            return sorted(base.rglob("*.py"))
        if base.with_suffix(".py").is_file():
            return sorted(base.parent.glob(f"{base.name}.*"))
    else:
        found = find_spec(part)
        if found is not None and found.origin is not None:
            return _files(Path(found.origin))
    raise ModuleNotFoundError(f"{part} is not a module of the package or of a plugin")


@cache
def _parsed(content: bytes) -> tuple[bytes, Imports]:
    """Return the meaning and the imports of all statements, at any depth; expressions hold none."""
    tree = ast.parse(content)
    imports: list[tuple[str, tuple[str, ...]]] = []
    pending: list[Any] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            imports.append((module, tuple(name.name for name in node.names)))
        elif isinstance(node, ast.Import):
            imports += [(name.name, ()) for name in node.names]
        for field in ("body", "orelse", "finalbody", "handlers", "cases"):
            part = getattr(node, field, None)
            if isinstance(part, list):
                pending += part
        if isinstance(getattr(node, "body", None), list):
            node.body = [part for part in node.body if not _is_text(part)]
    return ast.dump(tree).encode(), tuple(imports)


def _imported(imports: Imports, path: Path) -> list[str | Path]:
    """Return the imports that are followed; of a package, `__init__` or a named module."""
    found: list[str | Path] = []
    for module, names in imports:
        if _is_ours(module):
            found += _of_package(module, names)
        elif not path.is_relative_to(_ROOT):
            found += _beside(module, names, path)
    return found


def _of_package(module: str, names: tuple[str, ...]) -> list[str | Path]:
    folder = _ROOT.joinpath(*module.split("."))
    if not (folder.is_dir() and names):
        return [module]
    return [
        f"{module}.{name}" if _is_module(folder / name) else folder / "__init__.py"
        for name in names
    ]


def _beside(module: str, names: tuple[str, ...], path: Path) -> list[str | Path]:
    """Return the files of a plugin, or of the folder of scripts, that its file `path` imports."""
    above = len(module) - len(module.lstrip("."))
    start = path.parents[above - 1] if above else _root_of(path)
    base = start.joinpath(*filter(None, module.lstrip(".").split(".")))
    inside = [base / name for name in names if _is_module(base / name)]
    files = [each / "__init__.py" if each.is_dir() else each.with_suffix(".py") for each in inside]
    own = base / "__init__.py" if base.is_dir() else base.with_suffix(".py")
    return [*files, *([own] if own.is_file() else [])]


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] in PACKAGES


def _is_module(path: Path) -> bool:
    return path.is_dir() or path.with_suffix(".py").is_file()


def _is_text(node: ast.AST) -> bool:
    value = node.value if isinstance(node, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)
