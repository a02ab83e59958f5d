"""Every code block of the pages is right: each kind has its rule, and no block is left out.

Python runs and prints what the page shows; YAML and files are read; each shell command names a
program with a rule, and what it asks for exists. tests/workflow/test_page_targets.py plans what the
commands ask of Snakemake, and tests/site builds the directives.
"""

import argparse
import io
import re
import subprocess
import tomllib
from contextlib import redirect_stdout
from importlib.util import find_spec
from itertools import pairwise

import click
import pytest
import yaml
from blocks import PAGES, ROOT, Block, blocks, commands, of_kind, session
from snakemake.cli import get_argument_parser

from pte.command.main import app

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
MAKE = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))
OF_THE_SHELL = {".", "conda", "docker", "echo", "export", "sbatch", "sha256sum", "tar"}
"""Commands that are not ours: Bash reads them, and that is all."""


def where(it: object) -> str:
    """What a test is called."""
    return f"{it.page.relative_to(ROOT)}:{it.line}" if isinstance(it, Block) else str(it)


def test_each_block_has_a_rule():
    kinds = {block.kind for page in PAGES for block in blocks(page)}
    assert kinds == {"python", "yaml", "output", "file", "shell", "console", "directive"}


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if any(block.kind == "python" for block in blocks(page))],
    ids=lambda page: page.name,
)
def test_python_runs_and_prints_what_the_page_shows(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "results").symlink_to(ROOT / "results")
    names = {"__name__": page.stem}
    printed = ""
    for block in blocks(page):
        if block.kind == "python" and "scheduler:" not in block.text:  # a test of Dask runs that
            with redirect_stdout(io.StringIO()) as said:
                exec(compile(block.text, where(block), "exec"), names)
            printed = said.getvalue()
        elif block.kind == "output":
            assert printed == block.text, where(block)


@pytest.mark.parametrize("block", of_kind("yaml"), ids=where)
def test_yaml_can_be_read(block):
    assert isinstance(yaml.safe_load(block.text), dict)


@pytest.mark.parametrize("block", of_kind("file"), ids=where)
def test_a_file_is_of_its_format(block):
    ending = block.name.rpartition(".")[2]
    if ending == "py":
        compile(block.text, block.name, "exec")
    elif ending == "yaml":
        assert isinstance(yaml.safe_load(block.text), dict)
    elif ending == "mplstyle":
        assert all(": " in line for line in block.text.splitlines()[1:])
    else:
        assert ending == "tsv"
        rows = [line.split("\t") for line in block.text.splitlines()[1:]]
        assert len({len(row) for row in rows}) == 1 < len(rows[0])


@pytest.mark.parametrize("block", of_kind("shell") + of_kind("console"), ids=where)
def test_a_shell_block_asks_for_what_there_is(block):
    typed = block.text
    if block.kind == "console":
        typed = "".join(f"{command}\n" for command, _ in session(block.text))
    read = subprocess.run(["bash", "-n"], input=typed, capture_output=True, text=True)
    assert read.returncode == 0 and not read.stderr, read.stderr
    for program, *words in commands(typed):
        assert program in RULES or program in OF_THE_SHELL, f"{program}: no rule for this program"
        if program in RULES:
            RULES[program](words)


def make(words: list[str]) -> None:
    """`make`: the targets are those of the Makefile."""
    assert {word for word in words if "=" not in word} <= MAKE


def pip(words: list[str]) -> None:
    """`pip`: it installs the project, with extras that it has."""
    options = [word for word in words if word.startswith("-")]
    assert words[0] == "install" and set(options) <= {"-e"}
    for word in words[1 + len(options) :]:
        extras = re.fullmatch(r"(?:\.|pte)(?:\[([\w,]+)\])?", word)
        assert extras, word
        assert set(filter(None, (extras[1] or "").split(","))) <= {
            *PROJECT["optional-dependencies"]
        }


def python(words: list[str]) -> None:
    """`python`: modules exist, code compiles."""
    given = list(pairwise(words))
    for option, value in given:
        if option == "-m":
            assert find_spec(value), value
        elif option == "-c":
            compile(value, "-c", "exec")
    assert {"-m", "-c"} & {option for option, _ in given}


def snakemake(words: list[str]) -> argparse.Namespace:
    """`snakemake`: it knows the options."""
    parser = get_argument_parser()
    parser.exit_on_error = False
    return parser.parse_args(words)


def pte(words: list[str]) -> None:
    """`pte`: the project installs it, and the command and its subcommands know the options."""
    assert "pte" in PROJECT["scripts"]
    for sign in (">", "|"):
        words = words[: words.index(sign)] if sign in words else words
    command: click.Command = app
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        assert words[0] in command.commands, words[0]
        command, words = command.commands[words[0]], words[1:]
    known = {option for each in command.params for option in (*each.opts, *each.secondary_opts)} | {
        "--help"
    }
    assert {word.partition("=")[0] for word in words if word.startswith("-")} <= known


RULES = {"make": make, "pip": pip, "python": python, "snakemake": snakemake, "pte": pte}
