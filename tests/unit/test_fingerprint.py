import shutil

import pytest

from pte import fingerprint as module
from pte.fingerprint import fingerprint


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A copy of the package, free to edit."""
    copy = tmp_path / "pte"
    shutil.copytree(module._ROOT, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(module, "_ROOT", copy)
    return copy


def edit(path, old, new):
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def test_a_copy_has_the_fingerprint_of_the_original(tmp_path, monkeypatch):
    original = fingerprint("pte.core")
    copy = shutil.copytree(module._ROOT, tmp_path / "pte")
    monkeypatch.setattr(module, "_ROOT", copy)
    assert fingerprint("pte.core") == original


def test_a_fingerprint_is_sixteen_hexadecimal_digits(package):
    assert len(fingerprint("pte.core")) == 16
    int(fingerprint("pte.core"), 16)


def test_code_changes_the_fingerprint(package):
    before = fingerprint("pte.core")
    edit(package / "core" / "step.py", "RATE_FLOOR = 1e-4", "RATE_FLOOR = 1e-3")
    assert fingerprint("pte.core") != before


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("RATE_FLOOR = 1e-4", "RATE_FLOOR = 1e-4  # of the start\n\n\n"),
        ("RATE_FLOOR = 1e-4", "RATE_FLOOR = (\n    1e-4\n)"),
        ("RATE_FLOOR = 1e-4", 'RATE_FLOOR = 1e-4\n"""Documented."""'),
        ("never below ρ_0", "not below ρ_0"),
        ('"""One negative-sampling step', '"""A step'),
    ],
    ids=["comment", "format", "attribute docstring", "docstring", "module docstring"],
)
def test_comments_documentation_and_format_do_not_change_it(package, old, new):
    before = fingerprint("pte.core")
    edit(package / "core" / "step.py", old, new)
    assert fingerprint("pte.core") == before


def test_data_of_a_modules_name_belongs_to_it(package):
    (package / "page.py").write_text("")
    before = fingerprint("pte.page")
    (package / "page.css").write_text("p { color: red; }")
    assert fingerprint("pte.page") != before


def test_a_string_that_is_used_is_code(package):
    (package / "text.py").write_text('NAME = "one"\n')
    before = fingerprint("pte.text")
    (package / "text.py").write_text('NAME = "two"\n')
    assert fingerprint("pte.text") != before


@pytest.mark.parametrize(
    "statement",
    [
        "from pte.models import bow",
        "from pte.models.bow import fit",
        "import pte.models.bow",
        "import pte.models.bow as baseline",
        "def later():\n    from pte.models import bow",
    ],
)
def test_imports_are_followed(package, statement):
    (package / "user.py").write_text(statement + "\n")
    before = fingerprint("pte.user")
    edit(package / "models" / "bow.py", "train.size", "len(train)")
    assert fingerprint("pte.user") != before


def test_imports_are_followed_through_other_modules(package):
    before = fingerprint("pte.models.network_embedding")
    edit(package / "core" / "rng.py", "np.uint64(30)", "np.uint64(29)")
    assert fingerprint("pte.models.network_embedding") != before


def test_modules_that_are_not_imported_do_not_matter(package):
    before = fingerprint("pte.core")
    edit(package / "models" / "bow.py", "train.size", "len(train)")
    assert fingerprint("pte.core") == before


def test_a_new_module_of_a_package_changes_it(package):
    before = fingerprint("pte.core")
    (package / "core" / "new.py").write_text("VALUE = 1\n")
    assert fingerprint("pte.core") != before


@pytest.mark.parametrize("name", ["figures", "curves", "sensitivity", "maps", "times"])
def test_data_files_of_a_module_are_hashed_as_they_are(package, name):
    before = fingerprint(f"pte.report.{name}")
    with (package / "report" / "figures.mplstyle").open("a") as file:
        file.write("# a comment\n")
    assert fingerprint(f"pte.report.{name}") != before


def test_modules_that_import_each_other_come_to_an_end(package):
    (package / "one.py").write_text("import pte.two\n")
    (package / "two.py").write_text("import pte.one\n")
    assert fingerprint("pte.one") == fingerprint("pte.two")


def test_the_order_of_the_modules_does_not_matter(package):
    assert fingerprint("pte.core", "pte.files") == fingerprint("pte.files", "pte.core")


@pytest.mark.parametrize("name", ["pte.nothing", "pte.core.nothing"])
def test_an_unknown_module_is_an_error(name):
    with pytest.raises(ModuleNotFoundError, match=name):
        fingerprint(name)
