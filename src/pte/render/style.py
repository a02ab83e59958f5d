"""How an author restyles the figures for a paper of their own."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import matplotlib
import matplotlib.colors
import pandas as pd
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.text import Text

from pte.errors import PteError


@dataclass(frozen=True)
class Style:
    """What differs from the figures as they are; `style` in config.yaml.

    `width` is that of a whole figure in inches; its height follows. `matplotlib` has parameters of
    matplotlib, such as fonts. `colours` are by the names of methods or of their groups. `methods`
    are those that are drawn; all, if there are none. `labels` has texts in place of others, such as
    names of methods, corpora and axes; in them, dollar signs begin mathematics.
    """

    width: float | None = None
    matplotlib: Mapping[str, Any] = field(default_factory=dict)
    colours: Mapping[str, str] = field(default_factory=dict)
    methods: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse what matplotlib would refuse; raises `PteError` that names the key."""
        for name, value in self.matplotlib.items():
            try:
                matplotlib.RcParams({name: value})
            except KeyError:
                raise PteError(f"style.matplotlib: matplotlib has no parameter {name!r}") from None
            except ValueError as error:
                raise PteError(f"style.matplotlib.{name}: {error}") from None
        for name, colour in self.colours.items():
            if not matplotlib.colors.is_color_like(colour):
                raise PteError(f"style.colours.{name}: {colour!r} is no colour; give #RRGGBB")


_STYLE: ContextVar[Style | None] = ContextVar("style", default=None)


@contextmanager
def restyled(given: Mapping[str, Any]) -> Iterator[None]:
    """Draw figures in a style, given by its fields, until the block ends."""
    style = Style(**{**given, "methods": tuple(given.get("methods", ()))})
    token = _STYLE.set(style)
    try:
        yield
    finally:
        _STYLE.reset(token)


def current() -> Style:
    """The style that figures are drawn in."""
    return _STYLE.get() or Style()


def colour(names: tuple[str, ...], default: str) -> str:
    """The colour of the first of `names` that the style has one for."""
    given = current().colours
    return next((given[name] for name in names if name in given), default)


def drawn_methods(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows whose `method` the style draws."""
    methods = current().methods
    return frame[frame["method"].isin(methods)] if methods else frame


def apply(figure: Figure) -> None:
    """Give a finished figure its width and its labels."""
    style = current()
    if style.width is not None:
        width, height = figure.get_size_inches()
        figure.set_size_inches(style.width, height * style.width / width)
    if not style.labels:
        return
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            _label_ticks(axis, style.labels)
    for text in figure.findobj(Text):
        assert isinstance(text, Text)
        text.set_text(_labelled(text.get_text(), style.labels))


def _label_ticks(axis: Axis, labels: Mapping[str, str]) -> None:
    """Names at ticks come from the axis, which would write them again."""
    names = [text.get_text() for text in axis.get_ticklabels()]
    others = [_labelled(name, labels) for name in names]
    if others != names:
        axis.set_ticks(axis.get_ticklocs(), others)


def _labelled(text: str, labels: Mapping[str, str]) -> str:
    return labels.get(text.replace(r"\$", "$"), text)
