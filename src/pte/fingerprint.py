"""A hash of the code that a module's results depend on."""

import ast
import hashlib
from pathlib import Path

_ROOT = Path(__file__).parent


def fingerprint(*modules: str) -> str:
    """Hash the code of `modules` and of every `pte` module they import, directly or not.

    A package stands for all its modules. What is hashed is the syntax tree without docstrings, so
    that comments, documentation and formatting may change freely; data files of a module's own
    name, beside it, are hashed as they are. 16 hexadecimal digits. Raises `ModuleNotFoundError` for
    a module that is not in the package.
    """
    pending, seen = list(modules), set()
    while pending:
        for path in _files(pending.pop()):
            if path not in seen:
                seen.add(path)
                pending.extend(_imports(path))
    digest = hashlib.sha256()
    for path in sorted(seen):
        digest.update(path.relative_to(_ROOT).as_posix().encode() + b"\0")
        digest.update(_meaning(path) + b"\0")
    return digest.hexdigest()[:16]


def _files(module: str) -> list[Path]:
    base = _ROOT.joinpath(*module.split(".")[1:])
    if base.is_dir():
        return sorted(base.glob("*.py"))
    if base.with_suffix(".py").is_file():
        return sorted(base.parent.glob(f"{base.name}.*"))
    raise ModuleNotFoundError(f"{module} is not a module of the package")


def _imports(path: Path) -> list[str]:
    if path.suffix != ".py":
        return []
    found = []
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.module and _is_ours(node.module):
            package = _ROOT.joinpath(*node.module.split(".")[1:]).is_dir()
            inside = [f"{node.module}.{name.name}" for name in node.names]
            found.extend(inside if package else [node.module])
        elif isinstance(node, ast.Import):
            found.extend(name.name for name in node.names if name.name.startswith("pte."))
    return found


def _is_ours(module: str) -> bool:
    return module == "pte" or module.startswith("pte.")


def _meaning(path: Path) -> bytes:
    if path.suffix != ".py":
        return path.read_bytes()
    tree = ast.parse(path.read_bytes())
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [part for part in body if not _is_text(part)]  # type: ignore[attr-defined]
    return ast.dump(tree).encode()


def _is_text(node: ast.AST) -> bool:
    """Whether a statement is a bare string: documentation."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )
