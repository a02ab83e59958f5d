"""Docstrings of this project as reStructuredText.

They are written for a terminal: code stands between single backticks, or is indented after a
line, and an item of a section such as `Parameters` is `name : what it is`.
"""

import re
from collections.abc import Iterator
from typing import Any

from sphinx.application import Sphinx

FIELDS = {"Parameters": "param", "Attributes": "ivar"}
"""What Sphinx calls the items of a section."""
ITEM = re.compile(r"(\w+) : (.*)")
NAME = re.compile(r"pte(\.\w+)+")
SPECIAL = re.compile(r"([*|\\]|_\b|(?<=\w)_(?!\w))")


def marked(line: str) -> str:
    """Mark up one line: names of the project become links, other code is literal."""
    parts = line.split("`")
    for i, part in enumerate(parts):
        if i % 2 == 0:
            parts[i] = SPECIAL.sub(r"\\\1", part)
        else:
            parts[i] = f":py:obj:`{part}`" if NAME.fullmatch(part) else f"``{part}``"
            if parts[i + 1 : i + 2] and parts[i + 1][:1].isalnum():
                parts[i] += "\\ "
    return "".join(parts)


def sections(lines: list[str]) -> Iterator[str]:
    """Turn underlined sections into fields of Sphinx, and indented paragraphs into code."""
    field, code = "", False
    for i, line in enumerate(lines):
        following = lines[i + 1] if i + 1 < len(lines) else ""
        if line in FIELDS and set(following) == {"-"}:
            field = FIELDS[line]
        elif line and set(line) == {"-"}:
            continue
        elif field and (item := ITEM.fullmatch(line)):
            yield f":{field} {marked(item[1])}: {marked(item[2])}"
        elif line.startswith("    ") and not field:
            if not code:
                yield from ("::", "")
            code = True
            yield line
        else:
            field = field if line.startswith(" ") or not line else ""
            code = code and not line
            yield marked(line)


def whole_spans(lines: list[str]) -> list[str]:
    """Join lines whose code goes on in the next one."""
    joined: list[str] = []
    for line in lines:
        if joined and joined[-1].count("`") % 2:
            joined[-1] += " " + line.strip()
        else:
            joined.append(line)
    return joined


def rewrite(app: Sphinx, what: str, name: str, it: Any, options: Any, lines: list[str]) -> None:
    """Rewrite a docstring in place, as the event of autodoc wants it."""
    lines[:] = sections(whole_spans(lines))


def is_skipped(app: Sphinx, what: str, name: str, it: Any, skip: bool, options: Any) -> bool | None:
    """Leave out what scikit-learn adds to its estimators, such as `set_fit_request`."""
    return True if re.fullmatch(r"set_\w+_request", name) else None


def setup(app: Sphinx) -> dict[str, bool]:
    """Listen to autodoc."""
    app.connect("autodoc-skip-member", is_skipped)
    app.connect("autodoc-process-docstring", rewrite)
    return {"parallel_read_safe": True}
