"""Bars of counts for the page, as HTML that its style sheet colours."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup


class Part(NamedTuple):
    """A part of a bar: how `many` there are, their `name`, and the class that colours the part."""

    many: int
    name: str
    kind: str


def bars(rows: Mapping[str, Sequence[Part]]) -> Markup:
    """Draw a bar for each row; its parts are as long as their counts, without the parts of 0."""
    drawn = []
    for name, parts in rows.items():
        there = [part for part in parts if part.many]
        segments = Markup("").join(
            Markup('<span class="{0}" style="flex-grow: {1}" title="{1} {2}">{1}</span>').format(
                part.kind, part.many, part.name
            )
            for part in there
        )
        said = f"{name}: " + ", ".join(f"{part.many} {part.name}" for part in there)
        bar = Markup(
            '<div class="bar"><span>{}</span><div role="img" aria-label="{}">{}</div></div>'
        )
        drawn.append(bar.format(name, said, segments))
    kinds = {part.name: part.kind for parts in rows.values() for part in parts if part.many}
    key = Markup("").join(
        Markup('<li><span class="{}"></span>{}</li>').format(kind, name)
        for name, kind in kinds.items()
    )
    return Markup('<ul class="key">{}</ul>').format(key) + Markup("").join(drawn)
