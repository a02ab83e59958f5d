"""A section of a page, whatever it shows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd
from markupsafe import Markup


@dataclass(frozen=True)
class Section:
    """A part of a page; a section without a title has no heading.

    The cells of `tables` are strings, and `pictures` are SVG. A map holds lists of numbers `xs`,
    `ys` (0 to 1000) and `labels`, with one entry for each document, and the `beginnings` of the
    documents. It also holds the `classes` of labels, their short `names`, and their `colours`.
    `command` is what a user types to make the section. `charts` are HTML. `corpora` has the corpus
    of each table that belongs to one corpus; readers choose which corpora they see. Tables that are
    `folded` open at a click.
    """

    title: str = ""
    text: Sequence[str] = ()
    tables: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    pictures: Mapping[str, bytes] = field(default_factory=dict)
    maps: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    command: str = ""
    charts: Mapping[str, Markup] = field(default_factory=dict)
    corpora: Mapping[str, str] = field(default_factory=dict)
    folded: bool = False

    def joined(self, other: "Section") -> "Section":
        """Return this section with the tables, pictures and maps of another, too."""
        return replace(
            self,
            tables={**self.tables, **other.tables},
            pictures={**self.pictures, **other.pictures},
            maps={**self.maps, **other.maps},
            corpora={**self.corpora, **other.corpora},
        )
