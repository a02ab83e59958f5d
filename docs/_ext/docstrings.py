"""Docstrings of this project as reStructuredText.

They are written for a terminal: code stands between single backticks, or is indented after a line.
Sections such as `Parameters` are in NumPy's form, and `sphinx.ext.napoleon` reads them afterwards.
"""

import re
from collections.abc import Iterator
from typing import Any

from sphinx.application import Sphinx

TYPED = {"Parameters", "Attributes", "Returns", "Yields"}
"""Sections of items `name : type`, or `type` alone."""
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


def marked_lines(lines: list[str]) -> Iterator[str]:
    """Mark up all lines but examples; what is indented is code, unless it is in a section.

    An example goes from `>>>` to an empty line. Types become code, because Sphinx would make links
    of their words.
    """
    title, code, example = "", False, False
    for line, following in zip(lines, [*lines, ""][1:], strict=True):
        example = bool(line) and (example or line.lstrip().startswith(">>>"))
        title = line if set(following) == {"-"} else title
        before, code = code, not title and (line.startswith("    ") or (code and not line))
        if code and not before:
            yield from ("::", "")
        if code or example or set(line) == {"-"} or line == title:
            yield line
        elif title in TYPED and line and not line.startswith(" "):
            name, colon, kind = line.rpartition(" : ")
            yield f"{marked(name)}{colon}``{kind}``"
        else:
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
    lines[:] = marked_lines(whole_spans(lines))


def is_skipped(app: Sphinx, what: str, name: str, it: Any, skip: bool, options: Any) -> bool | None:
    """Leave out what scikit-learn adds to its estimators, such as `set_fit_request`."""
    return True if re.fullmatch(r"set_\w+_request", name) else None


def setup(app: Sphinx) -> dict[str, bool]:
    """Listen to autodoc."""
    app.connect("autodoc-skip-member", is_skipped)
    app.connect("autodoc-process-docstring", rewrite)
    return {"parallel_read_safe": True}
