"""pyproject.toml, environment.yml and constraints.txt say the same."""

import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]


def bounds(lines):
    """What each package may be, by its normalised name."""
    requirements = [Requirement(line) for line in lines]
    return {canonicalize_name(each.name): each.specifier for each in requirements}


@pytest.fixture
def project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def test_conda_environment_has_the_bounds_of_the_project(project):
    text = (ROOT / "environment.yml").read_text("utf-8")
    *conda, pip = yaml.safe_load(text)["dependencies"]
    conda.remove("pip")  # conda wants it named for the list below it; a venv brings its own
    wanted = project["dependencies"] + project["optional-dependencies"]["workflow"]
    python = f"python{project['requires-python']}"
    assert bounds(conda + pip["pip"]) == bounds([python, *wanted])
    assert "://" not in text


def test_plain_pytest_runs_every_folder_of_tests_but_those_that_need_extras():
    options = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["pytest"]
    folders = {path.parent for path in (ROOT / "tests").rglob("test_*.py")}
    assert {ROOT / path for path in options["ini_options"]["testpaths"]} == folders - {
        ROOT / "tests" / "cluster",
        ROOT / "tests" / "site",
    }


def test_every_pin_has_hashes():
    text = (ROOT / "hashes.txt").read_text("utf-8").replace("\\\n", " ")
    hashed = [line.partition(" --hash=sha256:") for line in text.splitlines()]
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    assert all(len(found.split()[0]) == 64 for _, _, found in hashed)
    assert bounds(lines).items() <= bounds(line for line, _, _ in hashed).items()


def test_constraints_pin_every_requirement_within_its_bounds(project):
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pins = bounds(line for line in lines if line and not line.startswith("#"))
    for name, pin in pins.items():
        assert [each.operator for each in pin] == ["=="], name
    extras = project["optional-dependencies"].values()
    wanted = bounds(project["dependencies"] + [line for extra in extras for line in extra])
    assert wanted.keys() <= pins.keys()
    for name, allowed in wanted.items():
        assert next(iter(pins[name])).version in allowed, name
