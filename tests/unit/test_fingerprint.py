import shutil

import pytest

from pte_study.plan import fingerprint as module
from pte_study.plan.fingerprint import closure


@pytest.fixture(autouse=True)
def forgotten():
    """What other tests have read is read anew, and the other way round."""
    yield forget()
    forget()


def forget():
    module._sources.cache_clear()
    module.fingerprint.cache_clear()


def fingerprint(*parts):
    forget()
    return module.fingerprint(*parts)


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A copy of the package, free to edit."""
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
    shutil.copytree(module._ROOT, tmp_path / "src", ignore=ignored)
    monkeypatch.setattr(module, "_ROOT", tmp_path / "src")
    return tmp_path / "src" / "pte"


def edit(path, old, new):
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def test_files_that_are_shared_stay_as_they_were_first_read(package):
    before = fingerprint("pte.core")
    edit(package / "core" / "edges.py", "RATE_FLOOR = 1e-4", "RATE_FLOOR = 1e-3")
    assert module.fingerprint("pte.core") == before != fingerprint("pte.core")


def test_a_copy_has_the_fingerprint_of_the_original(tmp_path, monkeypatch):
    original = fingerprint("pte.core")
    copy = shutil.copytree(module._ROOT, tmp_path / "src")
    monkeypatch.setattr(module, "_ROOT", copy)
    assert fingerprint("pte.core") == original


FLOOR = "RATE_FLOOR = 1e-4"
EDITS = {
    "code": ("core/edges.py", FLOOR, "RATE_FLOOR = 1e-3"),
    "code of a module that is imported": ("core/rng.py", "np.uint64(30)", "np.uint64(29)"),
    "code of another": ("models/words.py", "weigh(counts, learnt", "2 * weigh(counts, learnt"),
    "comment": ("core/edges.py", FLOOR, f"{FLOOR}  # of the start\n\n\n"),
    "format": ("core/edges.py", FLOOR, "RATE_FLOOR = (\n    1e-4\n)"),
    "attribute docstring": ("core/edges.py", FLOOR, f'{FLOOR}\n"""Documented."""'),
    "docstring": ("core/edges.py", "at least ρ_0", "not below ρ_0"),
    "module docstring": ("core/edges.py", '"""Edge sampling', '"""A sampling'),
}


@pytest.mark.parametrize("name", ["pte.core", "pte.training.edges"])
@pytest.mark.parametrize("edited", EDITS)
def test_code_changes_the_fingerprint_and_nothing_else_does(package, name, edited):
    file, old, new = EDITS[edited]
    before = fingerprint(name)
    edit(package / file, old, new)
    assert (fingerprint(name) != before) == (edited in [*EDITS][:2])


def test_data_of_a_modules_name_belongs_to_it(package):
    (package / "page.py").write_text("")
    before = fingerprint("pte.page")
    (package / "page.css").write_text("p { color: red; }")
    assert fingerprint("pte.page") != before


@pytest.mark.parametrize(
    "statement",
    [
        "from pte.models import words",
        "from pte.models.words import learn",
        "import pte.models.words",
        "import pte.models.words as baseline",
        "def later():\n    from pte.models import words",
    ],
)
def test_imports_are_followed(package, statement):
    (package / "user.py").write_text(statement + "\n")
    before = fingerprint("pte.user")
    edit(package / "models" / "words.py", "weigh(counts, learnt", "2 * weigh(counts, learnt")
    assert fingerprint("pte.user") != before


def test_a_new_module_of_a_package_changes_it(package):
    before = fingerprint("pte.core")
    (package / "core" / "new.py").write_text("VALUE = 1\n")
    assert fingerprint("pte.core") != before


@pytest.mark.parametrize("name", ["comparison", "curves", "pictures"])
def test_data_files_of_a_module_are_hashed_as_they_are(package, name):
    before = fingerprint(f"pte_study.report.{name}")
    with (package.parent / "pte_study" / "render" / "figures.mplstyle").open("a") as file:
        file.write("# a comment\n")
    assert fingerprint(f"pte_study.report.{name}") != before


def test_modules_that_import_each_other_come_to_an_end(package):
    (package / "one.py").write_text("import pte.two\n")
    (package / "two.py").write_text("import pte.one\n")
    assert fingerprint("pte.one") == fingerprint("pte.two")


@pytest.mark.parametrize("name", ["pte.nothing", "pte.core.nothing"])
def test_an_unknown_module_is_an_error(name):
    with pytest.raises(ModuleNotFoundError, match=name):
        fingerprint(name)


@pytest.fixture
def script(tmp_path):
    """A script with a file beside it, and one that no result depends on."""
    tmp_path = tmp_path / "scripts"
    tmp_path.mkdir()
    (tmp_path / "beside.py").write_text("VALUE = 1\n")
    (tmp_path / "job.py").write_text("SHOWN = 1\n")
    script = tmp_path / "script.py"
    script.write_text("import numpy\nfrom beside import VALUE\nfrom job import SHOWN\n")
    return script


@pytest.mark.parametrize(("name", "matters"), [("beside.py", True), ("job.py", False)])
def test_files_beside_a_script_matter_but_not_those_that_log(script, name, matters):
    before = fingerprint(script)
    edit(script.with_name(name), "= 1", "= 2")
    assert (fingerprint(script) != before) == matters


def test_a_module_of_a_plugin_is_found_on_the_path(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "of_a_plugin.py").write_text("import pte.core.rng\nVALUE = 1\n")
    before = fingerprint("of_a_plugin")
    assert closure("of_a_plugin") >= {f"../{tmp_path.name}/of_a_plugin.py", "pte/core/rng.py"}
    edit(tmp_path / "of_a_plugin.py", "= 1", "= 2")
    assert fingerprint("of_a_plugin") != before


@pytest.mark.parametrize(
    "statement",
    [
        "from a_plugin.parts import VALUE",
        "from .parts import VALUE",
        "from . import parts",
        "import a_plugin.parts",
        "from a_plugin import parts",
    ],
)
def test_a_plugin_may_be_a_package(tmp_path, monkeypatch, statement):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "a_plugin").mkdir()
    (tmp_path / "a_plugin" / "__init__.py").write_text(statement + "\n")
    parts = tmp_path / "a_plugin" / "parts.py"
    parts.write_text("VALUE = 1\n")
    first = tmp_path / "a_plugin" / "__init__.py"
    before = fingerprint(first)
    edit(parts, "= 1", "= 2")
    assert fingerprint(first) != before


def test_files_of_one_name_are_both_hashed(tmp_path):
    files = [tmp_path / folder / "same" / "one.py" for folder in "ab"]
    for file in files:
        file.parent.mkdir(parents=True)
        file.write_text("VALUE = 1\n")
    before = fingerprint(*files)
    for file in files:
        edit(file, "= 1", "= 2")
        assert fingerprint(*files) != before
        edit(file, "= 2", "= 1")


def test_a_package_that_is_imported_runs_its_first_file(package):
    """Not all its modules: an edit of one method is no reason to fit another."""
    (package / "user.py").write_text("from pte.models.cnn import fit\n")
    names = closure("pte.user")
    assert {"pte/models/cnn/__init__.py", "pte/models/cnn/network.py"} <= names
    assert "pte/models/words.py" not in names
