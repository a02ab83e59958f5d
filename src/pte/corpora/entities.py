"""HTML entities in texts."""

import html
import re


def unescaped(text: str) -> str:
    """Make characters of the HTML entities of a text, on one line without white space around."""
    return re.sub(r"[\r\n]+", " ", html.unescape(text)).strip()
