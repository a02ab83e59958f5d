"""A finding about documents, and the words and patterns that findings share."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pte.errors import shortened

DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([ T]\d{1,2}:\d{2}.*)?")
"""A date in digits, perhaps with the time."""

NUMBER = re.compile(r"[-+]?(\d[\d,.]*|\.\d+)(e[-+]?\d+)?%?", re.IGNORECASE)


@dataclass(frozen=True)
class Finding:
    """Something about documents that a user should know."""

    what: str
    message: str
    """One sentence, with counts and an example or two."""
    refuse: bool = False
    """Whether nothing can be learnt from the documents because of it."""


def counted(n: int, one: str, more: str) -> str:
    """Return a number and, after it, what the number counts."""
    return f"{n:,} {one if n == 1 else more}"


def called(name: str | None, unit: str) -> str:
    """Return how a document is called: by its id, or by what it counts and the number."""
    return f"{unit} {name}".lstrip()


def shown(names: Sequence[str], most: int, quoted: bool = True) -> str:
    """Return the first names of a list, and how many more there are."""
    first = [shortened(name) if quoted else name for name in names[:most]]
    return ", ".join(first) + (f" and {len(names) - most:,} more" if len(names) > most else "")


def listed(names: Sequence[str]) -> str:
    """Return names with commas, and "and" before the last."""
    if len(names) == 1:
        return names[0]
    return f"{', '.join(names[:-1])} and {names[-1]}"
