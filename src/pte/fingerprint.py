"""A hash of the code that a module's results depend on."""

import ast
import hashlib
from functools import cache
from pathlib import Path
from typing import NamedTuple

_ROOT = Path(__file__).parent


class Code(NamedTuple):
    """What a file means: its syntax tree without docstrings; and what of this package it imports.

    Imports are pairs of a module and the names that are imported from it, none if it is as a whole.
    """

    meaning: bytes
    imports: tuple[tuple[str, tuple[str, ...]], ...]


def fingerprint(*modules: str) -> str:
    """Hash the code of `modules` and of every `pte` module they import, directly or not.

    A package stands for all its modules. What is hashed is the syntax tree without docstrings, so
    that comments, documentation and formatting may change freely; data files of a module's own
    name, beside it, are hashed as they are. 16 hexadecimal digits. Raises `ModuleNotFoundError` for
    a module that is not in the package.
    """
    pending, seen = list(modules), dict[Path, bytes]()
    while pending:
        for path in _files(pending.pop()):
            if path not in seen:
                code = _code(path)
                seen[path] = code.meaning
                pending.extend(_modules(code))
    digest = hashlib.sha256()
    for path in sorted(seen):
        digest.update(path.relative_to(_ROOT).as_posix().encode() + b"\0")
        digest.update(seen[path] + b"\0")
    return digest.hexdigest()[:16]


def _files(module: str) -> list[Path]:
    base = _ROOT.joinpath(*module.split(".")[1:])
    if base.is_dir():
        return sorted(base.glob("*.py"))
    if base.with_suffix(".py").is_file():
        return sorted(base.parent.glob(f"{base.name}.*"))
    raise ModuleNotFoundError(f"{module} is not a module of the package")


def _code(path: Path) -> Code:
    content = path.read_bytes()
    return _parsed(content) if path.suffix == ".py" else Code(content, ())


@cache
def _parsed(content: bytes) -> Code:
    tree = ast.parse(content)
    imports: list[tuple[str, tuple[str, ...]]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and _is_ours(node.module):
            imports.append((node.module, tuple(name.name for name in node.names)))
        elif isinstance(node, ast.Import):
            imports += [(name.name, ()) for name in node.names if name.name.startswith("pte.")]
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [part for part in body if not _is_text(part)]  # type: ignore[attr-defined]
    return Code(ast.dump(tree).encode(), tuple(imports))


def _modules(code: Code) -> list[str]:
    """The modules that code imports; a name that is imported from a package may be one."""
    found = []
    for module, names in code.imports:
        package = _ROOT.joinpath(*module.split(".")[1:]).is_dir()
        found.extend([f"{module}.{name}" for name in names] if package and names else [module])
    return found


def _is_ours(module: str) -> bool:
    return module == "pte" or module.startswith("pte.")


def _is_text(node: ast.AST) -> bool:
    """Whether a statement is a bare string: documentation."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )
