"""A hash of the code that a module's results depend on."""

import ast
import hashlib
from functools import cache
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
    for module, names in _import_statements(path.read_bytes()):
        package = _ROOT.joinpath(*module.split(".")[1:]).is_dir()
        found.extend([f"{module}.{name}" for name in names] if package and names else [module])
    return found


@cache
def _import_statements(code: bytes) -> list[tuple[str, list[str]]]:
    """The modules of this package that code imports, or imports the names from."""
    found = []
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ImportFrom) and node.module and _is_ours(node.module):
            found.append((node.module, [name.name for name in node.names]))
        elif isinstance(node, ast.Import):
            found.extend((name.name, []) for name in node.names if name.name.startswith("pte."))
    return found


def _is_ours(module: str) -> bool:
    return module == "pte" or module.startswith("pte.")


def _meaning(path: Path) -> bytes:
    content = path.read_bytes()
    return _syntax(content) if path.suffix == ".py" else content


@cache
def _syntax(code: bytes) -> bytes:
    """The syntax tree of code without its docstrings."""
    tree = ast.parse(code)
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
