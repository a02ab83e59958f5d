"""HTML made of elements; text is escaped unless it is marked as HTML."""

from collections.abc import Collection, Sequence
from html import escape

FIRST = 25
"""How many rows of a long table are shown before the others are folded."""


class Html(str):
    """A string of HTML. Every other string is text, which `element` and `join` escape."""

    __slots__ = ()


def join(parts: Sequence[object]) -> Html:
    """Return the parts one after another; what is not `Html` is escaped."""
    return Html("".join(each if isinstance(each, Html) else escape(str(each)) for each in parts))


def element(name: str, *inside: object, **attributes: object) -> Html:
    """Return an element with what is inside, joined.

    In names of attributes, an underscore at the end is dropped and other underscores become
    hyphens: `class_`, `aria_label`. An attribute that is None is left out.
    """
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Html(f"<{name}{given}>{join(inside)}</{name}>")


def row(head: object, *cells: object, class_: str | None = None) -> Html:
    """Return a row of a table: a header, and cells; a cell that is `Html` is an element td."""
    made = [cell if isinstance(cell, Html) else element("td", cell) for cell in cells]
    return element("tr", element("th", head, scope="row"), *made, class_=class_)


def table(
    label: str,
    names: Sequence[object],
    rows: Sequence[Html],
    text: Collection[int] = (0,),
    kind: str = "",
) -> Html:
    """Return a table that scrolls if it is too wide.

    `names` are the headers of the columns, and `text` has the columns that hold text. `label` says
    what the table shows, for those who do not see it. `kind` is a class of the style sheet.
    """
    heads = [
        element("th", name, scope="col", class_="text" if i in text else None)
        for i, name in enumerate(names)
    ]
    whole = element("table", element("thead", element("tr", *heads)), element("tbody", *rows))
    kinds = f"scrolls {kind}".strip()
    return element("div", whole, class_=kinds, tabindex=0, role="region", aria_label=label)


def long_table(
    label: str, names: Sequence[object], rows: Sequence[Html], text: Collection[int] = (0,)
) -> Html:
    """Return a table of the first rows, and a table of the others, folded."""
    first, others = rows[:FIRST], rows[FIRST:]
    shown = table(label, names, first, text)
    if not others:
        return shown
    more = table(f"{label}, the others", names, others, text)
    return join([shown, folded(f"The other {len(others):,}", more)])


def folded(summary: str, *inside: object) -> Html:
    """Return what a click on the summary unfolds."""
    return element("details", element("summary", summary), *inside)
