"""What a contest says to people: its advice, and its result in lines for a terminal."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pte.classify.scores import to_tell_apart
from pte.errors import counted, listed

QUICK, SLOWER = 60.0, 2.0  # seconds, and times the quickest's, that a user would not notice
WIDE = 4.0  # the width of an interval, in points, from which it needs no decimals
MOST_NAMED = 4  # how many methods that may be as good are named
ROUND = 10  # the number of labels to add is rounded up to tens

ALONE = "It leads all other methods that were tested by more than chance explains."

FAVOURITES = "pte_auto", "pte_auto_encoder"
LEADS = 1.2, 1.3
"""Mean and deviation of the lead of PTE(auto) over the best other method, in points of micro-F1, on
the nine corpora with three shares of labels of results/published/measured/unseen.csv."""

MAJORITY = "majority"  # the control that names the largest class every time

Row = Mapping[str, Any]


class Advice(NamedTuple):
    """The method to use, the best, and how many `more_labels`, about, tell it from a control."""

    method: str
    label: str
    best: str
    sure: bool
    more_labels: int | None
    lead: str
    sentences: list[str]

    def interrupted(self, untested: int) -> "Advice":
        """Return the advice of a contest that ended before all methods were tested."""
        how_many = counted(untested, "method was", "methods were")
        lead = f"Interrupted: {how_many} not tested. So far: {self.lead[:1].lower()}{self.lead[1:]}"
        sentences = [each for each in self.sentences if each != ALONE]
        return self._replace(lead=lead, sure=False, sentences=sentences)


FEWEST = 10  # of fewer tested documents, the bootstrap's intervals are too narrow to be believed


def advise(
    rows: Sequence[Row],
    hits: Mapping[str, NDArray[np.float64]],
    n_tested: int,
    several: bool,
    skewed: bool = False,
) -> Advice:
    """Advise a method, never the control, by the `rows` and `hits` of `scores.compared`.

    Where one class holds nearly all documents, macro-F1 counts as much as micro-F1.
    """
    rivals = [row for row in rows if not row["control"]]
    best = rivals[0]
    use = chosen([row for row in rivals if row["as_good"]], hits, skewed)
    control = next((row for row in rows if row["method"] == MAJORITY), None)
    beats = control is None or (n_tested >= FEWEST and control["difference_interval"][1] < 0)
    if control is not None and not beats and not (skewed and _leads_by_macro(use, control)):
        unsure = _unsure(best, control, hits, n_tested)
        if use is not best:
            unsure.sentences.append(f"Until then, take {use['label']}, which mostly is better.")
        return unsure._replace(method=use["method"], label=use["label"])
    sentences = _compared(rivals, best, use)
    if control is not None:
        sentences.append(
            f"Naming the largest class every time would have {percent(control['micro_f1'])}."
        )
        needed = to_tell_apart(hits[use["method"]], hits[MAJORITY])
        if needed is None or needed > n_tested:
            sentences[-1] = (
                f"By micro-F1 it may be no better than naming the largest class every time, which "
                f"has {percent(control['micro_f1'])}."
            )
    score = f"{percent(use['micro_f1'])} ({bounds(use['micro_f1_interval'])})"
    what = "micro-F1 over the labels" if several else "micro-F1"
    if skewed:
        score += f" and macro-F1 {percent(use['macro_f1'])}"
        sentences.append("One class holds most documents; macro-F1 counts all classes alike.")
    lead = f"Use {use['label']}: {what} {score} of {n_tested:,} test documents."
    return Advice(use["method"], use["label"], best["method"], True, None, lead, sentences)


def _leads_by_macro(row: Row, control: Row) -> bool:
    return bool(row["macro_f1_interval"][0] > control["macro_f1_interval"][1])


def chosen(
    level: Sequence[Row], hits: Mapping[str, NDArray[np.float64]], skewed: bool = False
) -> Row:
    """Return the best of the cheap methods, of methods that may be equally good, or the favourite.

    What is known of other texts counts as much as `LEADS` says: a normal prior of the favourite's
    lead. Another method must lead it by more than its share of the variance to be likelier best.
    """
    limit = max(QUICK, SLOWER * min(row["seconds"] for row in level))
    cheap = [row for row in level if row["seconds"] <= limit]

    def score(row: Row) -> float:
        return float(row["micro_f1"] + row["macro_f1"]) / 2 if skewed else float(row["micro_f1"])

    best = max(cheap, key=score)
    favourites = [row for row in cheap if row["method"] in FAVOURITES]
    if not favourites:
        return best
    favourite = max(favourites, key=score)
    apart = 100 * (hits[best["method"]] - hits[favourite["method"]])
    mean, deviation = LEADS
    needed = float(apart.var()) / apart.size * mean / deviation**2
    return best if score(best) - score(favourite) > needed else favourite


def _unsure(
    best: Row, control: Row, hits: Mapping[str, NDArray[np.float64]], n_tested: int
) -> Advice:
    """Say that no method is surely better than naming the largest class, and what would tell."""
    ahead = best["micro_f1"] - control["micro_f1"]
    low, high = (-each for each in reversed(control["difference_interval"]))
    found = to_tell_apart(hits[best["method"]], hits[control["method"]])
    if found is not None:
        found = max(found, FEWEST)
    more = None if found is None else max(1, -(-(found - n_tested) // ROUND)) * ROUND
    said = [
        f"{first_large(best['label'])} is best so far, with {percent(best['micro_f1'])}; naming "
        f"the largest class every time has {percent(control['micro_f1'])}."
    ]
    if more is None or found is None:
        lead = "No method is better than naming the largest class every time."
        said.append("Are these the labels, and do the texts tell them?")
    else:
        lead = f"Too few labels to tell: label about {more:,} more."
        said.append(_why_unsure(ahead, (low, high), n_tested, n_tested + more))
    if _leads_by_macro(best, control):
        said.append(
            f"By macro-F1, which counts all classes alike, it is ahead: {best['macro_f1']:.1f} "
            f"against {control['macro_f1']:.1f}."
        )
    return Advice(best["method"], best["label"], best["method"], False, more, lead, said)


def _why_unsure(ahead: float, interval: tuple[float, float], n_tested: int, needed: int) -> str:
    """Say what the tested documents tell of a lead, and how many would tell more."""
    if n_tested < FEWEST:
        return f"Only {counted(n_tested, 'document was', 'documents were')} tested."
    low, high = interval
    return (
        f"The 95 % interval of its lead of {ahead:.1f} points, {low:.1f} to {high:.1f}, holds 0. "
        f"It would leave out 0 with about {needed:,} test documents, if the lead stays the same; "
        f"there are {n_tested:,}."
    )


def _compared(rivals: Sequence[Row], best: Row, use: Row) -> list[str]:
    """Say which other methods may be as good as the best, and why the advice is this one."""
    others = [row["label"] for row in rivals if row["as_good"] and row is not use]
    if not others:
        return [ALONE] if len(rivals) > 1 else []
    more = len(others) - MOST_NAMED
    names = listed([*others[:MOST_NAMED], f"{more} others"] if more > 1 else others)
    if use is best:
        return [f"It has the highest score; {names} may be as good: the difference may be chance."]
    why = (
        f"{use['label']} learns in {seconds(use['seconds'])} in place of "
        f"{seconds(best['seconds'])} seconds of a processor"
    )
    if use["seconds"] >= best["seconds"]:
        why = f"on most other texts, {use['label']} was better"
    name = first_large(best["label"])
    return [f"{name} has {percent(best['micro_f1'])}, and the difference may be chance; {why}."]


def seconds(value: float) -> str:
    """Return seconds as text, with a decimal below 10 and two below a tenth."""
    decimals = 2 if value < 0.1 else 1 if value < 10 else 0
    return f"{value:,.{decimals}f}"


def percent(value: float) -> str:
    """Return a share in percent as text."""
    return f"{value:.1f}\N{NO-BREAK SPACE}%"


def bounds(interval: Sequence[float]) -> str:
    """Return the ends of an interval in percent as text; a wide one needs no decimals."""
    low, high = interval
    decimals = 0 if high - low >= WIDE else 1
    return f"{low:.{decimals}f}\N{EN DASH}{high:.{decimals}f}"


def first_large(text: str) -> str:
    """Return a text that begins with a large letter."""
    return text[:1].upper() + text[1:]


SHOWN_CLASSES, SHOWN_PAIRS = 12, 3  # in a terminal; the page and the JSON have all

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
    lines = [
        *(f"Look at this first: {each}" for each in result["warnings"]),
        _tested(result),
        "",
        *table(_scores(result)),
        *HOW_TO_READ,
    ]
    left_out = [*_dropped(result["dropped"]), *_not_run(result["not_run"])]
    if names := result["not_asked"]:
        left_out.append(f"--all tests these, too: {', '.join(names)}.")
    lines += ["", *left_out] if left_out else []
    lines += ["", advice["lead"], *advice["sentences"]]
    lines += ["", *_sure(result)] if result["sure"] else []
    ahead = [each["sentence"] for each in (result["expected"], result["forecast"]) if each]
    lines += ["", *(ahead or [result["no_forecast"]])]
    lines += ["", *_classes(rows[advice["method"]]), *_confusions(rows[advice["method"]])]
    if "review" in advice:
        lines += ["", "Which labels are doubtful, and which texts to label next:"]
        lines += [f"  {advice['review']}"]
    return [*lines, "", "Next:", f"  {advice['command']}"]


def _dropped(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    return [
        f"{first_large(row['label'])} was dropped in the first round: {percent(row['micro_f1'])} "
        f"of {row['documents']:,} documents, when the best had {percent(row['best'])}."
        for row in rows
    ]


def _not_run(rows: Sequence[Mapping[str, str]]) -> list[str]:
    by_reason: dict[str, list[str]] = {}
    for row in rows:
        by_reason.setdefault(row["why"], []).append(row["label"])
    return [f"{listed(labels)} did not run: {why}." for why, labels in by_reason.items()]


def _tested(result: Mapping[str, Any]) -> str:
    documents, folds = result["documents"], result["folds"]
    times = f", {folds['repeats']} times" if folds["repeats"] > 1 else ""
    free = documents["labelled"] - documents["chosen"]
    parts = round(free * folds["folds"] / documents["tested"])
    some = f"{folds['folds']} of {parts}" if parts > folds["folds"] else f"{folds['folds']}"
    many = f"{some} folds{times}" if folds["folds"] > 1 else "one division"
    return (
        f"{result['file']}: {documents['all']:,} documents, {documents['labelled']:,} with a label "
        f"of {len(result['classes']):,} classes; {documents['tested']:,} are tested, in {many}: "
        f"{KINDS[folds['kind']]}.{_chosen(documents)}{_unknown(documents)}"
    )


def _chosen(documents: Mapping[str, int]) -> str:
    n = documents["chosen"]
    trains = f"train{'s' * (n == 1)} and {'is' if n == 1 else 'are'} not tested"
    said = f" {counted(n, 'label', 'labels')} that a review chose, as hard ones, {trains}."
    return said if n else ""


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
            "" if is_best else " … ".join(map(_end, behind)),
            seconds(row["seconds"]),
        )


def _end(value: float) -> str:
    """Return an end of an interval as text, which is 0 only if the interval ends there."""
    return f"{value:z.1f}" if abs(value) >= 0.05 else f"{value:z.2f}"


def _sure(result: Mapping[str, Any]) -> list[str]:
    has_unlabelled = result["documents"]["unlabelled"] > 0
    head = "probability", "tested", "right", *(("without a label",) if has_unlabelled else ())
    rows = []
    for each in result["sure"]["levels"]:
        right = "" if each["right"] is None else percent(each["right"])
        row = f"at least {each['probability']:g}", f"{each['documents']:,}", right
        rows.append((*row, f"about {each['unlabelled']:,}") if has_unlabelled else row)
    how_many = ", and how many documents without a label are as sure" if has_unlabelled else ""
    return [f"How sure {result['advice']['label']} is, how often it is right then{how_many}:",
            *table([head, *rows])]  # fmt: skip


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
    return " ".join(f"{name} {_text(each)}" for name, each in value.items()) or "equal"
