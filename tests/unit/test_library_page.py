"""What docs/library.md shows, done."""

import io
import re
from contextlib import redirect_stdout
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "library.md"


def test_the_page_runs_and_prints_what_it_shows():
    parts = re.findall(r"```python\n(.*?)```\n(?:\n```\n(.*?)```)?", PAGE.read_text("utf-8"), re.S)
    names = {}
    shown = []
    for code, expected in parts:
        printed = io.StringIO()
        with redirect_stdout(printed):
            exec(code, names)
        if expected:
            shown.append((printed.getvalue(), expected))
    assert len(shown) == 3
    for printed, expected in shown:
        assert printed == expected
