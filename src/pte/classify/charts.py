"""The pictures of the page, as SVG.

Places across are in percent and places down in pixels, so letters keep their size on any screen.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from pte.classify.markup import Html, element

Point = Mapping[str, Any]
"""A number of labels and the micro-F1 that a method has with them."""

ROW, LINE, AXIS, HEIGHT = 28, 16, 24, 240
"""Heights in pixels: a method, a line of text, the numbers of the axis, the picture of a curve."""

LETTER, LONGEST = 8, 26
"""The width of a letter in pixels, about, and the most letters of a name in a picture."""

MOST_TICKS, COLOURS, APART = 7, 6, 9.0
"""The most numbers of an axis, colours of lines, and percent between numbers of labels at least."""


def interval_of(ends: Sequence[float]) -> str:
    """Write an interval of scores in percent."""
    return f"{ends[0]:.1f}–{ends[1]:.1f}"


def methods_chart(methods: Sequence[Mapping[str, Any]], advised: str) -> Html:
    """Draw micro-F1 and its interval: a row for each method, a dashed line for each control.

    Instead of the line of a control that is far below all intervals, an arrow points to it.
    """
    rivals = [each for each in methods if not each["control"]]
    low = min(each["micro_f1_interval"][0] for each in rivals)
    high = max(each["micro_f1_interval"][1] for each in rivals)
    controls = [each for each in methods if each["control"]]
    near = (each["micro_f1"] for each in controls if each["micro_f1"] >= 2 * low - high)
    ticks = _ticks([low, high, *near])
    height = ROW * len(rivals)
    drawn = [_upright(_share(tick, ticks), f"{tick:g}", height) for tick in ticks]
    for i, each in enumerate(controls):
        drawn += _control(each, ticks, -6 - LINE * i, height)
    drawn += [_method(each, ticks, i, advised) for i, each in enumerate(rivals)]
    left = 14 + max(_width(each["label"]) for each in rivals)
    margins = (6 + LINE * len(controls), 48, left)
    told = ", ".join(
        f"{each['label']} {each['micro_f1']:.1f} ({interval_of(each['micro_f1_interval'])})"
        for each in methods
    )
    return _svg(("micro-F1 of each method", told), height + AXIS, margins, drawn)


def curve_chart(curve: Sequence[Mapping[str, Any]], forecast: Point | None, advised: str) -> Html:
    """Draw micro-F1 against the number of labels, on a logarithmic axis; the forecast is dashed.

    Each method has a line, with its name at the end.
    """
    plane = _Plane.of([*curve, *([forecast] if forecast else [])])
    drawn, ends = plane.grid(), []
    names = {point["method"]: str(point["label"]) for point in curve}
    for i, method in enumerate(sorted(names, key=lambda name: name != advised)):
        line = sorted((p for p in curve if p["method"] == method), key=lambda p: int(p["labels"]))
        kind = f"line colour-{i % COLOURS}{' advised' if method == advised else ''}"
        drawn.append(element("g", *plane.line(line), class_=kind))
        if forecast and forecast["method"] == method:
            line = [line[-1], forecast]
            drawn.append(element("g", *plane.line(line), class_=f"{kind} forecast"))
        ends.append((plane.place(line[-1]), names[method], kind))
    drawn += _names(ends)
    right = 14 + max(_width(label) for _, label, _ in ends)
    told = "; ".join(f"{point['label']}: {_told(point)}" for point in curve)
    about = ("micro-F1 with fewer labels", told)
    return _svg(about, HEIGHT + AXIS, (10, right, 30), drawn)


@dataclass(frozen=True)
class _Plane:
    """The plane of a curve: the numbers of both axes."""

    ticks: list[float]
    labels: list[int]

    @classmethod
    def of(cls, points: Sequence[Point]) -> "_Plane":
        scores = [point["micro_f1"] for point in points]
        return cls(_ticks(scores), sorted({point["labels"] for point in points}))

    def across(self, labels: int) -> float:
        """Return the place of a number of labels, in percent of the width."""
        low, high = math.log(self.labels[0]), math.log(self.labels[-1])
        return 100 * (math.log(labels) - low) / ((high - low) or 1)

    def place(self, point: Point) -> tuple[str, float]:
        down = HEIGHT * (1 - _share(point["micro_f1"], self.ticks) / 100)
        return _percent(self.across(point["labels"])), round(down, 1)

    def grid(self) -> list[Html]:
        drawn = []
        for tick in self.ticks:
            down = self.place({"micro_f1": tick, "labels": self.labels[0]})[1]
            drawn.append(_stroke("tick", ("0%", down), ("100%", down)))
            drawn.append(_text(f"{tick:g}", ("0%", down + 4), "end", dx=-8))
        shown = math.inf
        for labels in reversed(self.labels):
            if self.across(labels) <= shown - APART:
                shown = self.across(labels)
                drawn.append(_upright(shown, f"{labels:,}", HEIGHT))
        return drawn

    def line(self, points: Sequence[Point]) -> list[Html]:
        strokes = [_stroke("", self.place(a), self.place(b)) for a, b in pairwise(points)]
        return strokes + [_dot(self.place(point), 4, _told(point)) for point in points]


def _control(
    control: Mapping[str, Any], ticks: Sequence[float], above: float, height: float
) -> list[Html]:
    """Draw the line of a control, with its name above."""
    name, score = f"{_short(control['label'])} {control['micro_f1']:.1f}", control["micro_f1"]
    if score < ticks[0]:
        return [_text(f"← {name}", ("0%", above), "start")]
    place = _percent(_share(score, ticks))
    line = _stroke("control", (place, above + 3), (place, height))
    return [line, _text(name, (place, above), "middle")]


def _method(method: Mapping[str, Any], ticks: list[float], i: int, advised: str) -> Html:
    """Draw the row of a method: its name, its interval, its score as a dot and as a number."""
    down = ROW * (i + 0.5)
    low, high = (_percent(_share(end, ticks)) for end in method["micro_f1_interval"])
    score = f"{method['micro_f1']:.1f}"
    return element(
        "g",
        _text(_short(method["label"]), ("0%", down + 4), "end", dx=-12),
        _stroke("", (low, down), (high, down)),
        _dot((_percent(_share(method["micro_f1"], ticks)), down), 5, f"{method['label']} {score}"),
        _text(score, ("100%", down + 4), "start", dx=10),
        class_=f"{'as-good' if method['as_good'] else 'behind'}"
        f"{' advised' if method['method'] == advised else ''}",
    )


def _names(ends: Sequence[tuple[tuple[str, float], str, str]]) -> list[Html]:
    """Write names at the ends of lines; of ends that are level, each a line of text lower."""
    drawn = []
    above: dict[str, float] = {}
    for (across, down), label, kind in sorted(ends, key=lambda end: end[0][1]):
        above[across] = max(down, above.get(across, -math.inf) + LINE)
        name = _text(_short(label), (across, above[across] + 4), "start", dx=9)
        drawn.append(element("g", name, class_=kind))
    return drawn


def _svg(
    about: tuple[str, str], height: float, margins: tuple[int, int, int], drawn: Sequence[Html]
) -> Html:
    """Return a picture with a title and a description; margins are above, right and left."""
    above, right, left = margins
    title, desc = about
    style = (
        f"margin: {above}px {right}px 0 {left}px; width: calc(100% - {right + left}px); "
        f"height: {height:g}px"
    )
    name = title.lower().replace(" ", "-")
    told = (
        element("title", title, id=f"{name}-title"),
        element("desc", desc, id=f"{name}-desc"),
    )
    named = f"{name}-title {name}-desc"
    return element("svg", *told, *drawn, role="img", aria_labelledby=named, style=style)


def _stroke(kind: str, begin: tuple[str, float], end: tuple[str, float]) -> Html:
    (x1, y1), (x2, y2) = begin, end
    return element("line", class_=kind or None, x1=x1, y1=f"{y1:g}", x2=x2, y2=f"{y2:g}")


def _dot(place: tuple[str, float], radius: int, told: str) -> Html:
    return element("circle", element("title", told), cx=place[0], cy=f"{place[1]:g}", r=radius)


def _text(text: str, place: tuple[str, float], anchor: str, dx: int = 0) -> Html:
    given = {"x": place[0], "y": f"{place[1]:g}", "dx": dx or None}
    return element("text", text, text_anchor=anchor, **given)


def _upright(across: float, text: str, height: float) -> Html:
    """Draw a line of the grid, and its number below."""
    place = _percent(across)
    line = _stroke("tick", (place, 0), (place, height))
    return element("g", line, _text(text, (place, height + 17), "middle"))


def _told(point: Point) -> str:
    return f"{point['micro_f1']:.1f} with {point['labels']:,} labels"


def _short(label: str) -> str:
    return label if len(label) <= LONGEST else f"{label[: LONGEST - 1]}…"


def _width(label: str) -> int:
    return round(LETTER * len(_short(label)))


def _percent(share: float) -> str:
    return f"{share:.2f}%"


def _share(value: float, ticks: Sequence[float]) -> float:
    """Return the place of a value on an axis, in percent of its length."""
    return 100 * (value - ticks[0]) / (ticks[-1] - ticks[0])


def _ticks(values: Sequence[float]) -> list[float]:
    """Return round numbers, from 0 to 100 at most, that enclose the values."""
    low, high = min(values), max(values)
    step = next(
        step
        for step in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50)
        if math.ceil(high / step) - math.floor(low / step) < MOST_TICKS
    )
    first = min(math.floor(low / step), round(100 / step) - 1)
    last = max(math.ceil(high / step), first + 1)
    return [round(step * i, 1) for i in range(first, last + 1)]
