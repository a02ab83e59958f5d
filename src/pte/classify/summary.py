"""The result of a contest in lines for a terminal."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pte.classify.advice import seconds
from pte.errors import counted, listed

SHOWN_CLASSES, SHOWN_PAIRS = 12, 3
"""The most classes and confused pairs that a terminal shows; the page and the JSON have all."""

KINDS = {
    "given": "the file says which documents are for the test",
    "grouped": "documents of one group are all tested or all learnt from",
    "stratified": "each class has its share of each fold",
}

HOW_TO_READ = (
    "minus the best: if this interval of the difference reaches 0, the difference may be chance",
    "seconds: of a processor, to learn the method once",
)

NAMES = {"samples": "edges", "c": "C", "experts": "weights of experts"}
"""Names in place of those of the program; in others, underscores become spaces."""


def summary(result: Mapping[str, Any]) -> list[str]:
    """Return the lines: what was tested, the scores, the advice, classes, and what to do next."""
    rows = {row["method"]: row for row in result["methods"]}
    advice = result["advice"]
    lines = [_tested(result), "", *table(_scores(result)), *HOW_TO_READ]
    lines += ["" for _ in result["not_run"][:1]]
    lines += _not_run(result["not_run"])
    lines += ["", advice["lead"], *advice["sentences"]]
    forecast = result["forecast"]
    lines.append(forecast["sentence"] if forecast else result["no_forecast"])
    lines += ["", *_classes(rows[advice["method"]]), *_confusions(rows[advice["method"]])]
    return [*lines, "", "Next:", f"  {advice['command']}"]


def _not_run(rows: Sequence[Mapping[str, str]]) -> list[str]:
    by_reason: dict[str, list[str]] = {}
    for row in rows:
        by_reason.setdefault(row["why"], []).append(row["label"])
    return [f"{listed(labels)} did not run: {why}." for why, labels in by_reason.items()]


def _tested(result: Mapping[str, Any]) -> str:
    documents, folds = result["documents"], result["folds"]
    times = f", {folds['repeats']} times" if folds["repeats"] > 1 else ""
    many = f"{folds['folds']} folds{times}" if folds["folds"] > 1 else "one division"
    return (
        f"{result['file']}: {documents['all']:,} documents, {documents['labelled']:,} with a label "
        f"of {len(result['classes']):,} classes; {documents['tested']:,} are tested, in {many}: "
        f"{KINDS[folds['kind']]}.{_unknown(documents)}"
    )


def _unknown(documents: Mapping[str, int]) -> str:
    n = documents["without_known_word"]
    if not n:
        return ""
    hold = counted(n, "of them holds", "of them hold")
    get = f"get{'s' * (n == 1)} the largest class"
    unless = "unless the method sees letters or an encoder reads them"
    return f" {hold} no word of the training documents, and {get}, {unless}."


def _scores(result: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    yield "method", "micro-F1", "95 %", "macro-F1", "minus the best, 95 %", "seconds"
    for row in result["methods"]:
        low, high = row["micro_f1_interval"]
        behind = row["difference_interval"]
        is_best = row["method"] == result["advice"]["best"]
        yield (
            row["label"],
            f"{row['micro_f1']:.2f}",
            f"{low:.1f} … {high:.1f}",
            f"{row['macro_f1']:.2f}",
            "" if is_best else f"{behind[0]:z.1f} … {behind[1]:z.1f}",
            seconds(row["seconds"]),
        )


def _classes(row: Mapping[str, Any]) -> list[str]:
    found = row["per_class"]
    if len(found) > SHOWN_CLASSES:
        return []
    cells = [
        (
            each["class"],
            *(f"{each[name]:.1f}" for name in ("precision", "recall", "f1")),
            f"{each['documents']:,}",
        )
        for each in found
    ]
    return table([("class", "precision", "recall", "F1", "documents"), *cells])


def _confusions(row: Mapping[str, Any]) -> list[str]:
    lines = []
    for each in row["confusions"][:SHOWN_PAIRS]:
        first, *others = (f"{some['id']}: {some['text']}" for some in each["examples"])
        lines.append(
            f"{counted(each['documents'], 'document', 'documents')} of {each['true']} predicted as "
            f"{each['predicted']}; {first}"
        )
        lines += [f"  {other}" for other in others]
    return ["", *lines] if lines else []


def table(rows: Sequence[Sequence[str]] | Iterator[Sequence[str]]) -> list[str]:
    """Return rows, the header first, in columns: the first column to the left, others right."""
    cells = list(rows)
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]


def told(chosen: Mapping[str, Any]) -> str:
    """Write what was chosen, such as "C = 10.0, unit length = yes"."""
    names = {name: NAMES.get(name, name.replace("_", " ")) for name in chosen}
    return ", ".join(f"{names[name]} = {_text(value)}" for name, value in chosen.items())


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return f"{value:,}"
    if isinstance(value, list | tuple):
        is_one = len(value) > 0 and all(each == value[0] for each in value)
        return " and ".join(map(_text, value[:1] if is_one else value))
    if not isinstance(value, Mapping):
        return str(value)
    if value.keys() == {"from", "to"}:
        return f"{value['from']:,} to {value['to']:,}"
    if value.keys() == {"either"}:
        return " or ".join(map(_text, value["either"]))
    return " ".join(f"{name} {_text(each)}" for name, each in value.items()) or "equal"
