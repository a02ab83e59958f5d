"""The code blocks of the pages: README, CONTRIBUTING and all of docs/."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    ROOT / "benchmarks" / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
FENCED = re.compile(r"^```([^\n`]*)\n(.*?)^```$", re.M | re.S)


class Block(NamedTuple):
    """`kind` is python, yaml, output, file, shell, console or directive; a file has a `name`."""

    page: Path
    line: int
    kind: str
    text: str
    name: str = ""


def blocks(page: Path) -> list[Block]:
    """The blocks of a page, in order.

    A block without a language is the output of the Python block right above it, a file if its first
    line is `# NAME.ENDING`, and shell commands otherwise. `console` has commands after `$ `, and
    what they print.
    """
    source = page.read_text("utf-8")
    found: list[Block] = []
    end = -1
    for match in FENCED.finditer(source):
        language, text = match[1].strip(), match[2]
        follows = (
            bool(found) and found[-1].kind == "python" and not source[end : match.start()].strip()
        )
        named = re.match(r"# (\S+\.\w+)\n", text)
        if language.startswith("{"):
            kind = "directive"
        elif not language and follows:
            kind = "output"
        elif named and language in ("", "python", "yaml"):
            kind = "file"
        else:
            kind = {"": "shell", "sh": "shell"}.get(language, language)
        line = source.count("\n", 0, match.start()) + 1
        found.append(Block(page, line, kind, text, named[1] if named else ""))
        end = match.end()
    return found


def of_kind(kind: str) -> list[Block]:
    """The blocks of one kind on all pages."""
    return [block for page in PAGES for block in blocks(page) if block.kind == kind]


def session(text: str) -> list[tuple[str, str]]:
    """The commands of a console block, each with what it prints."""
    found = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.M)
    assert "".join(f"$ {typed}\n{printed}" for typed, printed in found) == text
    return found


def is_shown(printed: str, page: str) -> bool:
    """Whether each line of the page was printed; figures may differ, and `…` stands for lines."""
    return set(_bare(page).splitlines()) - {"…"} <= set(_bare(printed).splitlines())


def _bare(text: str) -> str:
    return re.sub(r"[^\S\n]+", " ", re.sub(r"\d+\.\d+|\(\d+–\d+\)", "#", text))


def commands(text: str) -> Iterator[list[str]]:
    """The words of each command of a shell block; quotes may go over several lines."""
    held = ""
    for line in text.splitlines():
        held = f"{held}\n{line}" if held else line
        try:
            words = shlex.split(held, comments=True)
        except ValueError:  # a quote that is open
            continue
        held = ""
        while "&&" in words:
            cut = words.index("&&")
            yield words[:cut]
            words = words[cut + 1 :]
        if words:
            yield words
    assert not held
