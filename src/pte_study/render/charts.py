"""Charts of the page, as HTML and SVG that its style sheet colours; a hover tells the numbers."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from markupsafe import Markup

from pte_study.render.cells import MINUS

LEFT, WIDTH, ROW, FOOT = 190, 760, 26, 40
"""Sizes of a dot plot, in pixels: width of the names, whole width, height of a row and the axis."""

MARKS = (
    "M-4.5,0a4.5,4.5 0 1,0 9,0a4.5,4.5 0 1,0 -9,0",
    "M-4,-4h8v8h-8z",
    "M0,-5.5L5.5,0L0,5.5L-5.5,0z",
    "M0,-5L5,4H-5z",
    "M0,5L5,-4H-5z",
    "M-5,-1.5h3.5v-3.5h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5z",
)
"""Shapes by which readers tell series apart without colours."""

MOST_TICKS = 9


class Dot(NamedTuple):
    """A value in the row of a method and the series of a corpus; `said` is what a hover tells."""

    method: str
    corpus: str
    value: float
    said: str


class Part(NamedTuple):
    """A part of a bar: how `many` there are, their `name`, and the class that colours the part."""

    many: int
    name: str
    kind: str


def dot_plot(dots: Sequence[Dot], axis: str) -> Markup:
    """Draw values as marks: a row for each method, a shape and a colour for each corpus.

    There must be at least one dot. The axis contains 0, and `axis` is its name. Marks of one row
    stand a little above each other.
    """
    methods = list(dict.fromkeys(dot.method for dot in dots))
    corpora = list(dict.fromkeys(dot.corpus for dot in dots))
    ticks = _ticks([dot.value for dot in dots])
    height = ROW * len(methods)

    def x(value: float) -> float:
        share = (value - ticks[0]) / (ticks[-1] - ticks[0])
        return round(LEFT + share * (WIDTH - LEFT - 12), 1)

    parts = [_tick(x(tick), tick, height) for tick in ticks]
    parts += [_name(method, ROW * (i + 0.5)) for i, method in enumerate(methods)]
    for dot in dots:
        series = corpora.index(dot.corpus)
        lift = (series + 0.5) / len(corpora) - 0.5
        y = round(ROW * (methods.index(dot.method) + 0.5 + 0.7 * lift), 1)
        parts.append(_mark(dot, series, x(dot.value), y))
    label = Markup('<text class="axis" x="{}" y="{}">{}</text>')
    parts.append(label.format((LEFT + WIDTH) / 2, height + FOOT - 4, axis))
    drawing = Markup('<svg viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>')
    return _legend(corpora) + drawing.format(WIDTH, height + FOOT, axis, Markup("").join(parts))


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


def _ticks(values: Sequence[float]) -> list[float]:
    """Return round numbers for the axis that enclose the values and 0."""
    low, high = min(0.0, *values), max(0.0, *values)
    steps = (mantissa * 10.0**power for power in range(-3, 6) for mantissa in (1, 2, 5))
    step = next(
        s for s in steps if np.ceil(high / s) - np.floor(low / s) < MOST_TICKS and high / s < 1e6
    )
    first, last = int(np.floor(low / step)), int(np.ceil(high / step))
    return [step * i for i in range(first, max(last, first + 1) + 1)]


def _tick(x: float, value: float, height: float) -> Markup:
    said = f"{value:+g}".replace("-", MINUS) if value else "0"
    line = Markup('<line class="{}" x1="{}" x2="{}" y1="0" y2="{}"/><text x="{}" y="{}">{}</text>')
    return line.format("zero" if value == 0 else "tick", x, x, height, x, height + 15, said)


def _name(method: str, y: float) -> Markup:
    text = Markup(
        '<g data-method="{0}"><line class="row" x1="{1}" x2="{2}" y1="{3}" y2="{3}"/>'
        '<text class="name" x="{4}" y="{5}">{0}</text></g>'
    )
    return text.format(method, LEFT, WIDTH - 12, y, LEFT - 12, y + 4)


def _mark(dot: Dot, series: int, x: float, y: float) -> Markup:
    mark = Markup(
        '<path class="series-{}" data-method="{}" data-corpus="{}" transform="translate({} {})" '
        'd="{}"><title>{}</title></path>'
    )
    shape = MARKS[series % len(MARKS)]
    return mark.format(series % len(MARKS), dot.method, dot.corpus, x, y, shape, dot.said)


def _legend(corpora: Sequence[str]) -> Markup:
    item = Markup(
        '<li data-corpus="{1}"><svg viewBox="-6 -6 12 12" aria-hidden="true">'
        '<path class="series-{0}" d="{2}"/></svg>{1}</li>'
    )
    items = (
        item.format(i % len(MARKS), corpus, MARKS[i % len(MARKS)])
        for i, corpus in enumerate(corpora)
    )
    return Markup('<ul class="key">{}</ul>').format(Markup("").join(items))
