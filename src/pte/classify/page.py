"""The page of a contest: one HTML file that first says what to do, and needs nothing else."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pte.classify.advice import seconds, told
from pte.errors import counted
from pte.files import output_file

if TYPE_CHECKING:
    from jinja2 import Environment
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MINUS = "−"
FIRST = 25  # rows shown before a table folds
WIDTH, ROW, LONGEST = 340, 24, 26  # points of a picture and of a row; letters of a name

COLOURS = {
    **{"ink": "#1b1b1b", "paper": "#fefefe", "faint": "#595959", "line": "#d9d9d9"},
    **{"blue": "#0072b2", "orange": "#b34700", "grey": "#858585"},
}
"""What matplotlib draws with; the page has a variable of its style sheet in place of each."""

_STYLE: Any = {
    **{
        "svg.fonttype": "none",
        "font.size": 11,
        "lines.markersize": 5,
        "text.color": COLOURS["ink"],
    },
    **{
        "xtick.color": COLOURS["faint"],
        "ytick.color": COLOURS["ink"],
        "grid.color": COLOURS["line"],
    },
    **{"axes.labelcolor": COLOURS["faint"], "text.parse_math": False},
}

Point = Mapping[str, Any]  # a number of labels and the micro-F1 that a method has with them


def write_page(contest: Mapping[str, Any], path: Path) -> None:
    """Write the page of a contest to `path`; `contest` is the JSON of a contest, format 1."""
    page = page_of(contest)
    with output_file(path) as temporary:
        temporary.write_text(page, "utf-8", errors="replace")


def page_of(contest: Mapping[str, Any]) -> str:
    """Return the page of a contest as HTML."""
    from matplotlib import rc_context

    name, curve = contest["advice"]["method"], contest["curve"]
    with rc_context(_STYLE):
        methods = methods_chart(contest["methods"], name)
        labels = curve_chart(curve, contest["forecast"]) if curve else ""
        sure = sure_chart(contest["sure"]["bins"]) if contest["sure"] else ""
    advised = next(each for each in contest["methods"] if each["method"] == name)
    classes = sorted(advised["per_class"], key=lambda each: (not each["documents"], each["f1"]))
    return _environment().get_template("page.jinja").render(
        contest,
        advised=advised,
        per_class=classes,
        untested=sum(not each["documents"] for each in classes),
        made_at=f"{datetime.fromisoformat(contest['date']):%d %B %Y, %H:%M %Z}".lstrip("0"),
        methods_chart=methods,
        curve_chart=labels,
        sure_chart=sure,
        f1={m["method"]: {c["class"]: _f1(c) for c in m["per_class"]} for m in contest["methods"]},
    )  # fmt: skip


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    found = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    found.filters |= {
        **{"seconds": seconds, "told": told, "f1": _f1, "interval": _interval},
        **{"signed": _signed, "counted": counted, "parts": _parts},
    }
    found.globals["FIRST"] = FIRST
    return found


def _f1(scores: Mapping[str, Any]) -> str:
    return f"{scores['f1']:.1f}" if scores["documents"] else "—"


def _interval(ends: Sequence[float]) -> str:
    return f"{ends[0]:.1f}–{ends[1]:.1f}"


def _signed(value: float) -> str:
    return f"{round(value, 1) + 0.0:+.1f}".replace("-", MINUS)


def _parts(text: str) -> list[str]:
    """Return the parts of a text, of which each second is an option that no line may break."""
    return re.split(r"(?<!\S)(--[\w-]+)", text)


def _short(label: str) -> str:
    return label if len(label) <= LONGEST else f"{label[: LONGEST - 1]}…"


def methods_chart(methods: Sequence[Mapping[str, Any]], advised: str) -> Any:
    """Draw micro-F1 and its interval: a row for each method, a dashed line for each control."""
    rivals = [each for each in methods if not each["control"]]
    controls = [each for each in methods if each["control"]]
    figure, axes = _axes(ROW * (len(rivals) + len(controls) + 1.5))
    for i, each in enumerate(rivals):
        good, thick = each["as_good"], 3 if each["method"] == advised else 1.5
        colour = COLOURS["blue" if good else "grey"]
        axes.plot(each["micro_f1_interval"], [i, i], color=colour, linewidth=thick)
        face = colour if good else COLOURS["paper"]
        axes.plot(each["micro_f1"], i, "o", color=colour, markerfacecolor=face)
    names = [f"{_short(each['label'])}  {each['micro_f1']:.1f}" for each in rivals]
    axes.set_yticks(range(len(rivals)), names)
    for label, each in zip(axes.get_yticklabels(), rivals, strict=True):
        label.set_fontweight("bold" if each["method"] == advised else "normal")
    low = min(each["micro_f1_interval"][0] for each in rivals)
    high = max(each["micro_f1_interval"][1] for each in rivals)
    near = [c["micro_f1"] for c in controls if c["micro_f1"] >= 2 * low - high]  # others: an arrow
    low, high = min([low, *near]), max([high, *near])
    pad = max(0.05 * (high - low), 1.0)
    axes.set(xlim=(max(low - pad, 0), min(high + pad, 100)), ylim=(len(rivals) - 0.4, -0.6))
    for i, each in enumerate(controls):
        name, score = f"{_short(each['label'])} {each['micro_f1']:.1f}", each["micro_f1"]
        above = -0.8 - 0.8 * i
        if score < low:
            axes.text(axes.get_xlim()[0], above, f"← {name}")
        else:
            axes.plot([score, score], [len(rivals) - 0.4, above], "--", color=COLOURS["ink"],
                      linewidth=1, clip_on=False)  # fmt: skip
            axes.text(score, above, f" {name}", ha="left" if score < (low + high) / 2 else "right")
    axes.grid(axis="x")
    told = ", ".join(
        f"{each['label']} {each['micro_f1']:.1f} ({_interval(each['micro_f1_interval'])})"
        for each in methods
    )
    return _svg(figure, "micro-F1 of each method", told)


def curve_chart(curve: Sequence[Point], forecast: Point | None) -> Any:
    """Draw micro-F1 against the number of labels, on a logarithmic axis; the forecast is dashed."""
    figure, axes = _axes(10 * ROW)
    _line(axes, curve, linewidth=2)
    if forecast:
        _line(axes, [curve[-1], forecast], "--", markerfacecolor=COLOURS["paper"])
    labels = [point["labels"] for point in (*curve, *([forecast] if forecast else []))]
    axes.set_xscale("log")
    axes.set_xticks(labels, [f"{n:,}" for n in labels])
    axes.set_xticks([], minor=True)
    axes.set_xlabel("labels")
    axes.grid(axis="y")
    told = "; ".join(f"{p['micro_f1']:.1f} with {p['labels']:,} labels" for p in curve)
    return _svg(figure, "micro-F1 with fewer labels", told)


def sure_chart(bins: Sequence[Mapping[str, Any]]) -> Any:
    """Draw how many are right against how sure they are; on the dashed line both are the same."""
    figure, axes = _axes(10 * ROW)
    axes.plot([0, 100], [0, 100], "--", color=COLOURS["faint"], linewidth=1)
    points = [(each["probability"], each["right"]) for each in bins]
    axes.plot(*zip(*points, strict=True), "o-", color=COLOURS["blue"])
    low = max(0.0, 5 * (min(map(min, points)) // 5) - 5)
    axes.set(xlim=(low, 101), ylim=(low, 102), xlabel="probability, in percent")
    axes.set_ylabel("right, in percent")
    axes.grid()
    told = "; ".join(f"{right:.0f} right of {sure:.0f}" for sure, right in points)
    return _svg(figure, "right against sure", told)


def _line(axes: "Axes", points: Sequence[Point], style: str = "-", **how: Any) -> None:
    x, y = ([point[key] for point in points] for key in ("labels", "micro_f1"))
    axes.plot(x, y, f"o{style}", color=COLOURS["blue"], **how)


def _axes(height: float) -> "tuple[Figure, Axes]":
    from matplotlib.figure import Figure

    figure = Figure((WIDTH / 72, height / 72), layout="constrained")
    axes = figure.subplots()
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    return figure, axes


def _svg(figure: "Figure", title: str, told: str) -> Any:
    import matplotlib as mpl
    from markupsafe import Markup, escape

    name = title.lower().replace(" ", "-")
    nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    with StringIO() as file, mpl.rc_context({"svg.hashsalt": name}):
        figure.savefig(file, format="svg", transparent=True, metadata=nothing)
        drawn = file.getvalue().partition("<svg ")[2].partition(">")[2]
    drawn = re.sub(r"<style.*?</style>|<!--.*?-->", "", drawn, flags=re.DOTALL)
    drawn = re.sub(r'<g id="[^"]*"', "<g", drawn)  # the other picture has the same
    for variable, colour in COLOURS.items():
        drawn = drawn.replace(colour, f"var(--{variable})")
    head = (
        f'<svg viewBox="0 0 {WIDTH} {figure.get_figheight() * 72:g}" role="img" '
        f'aria-labelledby="{name}-title {name}-desc"><title id="{name}-title">{title}</title>'
    )
    return Markup(f'{head}<desc id="{name}-desc">{escape(told)}</desc>{drawn}')
