"""A hash of the code that results depend on."""

import ast
import hashlib
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

_ROOT = Path(__file__).parents[1]

SILENT = ("job.py",)
"""Files that are left out: they write logs, progress and costs, and no result depends on them."""


class Code(NamedTuple):
    """What a file means: its syntax tree without docstrings; and what it imports.

    Imports are pairs of a module and the names that are imported from it, none if it is as a whole.
    """

    meaning: bytes
    imports: tuple[tuple[str, tuple[str, ...]], ...]


def fingerprint(*parts: str | Path) -> str:
    """Hash the code of modules or files, and all code of this project that they import.

    What is hashed is the syntax tree without docstrings, so that comments, documentation and
    formatting may change freely. Data files of a module's own name, beside it, are hashed as they
    are.

    Returns 16 hexadecimal digits. Raises `ModuleNotFoundError` for a module that is not there.
    """
    digest = hashlib.sha256()
    for name, meaning in sorted(closure(*parts).items()):
        digest.update(name.encode() + b"\0")
        digest.update(meaning + b"\0")
    return digest.hexdigest()[:16]


def closure(*parts: str | Path) -> dict[str, bytes]:
    """What modules or files mean, and all that they import, by the names of files.

    A part is the name of a module, of which a package stands for all its modules, or a file. An
    import is followed where it is a module of `pte`, or a file beside the one that imports it.
    """
    pending, seen = list(parts), dict[Path, bytes]()
    while pending:
        for path in _files(pending.pop()):
            if path not in seen and path.name not in SILENT:
                code = _code(path)
                seen[path] = code.meaning
                pending.extend(_imported(code, path))
    return {_name(path): meaning for path, meaning in seen.items()}


def _name(path: Path) -> str:
    """What a file is hashed as, wherever the checkout lies."""
    inside = path.is_relative_to(_ROOT)
    return path.relative_to(_ROOT).as_posix() if inside else f"../{path.name}"


def _files(part: str | Path) -> list[Path]:
    if isinstance(part, Path):
        return [part]
    if part == "pte" or part.startswith("pte."):
        base = _ROOT.joinpath(*part.split(".")[1:])
        if base.is_dir():
            return sorted(base.rglob("*.py"))
        if base.with_suffix(".py").is_file():
            return sorted(base.parent.glob(f"{base.name}.*"))
    else:
        found = find_spec(part)
        if found is not None and found.origin is not None:
            return [Path(found.origin)]
    raise ModuleNotFoundError(f"{part} is not a module of the package or of a plugin")


def _code(path: Path) -> Code:
    content = path.read_bytes()
    return _parsed(content) if path.suffix == ".py" else Code(content, ())


@cache
def _parsed(content: bytes) -> Code:
    tree = ast.parse(content)
    imports: list[tuple[str, tuple[str, ...]]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            imports.append((node.module, tuple(name.name for name in node.names)))
        elif isinstance(node, ast.Import):
            imports += [(name.name, ()) for name in node.names]
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [part for part in body if not _is_text(part)]  # type: ignore[attr-defined]
    return Code(ast.dump(tree).encode(), tuple(imports))


def _imported(code: Code, path: Path) -> list[str | Path]:
    """What is followed of the imports of a file.

    A name that is imported from a package may be a module of it. The package itself is followed
    as its `__init__`, which runs at every import.
    """
    found: list[str | Path] = []
    for module, names in code.imports:
        if module != "pte" and not module.startswith("pte."):
            beside = path.with_name(f"{module}.py")
            found += [beside] if beside.is_file() and not path.is_relative_to(_ROOT) else []
            continue
        folder = _ROOT.joinpath(*module.split(".")[1:])
        for name in names or ("",):
            inside = folder / name
            if (
                folder.is_dir()
                and name
                and (inside.is_dir() or inside.with_suffix(".py").is_file())
            ):
                found.append(f"{module}.{name}")
            elif folder.is_dir() and names:
                found.append(folder / "__init__.py")
            else:
                found.append(module)
    return found


def _is_text(node: ast.AST) -> bool:
    """Whether a statement is a bare string: documentation."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )
