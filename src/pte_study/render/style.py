"""Styles in which authors redraw the figures for a paper of their own."""

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
from matplotlib.legend import Legend
from matplotlib.text import Text

from pte.errors import PteError


@dataclass(frozen=True)
class Style:
    """How figures differ from the published figures: `style` in config.yaml.

    `width` is the width of a whole figure in inches; a legend takes more lines if it must.
    `matplotlib` has parameters of matplotlib, such as fonts. `colours` has colours by the names of
    methods or of their groups. `methods` names the methods that are drawn; if it is empty, all
    methods are drawn. `labels` has new texts for names of methods, corpora, axes and the like;
    dollar signs in the new texts begin mathematics.
    """

    width: float | None = None
    matplotlib: Mapping[str, Any] = field(default_factory=dict)
    colours: Mapping[str, str] = field(default_factory=dict)
    methods: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raise `PteError`, which names the key, for a value that matplotlib would refuse."""
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
    """Draw figures in a style, given by its fields, until the `with` block ends."""
    style = Style(**{**given, "methods": tuple(given.get("methods", ()))})
    token = _STYLE.set(style)
    try:
        yield
    finally:
        _STYLE.reset(token)


def current() -> Style:
    """Return the style that figures are drawn in."""
    return _STYLE.get() or Style()


def colour(names: tuple[str, ...], default: str) -> str:
    """Return the colour of the first of `names` that has a colour in the style, or `default`."""
    given = current().colours
    return next((given[name] for name in names if name in given), default)


def drawn_methods(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows whose `method` the style draws."""
    methods = current().methods
    return frame[frame["method"].isin(methods)] if methods else frame


def apply(figure: Figure) -> None:
    """Give a finished figure its width and its labels, and make its legends fit."""
    style = current()
    if style.labels:
        _label(figure, style.labels)
    if style.width is not None:
        figure.set_figwidth(style.width)
    for legend in figure.legends:
        _fit(figure, legend)
    if style.width is not None:
        for axes in figure.axes:
            _thin(figure, axes.xaxis)


def _label(figure: Figure, labels: Mapping[str, str]) -> None:
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            _label_ticks(axis, labels)
    for text in figure.findobj(Text):
        assert isinstance(text, Text)
        text.set_text(_labelled(text.get_text(), labels))


def _fit(figure: Figure, legend: Legend) -> None:
    """Use fewer columns if a legend is wider than the figure, and make the figure higher to fit."""
    figure.draw_without_rendering()
    before = legend.get_window_extent().height
    names = [text.get_text() for text in legend.get_texts()]
    columns, room = len(names), 0.94 * figure.bbox.width  # letters of a browser may be wider
    while columns > 1 and legend.get_window_extent().width > room:
        columns -= 1
        handles = [handle for handle in legend.legend_handles if handle is not None]
        legend.remove()
        legend = figure.legend(handles, names, loc="outside lower center", ncols=columns)
        figure.draw_without_rendering()
    more = legend.get_window_extent().height - before
    figure.set_figheight(figure.get_figheight() + more / figure.dpi)


def _thin(figure: Figure, axis: Axis) -> None:
    """Hide the names of ticks that would run into the next name to the right."""
    figure.draw_without_rendering()
    left = float("inf")
    for name in reversed(axis.get_ticklabels()):
        box, apart = name.get_window_extent(), float(name.get_fontsize()) / 2
        if box.x1 + apart > left:
            name.set_visible(False)
        else:
            left = box.x0


def _label_ticks(axis: Axis, labels: Mapping[str, str]) -> None:
    """Replace the names at ticks on the axis, because the axis would write the old names again."""
    names = [text.get_text() for text in axis.get_ticklabels()]
    others = [_labelled(name, labels) for name in names]
    if others != names:
        axis.set_ticks(axis.get_ticklocs(), others)


def _labelled(text: str, labels: Mapping[str, str]) -> str:
    return labels.get(text.replace(r"\$", "$").replace("_\n", "_"), text)
