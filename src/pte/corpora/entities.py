"""HTML entities in texts."""

import html
import re


def unescaped(text: str) -> str:
    """Replace HTML entities by characters; return one line without white space around it."""
    return re.sub(r"[\r\n]+", " ", html.unescape(text)).strip()
