"""What the pages of the theme lack for readers who use a keyboard or a screen reader.

`tests/site` asks axe-core for such faults in every page.
"""

import re
from pathlib import Path

from sphinx.application import Sphinx

CHANGES = (
    (r'(<p class="caption" role="heading")>', r'\1 aria-level="2">'),
    (r'<aside class="sidebar-drawer">', '<aside class="sidebar-drawer" aria-label="Pages">'),
    (r'<aside class="toc-drawer', '<aside aria-label="On this page" class="toc-drawer'),
    (r'<pre(?=>)|<div class="(?:table-wrapper [^"]*|math)"', r'\g<0> tabindex="0"'),
    (r'<th class="head[^"]*"><p></p></th>', "<td></td>"),
    (r"<dl>(?=\s*<dd>)", '<dl role="presentation">'),
    (r'(?=<div id="search-results">)', "<h1>Search</h1>\n"),
)
"""Patterns in a page, and what belongs there: levels of headings, names of landmarks, regions that
scroll by a key, cells instead of empty headers, and signatures that are no lists of terms."""


def mend(app: Sphinx, error: Exception | None) -> None:
    """Change the pages when all are written."""
    if error is not None:
        return
    for path in Path(app.outdir).rglob("*.html"):
        text = path.read_text("utf-8")
        for pattern, instead in CHANGES:
            text = re.sub(pattern, instead, text)
        path.write_text(text, "utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Change the pages at the end, before `published` writes pages of its own."""
    app.connect("build-finished", mend, priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
