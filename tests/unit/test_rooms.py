"""The order in which packages import each other, sizes of functions, and what rules may hold."""

import ast
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"
MODULES = sorted(path for name in ("pte", "pte_study") for path in (SOURCE / name).rglob("*.py"))

MODELS = {"core", "corpora", "networks", "training", "evaluation", "models"}
LIBRARY = {
    "core": set(),
    "corpora": {"core"},
    "networks": {"core", "corpora"},
    "evaluation": {"corpora"},
    "training": {"core", "corpora", "networks", "evaluation"},
    "models": MODELS - {"models"},
    "tables": {"corpora"},
    "classify": {*MODELS, "keyed_vectors"},
    "command": {*MODELS, "classify", "keyed_vectors", "tables"} - {"core", "models"},
}
"""What each package of the library may import; what is in `FREE` may be imported by all."""

FREE = {*("array_file", "encoders", "errors", "files", "limits", "machine"), "plugins"}

STUDY = {
    "render": set(),
    "claims": {"store"},
    "configuration": {"claims"},
    "plan": {"fetch", "configuration", "claims", "store"},
    "report": {"configuration", "claims", "render", "store", "plan"},
}
"""What each package of the study may import of it; all may import `paths` and the library.
What is no package, such as `store`, imports nothing else."""

LINES, ARGUMENTS = 60, 7
LINES_OF_A_KERNEL, ARGUMENTS_OF_A_KERNEL = 80, 9


def imported(path: Path) -> set[str]:
    """The modules of this project that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("pte"):
            inside = SOURCE.joinpath(*node.module.split("."))
            for name in node.names:
                is_module = (inside / f"{name.name}.py").is_file() or (inside / name.name).is_dir()
                found.add(f"{node.module}.{name.name}" if is_module else node.module)
        elif isinstance(node, ast.Import):
            found |= {name.name for name in node.names if name.name.startswith("pte.")}
    return found


def package_of(path: Path) -> str:
    inside = path.relative_to(SOURCE)
    return ".".join(inside.parts[:2]) if len(inside.parts) > 2 else inside.parts[0]


def faults(name: str, allowed: set[str]) -> list[str]:
    """The imports of a package that are not `allowed`."""
    return [
        f"{path.relative_to(SOURCE)}: {module}"
        for path in MODULES
        if package_of(path) == name
        for module in imported(path)
        if module not in allowed and ".".join(module.split(".")[:2]) not in allowed
    ]


@pytest.mark.parametrize("name", LIBRARY)
def test_a_package_imports_what_stands_below_it(name):
    allowed = {"pte", *(f"pte.{each}" for each in LIBRARY[name] | FREE | {name})}
    assert faults(f"pte.{name}", allowed) == []


@pytest.mark.parametrize("name", STUDY)
def test_a_package_of_the_study_imports_what_stands_below_it(name):
    library = {"pte", *(f"pte.{each}" for each in LIBRARY.keys() | FREE | {"keyed_vectors"})}
    ours = {f"pte_study.{each}" for each in STUDY[name] | {name, "paths"}}
    assert faults(f"pte_study.{name}", library | ours) == []
    assert faults("pte_study", library | {"pte_study.paths"}) == []


def test_the_library_does_not_know_the_study():
    assert [
        f"{path.relative_to(SOURCE)}: {module}"
        for path in MODULES
        if path.relative_to(SOURCE).parts[0] == "pte"
        for module in imported(path)
        if module.startswith("pte_study")
    ] == []


def test_every_package_has_its_place_in_the_order():
    known = {f"pte.{name}" for name in LIBRARY} | {f"pte_study.{name}" for name in STUDY}
    assert {package_of(path) for path in MODULES} == known | {"pte", "pte_study"}


def functions(path: Path) -> list[ast.FunctionDef]:
    return [
        node
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef)
    ]


def test_functions_are_small():
    faults = []
    for path in MODULES:
        kernel = package_of(path) == "pte.core"
        lines = LINES_OF_A_KERNEL if kernel else LINES
        arguments = ARGUMENTS_OF_A_KERNEL if kernel else ARGUMENTS
        for function in functions(path):
            given = function.args
            names = [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
            many = len([name for name in names if name not in ("self", "cls")])
            long = function.end_lineno - function.lineno + 1
            if long > lines or many > arguments:
                where = f"{path.relative_to(SOURCE)}: {function.name}"
                faults.append(f"{where}: {long} lines, {many} arguments")
    assert faults == []


def test_two_classes_never_share_a_name():
    names = Counter(
        node.name
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert {name: many for name, many in names.items() if many > 1} == {}


def test_one_file_alone_says_what_runs_at_the_start():
    """Of several `onstart`, Snakemake silently keeps the last."""
    rules = sorted((ROOT / "workflow" / "rules").glob("*.smk"))
    files = [ROOT / "Snakefile", ROOT / "workflow" / "Snakefile", *rules]
    assert sum(file.read_text("utf-8").count("\nonstart:") for file in files) == 1


def test_rules_hold_no_logic():
    """No function of a rule file is longer than two lines, and none is long in characters."""
    faults = []
    for path in sorted((ROOT / "workflow" / "rules").glob("*.smk")):
        lines = path.read_text("utf-8").splitlines()
        for number, line in enumerate(lines):
            if line.startswith("def "):
                body = [each for each in lines[number + 1 : number + 5] if each.startswith("    ")]
                if len(body) > 2:
                    faults.append(f"{path.name}: {line}")
    assert faults == []


@pytest.mark.parametrize(
    "path", sorted((ROOT / "workflow" / "scripts").glob("*.py")), ids=lambda p: p.name
)
def test_scripts_are_adapters(path):
    """They read, call and write; `job.py` is what they share."""
    if path.name == "job.py":
        return
    statements = [
        node
        for node in ast.parse(path.read_text("utf-8")).body
        if not isinstance(node, ast.Import | ast.ImportFrom)
    ]
    lines = sum(node.end_lineno - node.lineno + 1 for node in statements)
    assert lines <= 30, f"{path.name} has {lines} lines besides its imports"
