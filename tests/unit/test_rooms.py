"""The order in which packages import each other, and the sizes that functions may have."""

import ast
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "pte"
MODULES = sorted(PACKAGE.rglob("*.py"))

MAY_IMPORT = {
    "core": set(),
    "corpora": {"core"},
    "networks": {"core", "corpora"},
    "training": {"core", "corpora", "networks"},
    "evaluation": {"corpora"},
    "selection": {"corpora", "networks", "training", "evaluation"},
    "models": {"core", "corpora", "networks", "training", "evaluation", "selection"},
    "estimators": {
        *("core", "corpora", "networks", "training", "evaluation", "selection", "models"),
        "keyed_vectors",
    },
    "claims": {"corpora"},
    "command": {
        *("corpora", "networks", "evaluation", "estimators", "claims", "study", "render"),
        "keyed_vectors",
    },
    "render": set(),
    "report": {"corpora", "claims", "render", "study", "recommendation"},
    # Names and settings, not algorithms: see LIGHT.
    "study": {"corpora", "networks", "training", "evaluation", "claims", "render"},
}
"""What each package may import; what is in `FREE` may be imported by all."""

FREE = {"errors", "files", "limits", "machine", "memory", "outputs", "plugins", "shard"}
LIGHT = {
    *(
        "corpora.entry",
        "corpora.mirror",
        "corpora.own",
        "corpora.reading",
        "corpora.tokenise",
        "corpora.subsets",
        "networks.named",
        "training.setup",
        "training.plan",
    ),
    *("training.contract", "evaluation.setting", "claims.claim", "claims.relations"),
    "render.cells",
}
"""Modules with the names and settings that `study` is made of."""

LINES, ARGUMENTS = 60, 7
LINES_OF_A_KERNEL, ARGUMENTS_OF_A_KERNEL = 80, 9


def imported(path: Path) -> set[str]:
    """The modules of the package that a file imports, without `pte.`."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("pte"):
            inside = PACKAGE.joinpath(*node.module.split(".")[1:])
            for name in node.names:
                is_module = (inside / f"{name.name}.py").is_file() or (inside / name.name).is_dir()
                found.add(f"{node.module}.{name.name}" if is_module else node.module)
        elif isinstance(node, ast.Import):
            found |= {name.name for name in node.names if name.name.startswith("pte.")}
    return {name.removeprefix("pte").removeprefix(".") for name in found}


def package_of(path: Path) -> str:
    inside = path.relative_to(PACKAGE)
    return inside.parts[0] if len(inside.parts) > 1 else ""


@pytest.mark.parametrize("name", MAY_IMPORT)
def test_a_package_imports_what_stands_below_it(name):
    allowed = MAY_IMPORT[name] | FREE | {name, ""}
    faults = [
        f"{path.relative_to(PACKAGE)}: pte.{module}"
        for path in MODULES
        if package_of(path) == name
        for module in imported(path)
        if module.partition(".")[0] not in allowed
    ]
    assert faults == []


def test_every_package_has_its_place_in_the_order():
    assert {package_of(path) for path in MODULES} - {""} == MAY_IMPORT.keys()


def test_a_study_knows_names_and_settings_but_no_algorithm():
    faults = [
        f"{path.relative_to(PACKAGE)}: pte.{module}"
        for path in MODULES
        if package_of(path) == "study"
        for module in imported(path)
        if module.partition(".")[0] not in FREE | {"study", ""} and module not in LIGHT
    ]
    assert faults == []


def functions(path: Path) -> list[ast.FunctionDef]:
    return [
        node
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef)
    ]


def test_functions_are_small():
    faults = []
    for path in MODULES:
        kernel = package_of(path) == "core"
        lines = LINES_OF_A_KERNEL if kernel else LINES
        arguments = ARGUMENTS_OF_A_KERNEL if kernel else ARGUMENTS
        for function in functions(path):
            given = function.args
            names = [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
            many = len([name for name in names if name not in ("self", "cls")])
            long = function.end_lineno - function.lineno + 1
            if long > lines or many > arguments:
                where = f"{path.relative_to(PACKAGE)}: {function.name}"
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
