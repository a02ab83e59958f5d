"""What is suspicious in the labels of documents, and labels from which nothing can be learnt."""

import re
import unicodedata
from calendar import month_abbr
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

_PAIR = re.compile(r"\d{1,2}[-/]\d{1,2}")
_MONTH = re.compile(rf"\d{{1,2}}-({'|'.join(month_abbr[1:])})|({'|'.join(month_abbr[1:])})-\d{{2}}")

_MAY_BE_MISSING = {*(name.casefold() for name in MISSING), "none", "-1", "?"}

_FEW_CLASSES = 20  # so many may have fewer than two documents on average
_BEGINNING = 0.1  # labels of so small a part of the documents are no ids
_RARE = 8  # a label is rare beside a similar one that has so many times its documents
_SHORTEST, _LONGEST = 4, 40  # the characters of labels that may be slips; shorter ones are codes
_MOST_COMPARED = 2_000
_MOST_SHOWN = 2
_SEPARATORS = "|;#,/"  # the first three stand in no name, so few known parts tell enough


def label_findings(
    named: Sequence[Labels], classes: Counter[str], needs_labels: bool
) -> Iterator[Finding]:
    """Yield the findings about the labels of documents; `classes` counts those of each class."""
    if len(classes) > 1:
        yield from _joined(classes)
    if useless := _useless(len(named), classes):
        if classes or needs_labels:
            yield Finding(*useless, refuse=True)
        return
    alone = sorted(name for name, n in classes.items() if n == 1)
    if alone:
        have = counted(len(alone), "class has", "classes have")
        message = f"{have} one document only: {shown(alone, _MOST_SHOWN)}"
        yield Finding("single", f"{message}; no method can learn and be tested on one")
    for name in sorted(name for name in classes if name.casefold() in _MAY_BE_MISSING):
        has = counted(classes[name], "document", "documents")
        instead = f"--missing {name} in place of {', '.join(MISSING)}"
        advice = f"if it stands for no label, take it out, or in a table or JSON: {instead}"
        if any(len(labels) > 1 for labels in named):
            advice = "take it out of documents whose labels are not known"
        yield Finding("odd_label", f"{name!r} is a class, of {has}; {advice}")
    lists = [name for name in sorted(classes) if name[0] + name[-1] == "[]"]
    if 2 * len(lists) > len(classes):
        message = f"classes look like lists, such as {lists[0]!r}; to have several labels, put only"
        yield Finding("label_lists", f"{message} a character between them: --separator …")
    yield from _turned_into_dates(classes)
    yield from _spellings(classes)
    yield from _slips(classes)


def _turned_into_dates(classes: Counter[str]) -> Iterator[Finding]:
    """Find classes such as 1-2 of which a spreadsheet has turned some into dates, as 02-Jan."""
    dates, pairs = (sorted(filter(form.fullmatch, classes)) for form in (_MONTH, _PAIR))
    if dates and pairs:
        what = f"{dates[0]!r} may be a label such as {pairs[0]!r} that a spreadsheet made a date"
        yield Finding("dates", f"{what}; write it anew, in a column whose format is text")


def _useless(documents: int, classes: Counter[str]) -> tuple[str, str] | None:
    """Say why nothing can be learnt: too few classes, or nearly as many as documents."""
    total = classes.total()
    if not classes:
        return "no_label", "no document has a label; name their column: --label …"
    if len(classes) == 1:
        message = f"all {total:,} labelled documents are of one class, {min(classes)!r}; label some"
        return "one_class", f"{message} of two classes, or name the column of the labels: --label …"
    if max(classes.values()) == 1:
        what = f"each of its {len(classes):,} labels has one document only"
    else:
        what = f"its {documents:,} documents have {len(classes):,} classes"
    many = max(classes.values()) == 1 or len(classes) > max(_FEW_CLASSES, total / 2)
    if not many or total <= _BEGINNING * documents:
        return None
    message = f"{what}, such as {shown(sorted(classes), _MOST_SHOWN)}; these look like "
    advice = "Label more of each, or name another column of labels: --label …"
    return "unique_labels", f"{message}{_kind(classes)}. {advice}"


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
        often = Counter(part for each in parts for part in each)
        known |= {part for part, n in often.items() if n > 1 and character in _SEPARATORS[:3]}
        enough = 1 if character in _SEPARATORS[:3] else 100
        whole = sum(len(each) > 1 and len(each & known) >= min(enough, len(each)) for each in parts)
        if whole >= max(2, len(holding) / 2):
            said = f"labels hold {character!r}, and their parts are labels, too: several labels? "
            yield Finding("joined_labels", f"{said}--separator {character!r}")


# Labels that may be the same


def _spellings(classes: Counter[str]) -> Iterator[Finding]:
    """Find labels that differ only by case, by spaces, or by what people do not see."""
    alike: dict[str, list[str]] = defaultdict(list)
    for name in sorted(classes):
        alike[_alike(name)].append(name)
    groups = [names for names in alike.values() if len(names) > 1]
    for by_case in (True, False):
        if found := [e for e in groups if (len({*map(str.casefold, e)}) == 1) == by_case]:
            have = counted(len(found), "group of labels differs", "groups of labels differ")
            rare, *_, usual = sorted(found[0], key=lambda name: classes[name])
            merge = "--ignore-case" if by_case else _same(rare, usual)
            what = "case" if by_case else "spaces or writing"
            said = f"{have} only by {what}: {_examples(found, classes)}; if they are the same"
            yield Finding("case" if by_case else "writing", f"{said}: {merge}")


def _alike(name: str) -> str:
    """Return what labels have in common that look the same, or are the same number."""
    if NUMBER.fullmatch(name):
        with suppress(ArithmeticError):  # such as 1,000
            return str(Decimal(name).normalize())
    letters = unicodedata.normalize("NFKC", name).casefold()
    return "".join(c for c in letters if not c.isspace() and unicodedata.category(c) != "Cf")


def _slips(classes: Counter[str]) -> Iterator[Finding]:
    """Find rare labels that may be frequent ones with one letter added, left out or changed."""
    names = [name for name in classes if _SHORTEST <= len(name) <= _LONGEST]
    if len(names) > _MOST_COMPARED:
        return
    usual = [name for name in names if classes[name] >= _RARE]
    if found := sorted((a, b) for b in usual for a in names if _is_slip(a, b, classes)):
        have = counted(len(found), "rare label differs", "rare labels differ")
        said = f"{have} by one letter from a frequent one: {_examples(found, classes)}"
        yield Finding("slips", f"{said}; if they are the same: {_same(*found[0])}")


def _is_slip(rare: str, usual: str, classes: Counter[str]) -> bool:
    if abs(len(rare) - len(usual)) > 1 or _RARE * classes[rare] > classes[usual]:
        return False
    begin = 0
    while begin < min(len(rare), len(usual)) and rare[begin] == usual[begin]:
        begin += 1
    a, b = rare[begin:], usual[begin:]
    is_one = a[1:] == b[1:] or a[1:] == b or a == b[1:]
    if not is_one or any(letter.isdigit() for letter in a[:1] + b[:1]):
        return False  # numbers that differ by a digit are different numbers
    return "".join(rare.split()).casefold() != "".join(usual.split()).casefold()


def _examples(groups: Sequence[Sequence[str]], classes: Counter[str]) -> str:
    return "; ".join(
        " and ".join(f"{_quoted(name)} ({classes[name]:,})" for name in names)
        for names in groups[:_MOST_SHOWN]
    )


def _same(rare: str, usual: str) -> str:
    """Return the option that says that two labels are the same; shells read the escapes in $''."""
    pair = f"{rare}={usual}"
    return f"--same {'' if _visible(pair) == pair else '$'}{_quoted(pair)}"


def _quoted(name: str) -> str:
    """Return a label in quotes, with escapes for what is not seen in it."""
    visible = _visible(name)
    return repr(name) if visible == name else f"'{visible}'"


def _visible(name: str) -> str:
    """Return a label with escapes for marks on letters, and for spaces and signs without a sign."""
    return "".join(
        c if c.isprintable() and unicodedata.category(c) != "Mn" else f"\\u{ord(c):04x}"
        for c in name
    )
