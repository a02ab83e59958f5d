"""What is suspicious in the labels of documents, and labels from which nothing can be learnt."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from decimal import Decimal

from pte.errors import counted, shown
from pte.tables.columns import MISSING, Labels
from pte.tables.documents import Finding

DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([ T]\d{1,2}:\d{2}.*)?")
"""A date in digits, perhaps with the time."""

NUMBER = re.compile(r"[-+]?(\d[\d,.]*|\.\d+)(e[-+]?\d+)?%?", re.IGNORECASE)

MAY_BE_MISSING = {*(name.casefold() for name in MISSING), "none", "-1", "?"}
"""Classes, in small letters, that may stand for a missing label."""

FEW_CLASSES = 20
"""So many classes may have fewer than two documents on average."""

_RARE = 8
"""A label is rare beside a similar one that has at least so many times its documents."""

_SHORTEST, _LONGEST = 4, 40
"""How many characters labels have that may be slips of others; shorter ones are often codes."""

_MOST_SHOWN = 2

BEGINNING = 0.1
"""Labels of so small a part of the documents are no ids."""

_SEPARATORS = "|;,/"
"""What may stand between labels in one field."""

_SOME = 2
"""So many labels must consist of other labels."""


def label_findings(
    named: Sequence[Labels], classes: Counter[str], needs_labels: bool
) -> Iterator[Finding]:
    """Yield the findings about the labels of documents; `classes` counts those of each class."""
    if len(classes) < 2:
        if classes or needs_labels:
            yield _too_few(classes)
        return
    yield from _joined(classes)
    if unlearnable := _unlearnable(len(named), classes):
        yield unlearnable
        return
    alone = sorted(name for name, n in classes.items() if n == 1)
    if alone:
        have = counted(len(alone), "class has", "classes have")
        message = f"{have} one document only: {shown(alone, _MOST_SHOWN)}"
        yield Finding("single", f"{message}; no method can learn and be tested on one")
    strange = [name for name in classes if name.casefold() in MAY_BE_MISSING]
    for name in sorted(strange):
        has = counted(classes[name], "document", "documents")
        instead = f"--missing {name} in place of {', '.join(MISSING)}"
        advice = f"if it stands for no label, take it out, or in a table or JSON: {instead}"
        if any(len(labels) > 1 for labels in named):
            advice = "take it out of documents whose labels are not known"
        yield Finding("odd_label", f"{name!r} is a class, of {has}; {advice}")
    if _kind(classes) == "dates":
        message = (
            f"all classes are dates, such as {min(classes)!r}; if these are no labels: --label …"
        )
        yield Finding("label_dates", message)
    lists = [name for name in sorted(classes) if name[0] + name[-1] == "[]"]
    if 2 * len(lists) > len(classes):
        message = f"classes look like lists, such as {lists[0]!r}; to have several labels, put only"
        yield Finding("label_lists", f"{message} a character between them: --separator …")
    yield from _spellings(classes)
    yield from _slips(classes)


def _too_few(classes: Counter[str]) -> Finding:
    if not classes:
        message = "no document has a label; name their column: --label …"
        return Finding("no_label", message, refuse=True)
    return Finding(
        "one_class",
        f"all {classes.total():,} labelled documents are of one class, {min(classes)!r}; label "
        "some of two classes, or name the column of the labels: --label …",
        refuse=True,
    )


def _unlearnable(documents: int, classes: Counter[str]) -> Finding | None:
    """Refuse labels nearly as many as their documents, unless one of each class is a beginning."""
    if classes.total() <= BEGINNING * documents:
        return None
    if max(classes.values()) == 1:
        what = f"each of its {len(classes):,} labels has one document only"
    elif len(classes) > max(FEW_CLASSES, classes.total() / 2):
        what = f"its {documents:,} documents have {len(classes):,} classes"
    else:
        return None
    return Finding(
        "unique_labels",
        f"{what}, such as {shown(sorted(classes), _MOST_SHOWN)}; these look like {_kind(classes)}. "
        "Label more of each, or name another column of labels: --label …",
        refuse=True,
    )


def _kind(classes: Counter[str]) -> str:
    if all(DATE.fullmatch(name) for name in classes):
        return "dates"
    if all(NUMBER.fullmatch(name) for name in classes):
        return "numbers"
    return "texts" if sum(len(name.split()) > 2 for name in classes) > len(classes) / 2 else "ids"


def _joined(classes: Counter[str]) -> Iterator[Finding]:
    """Find a character in labels whose parts are, in most of them, labels themselves."""
    for character in _SEPARATORS:
        holding = [name for name in classes if character in name]
        known = classes.keys() - set(holding)
        parts = [{part.strip() for part in name.split(character)} - {""} for name in holding]
        whole = sum(len(each) > 1 and each <= known for each in parts)
        if whole >= max(_SOME, len(holding) / 2):
            message = (
                f"labels hold {character!r}, and their parts are labels, too: several labels? "
            )
            yield Finding("joined_labels", f"{message}--separator {character!r}")


def _spellings(classes: Counter[str]) -> Iterator[Finding]:
    """Find labels that differ only by case, by spaces, or by what people do not see."""
    alike: dict[str, list[str]] = defaultdict(list)
    for name in sorted(classes):
        alike[_alike(name)].append(name)
    found: dict[str, list[list[str]]] = {"case": [], "spaces": [], "writing": []}
    for names in alike.values():
        if len(names) > 1:
            found[_difference(names)].append(names)
    for what, groups in found.items():
        if groups:
            examples = "; ".join(
                " and ".join(f"{_quoted(name)} ({classes[name]:,})" for name in names)
                for names in groups[:_MOST_SHOWN]
            )
            have = counted(len(groups), "group of labels differs", "groups of labels differ")
            rare, *_, usual = sorted(groups[0], key=lambda name: classes[name])
            merge = "--ignore-case" if what == "case" else _same(rare, usual)
            yield Finding(what, f"{have} only by {what}: {examples}; if they are the same: {merge}")


def _alike(name: str) -> str:
    """Return what labels have in common that look the same, or are the same number."""
    if NUMBER.fullmatch(name):
        with suppress(ArithmeticError):  # such as 1,000
            return str(Decimal(name).normalize())
    letters = unicodedata.normalize("NFKC", name).casefold()
    return "".join(c for c in letters if not c.isspace() and unicodedata.category(c) != "Cf")


def _difference(names: Sequence[str]) -> str:
    """Return by what labels differ: case, spaces, or else writing."""
    if len({name.casefold() for name in names}) == 1:
        return "case"
    return "spaces" if len({"".join(name.split()).casefold() for name in names}) == 1 else "writing"


def _slips(classes: Counter[str]) -> Iterator[Finding]:
    found = sorted({pair for pair in _neighbours(classes) if _is_slip(*pair, classes)})
    if found:
        examples = "; ".join(
            f"{rare!r} ({classes[rare]:,}) and {usual!r} ({classes[usual]:,})"
            for rare, usual in found[:_MOST_SHOWN]
        )
        have = counted(len(found), "rare label differs", "rare labels differ")
        message = f"{have} by one letter from a frequent one: {examples}; if they are the same"
        yield Finding("slips", f"{message}: {_same(*found[0])}")


def _same(rare: str, usual: str) -> str:
    """Return the option that says that two labels are the same; shells read the escapes in $''."""
    pair = f"{rare}={usual}"
    return f"--same {'' if _visible(pair) == pair else '$'}{_quoted(pair)}"


def _quoted(name: str) -> str:
    """Return a label in quotes, with escapes for what is not seen in it."""
    shown = _visible(name)
    return repr(name) if shown == name else f"'{shown}'"


def _visible(name: str) -> str:
    """Return a label with escapes for marks on letters, and for spaces and signs without a sign."""
    return "".join(
        c if c.isprintable() and unicodedata.category(c) != "Mn" else f"\\u{ord(c):04x}"
        for c in name
    )


def _neighbours(classes: Counter[str]) -> Iterator[tuple[str, str]]:
    """Yield pairs of labels that are equal, or become equal, when at most a letter of each goes."""
    shortened: dict[str, set[str]] = defaultdict(set)
    for name in classes:
        if _SHORTEST <= len(name) <= _LONGEST:
            for form in {name, *(name[:i] + name[i + 1 :] for i in range(len(name)))}:
                shortened[form].add(name)
    for names in shortened.values():
        yield from ((a, b) for a in names for b in names if a != b)


def _is_slip(rare: str, usual: str, classes: Counter[str]) -> bool:
    """Say whether `rare` may be `usual` with one letter added, left out or changed."""
    if _RARE * classes[rare] > classes[usual]:
        return False
    begin = 0
    while begin < min(len(rare), len(usual)) and rare[begin] == usual[begin]:
        begin += 1
    a, b = rare[begin:], usual[begin:]
    is_one = a[1:] == b[1:] or a[1:] == b or a == b[1:]
    changed = a[:1] + b[:1]
    if not is_one or any(letter.isdigit() for letter in changed):
        return False  # numbers that differ by a digit are different numbers
    return "".join(rare.split()).casefold() != "".join(usual.split()).casefold()
