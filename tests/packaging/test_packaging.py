"""The sdist and the wheel: built, installed where nothing else is, and used there."""

import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path

import numba
import pytest
from packaging.requirements import Requirement
from packaging.version import Version

import pte

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
MEGABYTE = 2**20

FIRST_FIT = """
import pte
texts = ["a goal in the match", "the match ended", "shares of a bank", "a bank rate rose"] * 4
labels = ["sport", "sport", "money", "money"] * 3 + [None] * 4
model = pte.PTEClassifier(dim=8, samples=10_000, threads=1, C=100, random_state=1)
model.fit(texts, labels)
print(model.predict(["goal of the match", "shares of the bank"]).tolist())
"""

USER = """
import numpy as np
import pte

model: pte.PTEClassifier = pte.PTEClassifier(dim=8).fit(["a text"], ["a label"])
vectors: np.ndarray[tuple[int, ...], np.dtype[np.float32]] = model.transform(["a text"])
nearest: list[tuple[str, float]] = model.word_vectors_.most_similar("text", topn=3)
"""
"""What a user writes, with the types that it must have."""


def run(*command, **changes):
    """Run a command, without this checkout's package; return what it prints."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, capture_output=True, text=True, **{"env": env, **changes})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build(kind, source, folder):
    """Build a "wheel" or an "sdist" of a source tree; return its path."""
    code = f"from setuptools import build_meta; build_meta.build_{kind}({str(folder)!r})"
    run(sys.executable, "-W", "ignore", "-c", code, cwd=source, env=os.environ)
    return max(folder.iterdir(), key=lambda path: path.stat().st_mtime_ns)


@dataclass(frozen=True)
class Built:
    """The two files, and what the sdist unpacks to."""

    sdist: Path
    wheel: Path


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """The sdist of a copy of this checkout, and the wheel that is built from it alone."""
    base = tmp_path_factory.mktemp("built")
    copy = base / "checkout"
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
    shutil.copytree(ROOT / "src", copy / "src", symlinks=True, ignore=ignored)
    registry = Path("workflow/registry")  # the package has a link to a file there
    (copy / registry).mkdir(parents=True)
    shutil.copy(ROOT / registry / "methods.yaml", copy / registry)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    (base / "dist").mkdir()
    sdist = build("sdist", copy, base / "dist")
    shutil.unpack_archive(sdist, base / "unpacked")
    (unpacked,) = (base / "unpacked").iterdir()
    return Built(sdist, build("wheel", unpacked, base / "dist"))


def needed(name, found):
    """Add to `found` a distribution and all that it requires, by name."""
    if name in found:
        return
    found[name] = distribution(name)
    for text in found[name].requires or ():
        requirement = Requirement(text)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            needed(requirement.name, found)


@pytest.fixture(scope="session")
def python(built, tmp_path_factory):
    """The Python of an environment that has the wheel, and what the wheel says it requires.

    These packages are links to those here, so that nothing is downloaded. Others cannot be
    imported.
    """
    folder = tmp_path_factory.mktemp("empty") / "venv"
    run(sys.executable, "-m", "venv", "--without-pip", str(folder))
    install = ("install", "--quiet", "--no-deps", "--no-index", str(built.wheel))
    run(sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python"), *install)
    (site,) = folder.glob("lib/python*/site-packages")
    found = {}
    for requirement in PROJECT["dependencies"]:
        needed(Requirement(requirement).name, found)
    for each in found.values():
        for top in {file.parts[0] for file in each.files} - {"..", "__pycache__"}:
            if not (site / top).exists():
                (site / top).symlink_to(each.locate_file(top))
    return str(folder / "bin" / "python")


def test_the_wheel_holds_the_package_and_its_data_and_is_small(built):
    with zipfile.ZipFile(built.wheel) as wheel:
        sizes = {info.filename: info.file_size for info in wheel.infolist()}
    source = ROOT / "src" / "pte"
    files = {
        path.relative_to(source.parent).as_posix()
        for kind in ("*.py", "*.css", "*.jinja", "*.yaml", "py.typed")
        for path in source.rglob(kind)
    }
    assert files <= sizes.keys() and "pte/methods.yaml" in files
    others = {name.split("/")[0] for name in sizes.keys() - files}
    assert others == {f"pte-{pte.__version__}.dist-info"}
    assert built.wheel.stat().st_size < MEGABYTE
    with tarfile.open(built.sdist) as sdist:
        names = {each.name.partition("/")[2] for each in sdist if not each.issym()}
    expected = {"LICENSE", "README.md", "pyproject.toml", "src/pte/py.typed"}
    assert expected | {"src/pte/methods.yaml"} <= names


def test_the_wheel_says_what_the_project_says(built):
    with zipfile.ZipFile(built.wheel) as wheel:
        text = wheel.read(f"pte-{pte.__version__}.dist-info/METADATA").decode()
    assert f"Version: {pte.__version__}\n" in text and PROJECT["version"] == pte.__version__
    assert "License-Expression: MIT\n" in text and "License-File: LICENSE\n" in text
    assert f"Requires-Python: {PROJECT['requires-python']}\n" in text


def test_numba_is_one_that_was_tried():
    """`pte.core.vector` builds LLVM code with parts of numba that any minor version may change."""
    (bound,) = (line for line in PROJECT["dependencies"] if line.startswith("numba"))
    pins = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    (pin,) = (Version(line.partition("==")[2]) for line in pins if line.startswith("numba=="))
    advice = (
        f"numba {max(pin, Version(numba.__version__))} is new: run tests/kernels and "
        "tests/statistical with it, see that vectors of one thread are the same to the bit, then "
        "raise the bound in pyproject.toml and environment.yml, and the pin in constraints.txt"
    )
    assert bound.endswith(f",<{pin.major}.{pin.minor + 1}"), advice
    assert numba.__version__ in Requirement(bound).specifier, advice


@pytest.mark.long
def test_every_module_finds_what_it_imports_there(python, tmp_path):
    code = """
import importlib, pkgutil, pte
names = [each.name for each in pkgutil.walk_packages(pte.__path__, "pte.")]
for name in names:
    importlib.import_module(name)
print(len(names))
"""
    env = {"NUMBA_DISABLE_JIT": "1", "MPLCONFIGDIR": str(tmp_path)}
    assert int(run(python, "-I", "-c", code, cwd=tmp_path, env=env)) > 100


@pytest.mark.long
def test_the_command_fits_predicts_and_evaluates_there(python, tmp_path):
    lines = ["a goal in the match,sport", "the bank rate rose,money"] * 12
    (tmp_path / "news.csv").write_text("\n".join(["text,label", *lines]))
    columns = ("news.csv", "--text", "text", "--label", "label")

    def pte(*arguments, **changes):
        command = str(Path(python).with_name("pte"))
        return run(
            command, *arguments, cwd=tmp_path, env={**os.environ, "PYTHONPATH": ""}, **changes
        )

    pte("fit", *columns, "--output", "model.npz")
    assert pte("predict", "model.npz", "-", input="a goal\nthe bank\n").split()[1::3] == [
        "sport",
        "money",
    ]
    brief = ("--method", "bow", "--method", "pte-joint", "--samples", "5000", "--dim", "8")
    assert "micro-F1" in pte("evaluate", *columns, *brief, "--page", "page.html")
    assert (tmp_path / "page.html").read_text("utf-8").startswith("<!")
    pte("fit", *columns, "--output", "advised.npz")
    said = pte("explain", "advised.npz", "-", input="a goal\n")
    assert "goal" in said


def test_the_study_says_what_it_needs(python):
    env = {"PYTHONPATH": str(ROOT / "src")}
    command = [python, "-m", "pte_study.report.publish"]
    done = subprocess.run(command, capture_output=True, text=True, env=env)
    assert done.returncode == 1
    assert ".[workflow]" in done.stderr.splitlines()[-1]


def test_importing_pte_imports_nothing_that_takes_time(python):
    code = "import sys; import pte; dir(pte); print(*sys.modules)"
    slow = {"numpy", "scipy", "sklearn", "pandas", "numba", "matplotlib"}
    assert not slow & set(run(python, "-I", "-c", code).split())


@pytest.mark.long
def test_the_first_fit_compiles_and_the_second_does_not(python, tmp_path):
    env = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}

    def machine_code():
        assert run(python, "-I", "-c", FIRST_FIT, env=env) == "['sport', 'money']\n"
        files = (tmp_path / "cache").rglob("*.nb[ci]")
        return {path: path.stat().st_mtime_ns for path in files}

    first = machine_code()
    assert first and machine_code() == first


@pytest.mark.long
def test_a_user_gets_the_types_of_the_public_names(python, tmp_path):
    (tmp_path / "user.py").write_text(USER)
    mypy = (sys.executable, "-m", "mypy", "--strict", "--python-executable", python)
    run(*mypy, "user.py", cwd=tmp_path)
    (tmp_path / "user.py").write_text('import pte\npte.PTE(dim="many")\n')
    with pytest.raises(AssertionError, match="incompatible type"):
        run(*mypy, "user.py", cwd=tmp_path)


def test_the_public_names_are_those_of_the_package():
    assert sorted(pte.__all__) == sorted(set(pte.__all__)) == sorted(pte._HOMES)
    assert all(getattr(pte, name).__doc__ for name in pte.__all__)
    assert all(getattr(pte, name).__name__ == name for name in pte.__all__)
    assert {name for name in dir(pte) if not name.startswith("__")} == set(pte.__all__)
    assert "__version__" in dir(pte)
    with pytest.raises(AttributeError, match="no attribute 'PCA'"):
        _ = pte.PCA
