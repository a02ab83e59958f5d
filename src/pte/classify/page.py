"""The page of a contest: one HTML file that first says what to do, and needs nothing else."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from pte.classify.advice import seconds
from pte.classify.charts import curve_chart, interval_of, methods_chart
from pte.classify.markup import Html, element, folded, join, long_table, row, table
from pte.classify.summary import told
from pte.corpora.finding import counted
from pte.files import output_file

NONE, MINUS = "—", "−"
LARGEST_MATRIX = 20
"""The most classes of a confusion matrix that is shown."""

HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
"""
"""The policy lets a browser run no script and fetch nothing, whatever the user's text holds."""

SINGLE = "micro-F1 is the percentage of documents whose class is predicted right."
SEVERAL = (
    "micro-F1 counts the labels of all documents together: a wrong label and a missing label lower "
    "it alike."
)
CHOSEN = "Chosen inside the folds. From all labels, `pte fit` chooses anew."

HOW_TO_READ = (
    " macro-F1 is the mean of the F1 of all classes, large or small. Behind a number is its 95 % "
    "interval: the tested documents are only a sample. A method is as good as the best, and its "
    "micro-F1 bold, if the interval of its difference reaches 0. Seconds are those of a processor "
    "that learns the method once."
)
FOLDS = {
    "stratified": "with the same shares of the classes in each",
    "grouped": "with all documents of a group in the same one",
}
"""How folds were made that the file does not give."""


def write_page(contest: Mapping[str, Any], path: Path) -> None:
    """Write the page of a contest to `path`; `contest` is the JSON of a contest, format 1.

    Raises `PteError` when the folder of `path` is not there.
    """
    page = page_of(contest)
    with output_file(path) as temporary:
        temporary.write_text(page, "utf-8", errors="replace")


def page_of(contest: Mapping[str, Any]) -> str:
    """Return the page of a contest as HTML."""
    title = f"Which method is best on {contest['file']}?"
    found = {name: make(contest) for name, make in SECTIONS.items()}
    sections = {name: inside for name, inside in found.items() if inside}
    links = [element("li", element("a", name, href=f"#{_anchor(name)}")) for name in sections]
    nav = element("nav", element("ul", *links), aria_label="Contents")
    style = element("style", Html(Path(__file__).with_name("page.css").read_text("utf-8")))
    body = element(
        "body",
        element("header", element("h1", "Which method is best on ", _name(contest["file"]), "?")),
        element(
            "main",
            _answer(contest),
            nav,
            *(_section(name, inside) for name, inside in sections.items()),
        ),
    )
    return f"{HEAD}{element('title', title)}\n{style}\n</head>\n{body}\n</html>\n"


def _answer(contest: Mapping[str, Any]) -> Html:
    """Show what to do, what to look at before, and the picture of all methods."""
    advice, warnings = contest["advice"], contest["warnings"]
    heed = element(
        "section",
        element("h2", "Look at these first", id="warnings"),
        element("ul", *(element("li", *_options(each)) for each in warnings)),
        class_="warnings",
        aria_labelledby="warnings",
    )
    return element(
        "section",
        element("p", advice["lead"], class_="lead"),
        element(
            "div",
            element("p", "This command learns it from all your labels:", class_="label"),
            element("pre", element("code", *_options(advice["command"]))),
            *(element("p", each) for each in advice["sentences"]),
            *([heed] if warnings else []),
        ),
        element(
            "figure",
            element("figcaption", _caption(contest)),
            methods_chart(contest["methods"], advice["method"]),
        ),
        class_="answer",
        aria_label="What to do",
    )


def _caption(contest: Mapping[str, Any]) -> Html:
    tested = contest["documents"]["tested"]
    score = "micro-F1 over the labels of" if contest["several_labels"] else "micro-F1 of"
    return join(
        [
            element("b", f"{score} {tested:,} test documents, with 95\u00a0% intervals."),
            " Blue, filled: as good as the best.",
            " Grey: worse." if not all(each["as_good"] for each in contest["methods"]) else "",
        ]
    )


def _methods(contest: Mapping[str, Any]) -> Html:
    names = ("method", "micro-F1", "macro-F1", "difference to the best method", "processor seconds")
    methods, missing = contest["methods"], contest["not_run"]
    parts = [
        element("p", (SEVERAL if contest["several_labels"] else SINGLE) + HOW_TO_READ),
        table("All methods", names, [_method(each, contest) for each in methods]),
    ]
    if chosen := [each for each in methods if each["chosen"]]:
        rows = [row(each["label"], _wide(told(each["chosen"]))) for each in chosen]
        settings = table("What was chosen", ("method", "chosen"), rows, (0, 1))
        parts.append(folded("What was chosen", join([element("p", CHOSEN), settings])))
    if missing:
        why = (element("li", element("b", each["label"]), f": {each['why']}") for each in missing)
        are = counted(len(missing), "method was", "methods were")
        parts.append(folded(f"{are} not run", element("ul", *why)))
    return join(parts)


def _method(method: Mapping[str, Any], contest: Mapping[str, Any]) -> Html:
    """Return the row of a method."""
    advised = method["method"] == contest["advice"]["method"]
    difference, ends = _signed(method["difference"]), _span(method["difference_interval"])
    if method["method"] == contest["advice"]["best"]:
        difference, ends = "best", ""
    note = "advised" if advised else "control" if method["control"] else ""
    kinds = ("advised" if advised else "") + (" as-good" if method["as_good"] else "")
    return row(
        join([method["label"], element("small", f" {note}") if note else ""]),
        _with_interval(f"{method['micro_f1']:.1f}", interval_of(method["micro_f1_interval"])),
        _with_interval(f"{method['macro_f1']:.1f}", interval_of(method["macro_f1_interval"])),
        _with_interval(difference, ends, "interval signed"),
        seconds(method["seconds"]),
        class_=kinds.strip() or None,
    )


def _more_labels(contest: Mapping[str, Any]) -> Html:
    curve, forecast = contest["curve"], contest["forecast"]
    if not curve:
        return Html()
    names = {point["method"]: point["label"] for point in curve}
    scores = {(point["method"], point["labels"]): f"{point['micro_f1']:.1f}" for point in curve}
    rows = [
        row(f"{labels:,}", *(scores.get((method, labels), NONE) for method in names))
        for labels in sorted({point["labels"] for point in curve})
    ]
    numbers = table("micro-F1 with fewer labels", ("labels", *names.values()), rows)
    said = (
        "micro-F1 when a method learns from fewer of your labels. If a line still rises at its "
        "end, more labels help."
    )
    return join(
        [
            *([element("p", forecast["sentence"])] if forecast else []),
            element(
                "figure",
                element("figcaption", said, " Dashed: a forecast." if forecast else ""),
                curve_chart(curve, forecast, contest["advice"]["method"]),
            ),
            folded("The numbers of this picture", numbers),
        ]
    )


def _classes(contest: Mapping[str, Any]) -> Html:
    """Show the scores of each class, the class with the lowest F1 first."""
    advised, methods = _advised(contest), contest["methods"]
    ordered = sorted(advised["per_class"], key=lambda each: (not each["documents"], each["f1"]))
    said = (
        f"Of {advised['label']}, in percent, the lowest F1 first. Precision is how many of the "
        "documents that it puts into a class belong there, recall how many documents of a class "
        "it finds."
    )
    if untested := sum(not each["documents"] for each in ordered):
        has = counted(untested, "class has", "classes have")
        said += f" {has} no test document. The F1 there is unknown, and macro-F1 counts it as 0."
    names = ("class", "F1", "precision", "recall", "test documents")
    f1 = [{each["class"]: _f1(each) for each in method["per_class"]} for method in methods]
    heads = ("class", *(method["label"] for method in methods))
    rows = [
        row(_name(each["class"]), *(of.get(each["class"], NONE) for of in f1)) for each in ordered
    ]
    return join(
        [
            element("p", said),
            long_table("Classes", names, [_class(each) for each in ordered]),
            folded("F1 of each class with every method", table("F1", heads, rows)),
        ]
    )


def _class(scores: Mapping[str, Any]) -> Html:
    """Return the row of a class, with a bar as long as its F1."""
    head, documents = _name(scores["class"]), f"{scores['documents']:,}"
    if not scores["documents"]:
        return row(head, NONE, NONE, NONE, documents)
    part = f"--part: {scores['f1'] / 100:.2f}"
    bar = element("td", _f1(scores), class_="bar", style=part)
    return row(head, bar, f"{scores['precision']:.1f}", f"{scores['recall']:.1f}", documents)


def _confusions(contest: Mapping[str, Any]) -> Html:
    """Show which classes are taken for which, with examples; nothing for several labels."""
    if contest["several_labels"]:
        return Html()
    advised, names = _advised(contest), [each["class"] for each in contest["classes"]]
    pairs = [_pair(each) for each in advised["confusions"]]
    if not pairs:
        return element("p", f"{advised['label']} predicts the class of every test document right.")
    heads = ("true class", "predicted class", "documents", "examples")
    parts = [
        element("p", f"The classes that {advised['label']} confuses most often."),
        table("Confusions", heads, pairs, (0, 1, 3), "pairs"),
    ]
    if advised["confusion"] and len(names) <= LARGEST_MATRIX:
        said = "Test documents of each true class (rows) by their predicted class (columns)."
        parts += [element("p", said), _matrix(names, advised["confusion"])]
    return join(parts)


def _pair(pair: Mapping[str, Any]) -> Html:
    examples = (
        element("p", element("small", f"{each['id']}: "), each["text"], dir="auto")
        for each in pair["examples"]
    )
    predicted = element("td", _name(pair["predicted"]), class_="text")
    wide = element("td", *examples, class_="text wide")
    return row(_name(pair["true"]), predicted, f"{pair['documents']:,}", wide)


def _matrix(names: Sequence[str], counts: Sequence[Sequence[int]]) -> Html:
    """Return the confusion matrix; the more of a class is predicted so, the darker the cell."""
    rows = []
    for i, (name, line) in enumerate(zip(names, counts, strict=True)):
        whole = sum(line) or 1
        cells = [
            element(
                "td",
                f"{n:,}" if n else "",
                class_="right" if i == j else "wrong",
                style=f"--part: {100 * n / whole:.0f}%" if n else None,
            )
            for j, n in enumerate(line)
        ]
        rows.append(row(_name(name), *cells))
    heads = (element("small", "true ↓ predicted →"), *map(_name, names))
    return table("Confusion matrix", heads, rows, kind="matrix")


def _words(contest: Mapping[str, Any]) -> Html:
    if not contest["words"]:
        return Html()
    rows = [row(_name(each["class"]), _wide(", ".join(each["words"]))) for each in contest["words"]]
    said = "Words that tell a class apart: their TF-IDF is far larger there than elsewhere."
    words = long_table("Words", ("class", "words"), rows, (0, 1))
    return join([element("p", said), words])


def _origin(contest: Mapping[str, Any]) -> Html:
    made, documents, classes = contest["made"], contest["documents"], contest["classes"]
    commit = f" (commit {made['commit']})" if made["commit"] else ""
    rows = {
        "File": contest["file"],
        "Documents": f"{documents['all']:,}, of which {documents['labelled']:,} have a label and "
        f"{documents['unlabelled']:,} have none",
        "Classes": f"{len(classes):,}",
        "Documents without a word": f"{documents['empty']:,}",
        "Documents without a known word": f"{documents['without_known_word']:,}",
        "Tested": f"{documents['tested']:,} documents. {_folds(contest['folds'])}",
        "Seed": contest["seed"],
        "Made": f"{datetime.fromisoformat(contest['date']):%d %B %Y, %H:%M %Z}".lstrip("0"),
        "By": f"pte {made['version']}{commit}, Python {made['python']}",
        "On": made["machine"],
    }
    listed = (
        element(tag, each)
        for pair in rows.items()
        for tag, each in zip(("dt", "dd"), pair, strict=True)
    )
    return element("dl", *listed)


def _folds(folds: Mapping[str, Any]) -> str:
    """Say how documents were tested."""
    many, repeats = folds["folds"], folds["repeats"]
    if many == 1:
        return "The file says which documents are for the test."
    how = FOLDS[folds["kind"]]
    said = (
        f"The labelled documents were divided into {many} parts, {how}. Each part was predicted "
        "by methods that had learnt from the other parts."
    )
    return said if repeats == 1 else f"{said} This was done {repeats} times, divided otherwise."


def _section(name: str, inside: Html) -> Html:
    anchor = _anchor(name)
    return element("section", element("h2", name, id=anchor), inside)


def _anchor(name: str) -> str:
    return name.lower().replace(" ", "-")


def _advised(contest: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the method that the contest advises."""
    name = contest["advice"]["method"]
    found: Mapping[str, Any] = next(m for m in contest["methods"] if m["method"] == name)
    return found


def _with_interval(number: str, interval: str, kind: str = "interval") -> Html:
    return element("td", element("b", number), " ", element("small", interval, class_=kind))


def _f1(scores: Mapping[str, Any]) -> str:
    return f"{scores['f1']:.1f}" if scores["documents"] else NONE


def _signed(value: float) -> str:
    return f"{round(value, 1) + 0.0:+.1f}".replace("-", MINUS)


def _span(ends: Sequence[float]) -> str:
    return f"{_signed(ends[0])} to {_signed(ends[1])}"


def _name(text: str) -> Html:
    """Return a text of the user, whose direction does not turn what is around it."""
    return element("bdi", text)


def _options(text: str) -> list[str | Html]:
    """Return the parts of a text; no line ends within an option, such as after its hyphens."""
    parts = re.split(r"(?<!\S)(--[\w-]+)", text)
    return [
        element("span", each, class_="option") if i % 2 else each for i, each in enumerate(parts)
    ]


def _wide(text: str) -> Html:
    return element("td", text, class_="text wide", dir="auto")


SECTIONS = {
    "Methods": _methods,
    "More labels": _more_labels,
    "Classes": _classes,
    "Confusions": _confusions,
    "Words": _words,
    "Where this comes from": _origin,
}
"""The sections below the answer, and what makes them; one that has nothing to show is left out."""
