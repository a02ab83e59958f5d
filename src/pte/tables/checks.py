"""Finds what is suspicious in documents to learn from, and refuses what is no use."""

import re
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from operator import itemgetter
from typing import Any

from pte.corpora.tokenise import TOKENISERS
from pte.errors import called, counted, shortened, shown
from pte.tables.documents import Documents, Finding
from pte.tables.label_checks import DATE, NUMBER, label_findings

_MOST_NO_TEXTS = 0.9  # above this share of dates, numbers or ids, a column is no column of texts
_MOST_WORDLESS = 0.1  # the share of texts in which it may find no word
_MOST_NAMED = 5


@dataclass(frozen=True)
class Checked:
    """What `check` counted and found."""

    documents: int
    unlabelled: int
    empty: int  # documents without a character that is not white space
    classes: Mapping[str, int]
    findings: tuple[Finding, ...]

    @property
    def is_usable(self) -> bool:
        return not any(finding.refuse for finding in self.findings)

    def to_mapping(self) -> dict[str, Any]:
        return {**asdict(self), "classes": dict(self.classes), "usable": self.is_usable}


def check(documents: Documents, tokeniser: str = "words", needs_labels: bool = True) -> Checked:
    """Count documents and classes, and find what is suspicious."""
    classes = Counter(name for labels in documents.named for name in labels)
    seen = _Texts(documents.texts, tokeniser)
    findings = [
        *documents.findings,
        *_of_texts(seen, len(documents.texts), tokeniser),
        *_of_split(documents),
        *_of_copies(documents, seen.copies()),
        *_of_groups(documents),
        *label_findings(documents.named, classes, needs_labels),
    ]
    return Checked(
        documents=len(documents.texts),
        unlabelled=documents.named.count(()),
        empty=seen.empty,
        classes=dict(sorted(classes.items(), key=lambda item: (-item[1], item[0]))),
        findings=tuple(sorted(findings, key=lambda finding: not finding.refuse)),
    )


class _Texts:
    """What one look at each text counts."""

    def __init__(self, texts: Sequence[bytes], tokeniser: str) -> None:
        table, prepare = TOKENISERS[tokeniser].table, TOKENISERS[tokeniser].prepare
        self.empty = self.wordless = 0
        self.such = b""  # the first text in which the tokeniser finds no word
        self.kinds: Counter[str] = Counter()
        self._hashes = array("q")
        for text in texts:
            words = text.split()
            self._hashes.append(hash(b" ".join(words)))
            if len(words) < 3:
                self.empty += not words
                self.kinds.update([_kind(b" ".join(words))] if words else ())
            if words and not prepare(text).translate(table).strip(b"\n"):
                self.wordless += 1
                self.such = self.such or text

    def copies(self) -> list[tuple[int, int]]:
        """Return pairs of the first document with a text, and a later one; white space is alike."""
        import numpy as np

        hashes = np.array(self._hashes)
        order = np.argsort(hashes, kind="stable")
        hashes = hashes[order]
        later = np.flatnonzero((hashes[1:] == hashes[:-1]) & (hashes[1:] != hash(b""))) + 1
        first = order[np.searchsorted(hashes, hashes[later])]
        pairs = zip(first.tolist(), order[later].tolist(), strict=True)
        return sorted(pairs, key=itemgetter(1))


def _of_texts(seen: _Texts, n: int, name: str) -> Iterator[Finding]:
    """Find texts without characters, those that are rather no texts, and those without a word."""
    filled = n - seen.empty
    if n and not filled:
        message = f"all {n:,} texts are empty; name their column: --text …"
        yield Finding("empty", message, refuse=True)
    elif seen.empty:
        yield Finding("empty", f"{counted(seen.empty, 'text is', 'texts are')} empty")
    for kind, like in seen.kinds.most_common():
        if kind and like > _MOST_NO_TEXTS * filled:
            message = f"{like:,} of {filled:,} texts are {kind}; if these are no texts: --text …"
            yield Finding("text_column", message)
    if seen.wordless > _MOST_WORDLESS * filled:
        such = shortened(seen.such.decode("utf-8", "replace").strip())
        message = f"{seen.wordless:,} of {filled:,} texts hold no word for the tokeniser "
        yield Finding("no_words", f"{message}`{name}`, such as {such}; `words` or `whitespace` may")


def _kind(content: bytes) -> str:
    """Return what a text of one or two words is, if it is rather no text."""
    text = content.decode("utf-8", "replace")
    if DATE.fullmatch(text):
        return "dates"
    if NUMBER.fullmatch(text):
        return "numbers"
    return "ids" if re.search(r"\d", text) and " " not in text and text.isascii() else ""


def _of_copies(documents: Documents, copies: list[tuple[int, int]]) -> Iterator[Finding]:
    """Find copies of texts, those with other labels, and those on both sides of a split."""
    named, tests = documents.named, documents.tests
    others = [(a, b) for a, b in copies if named[a] and named[b] and {*named[a]} != {*named[b]}]
    if copies:
        leak = "; a copy in training of a text in the test makes scores too high"
        such = " and ".join(_id(documents, i) for i in copies[0])
        message = f"{counted(len(copies), 'text is a copy', 'texts are copies')} of another"
        yield Finding("copies", f"{message}, such as {such}{'' if tests else leak}")
    if others:
        have = counted(len(others), "copy has", "copies have")
        such = " and ".join(f"{_id(documents, i)} ({', '.join(named[i])})" for i in others[0])
        message = f"{have} another label than the first such text, such as {such}"
        yield Finding("contradictions", message)
    if not tests:
        return
    pairs = [(first, first) for first in {first for first, _ in copies}] + copies
    trained = {first for first, later in pairs if not tests[later]}
    if leaks := [later for first, later in pairs if first in trained and tests[later]]:
        have = counted(len(leaks), "test document is", "test documents are")
        such = _id(documents, min(leaks))
        message = f"{have} also in training, such as {such}; scores are too high"
        yield Finding("leak", message)


def _id(documents: Documents, i: int) -> str:
    return called(documents.ids[i], documents.unit)


def _of_groups(documents: Documents) -> Iterator[Finding]:
    """Find groups with labelled documents on both sides of a split; or one group that has all."""
    if documents.groups is None:
        return
    sides: list[list[str | None]] = [[], []]
    tests = documents.tests or [False] * len(documents.ids)
    for group, labels, test in zip(documents.groups, documents.named, tests, strict=True):
        if labels:
            sides[test].append(group)
    if documents.tests is None and len({*sides[0]}) == 1 and (name := sides[0][0]) is not None:
        message = f"all {len(sides[0]):,} labelled documents are of one group, {shortened(name)}"
        message += ", so that no fold can test them; leave the group out"
        yield Finding("one_group", message)
    if both := sorted(filter(None, {*sides[0]} & {*sides[1]})):
        have = counted(len(both), "group has", "groups have")
        message = f"{have} labelled documents in training and in the test: "
        yield Finding(
            "split_groups", f"{message}{shown(both, _MOST_NAMED)}; scores may be too high"
        )


def _of_split(documents: Documents) -> Iterator[Finding]:
    """Refuse a split without a part, and classes of test documents that nothing teaches."""
    if documents.tests is None:
        return
    rows = list(zip(documents.ids, documents.named, documents.tests, strict=True))
    trained = {name for _, labels, test in rows if not test for name in labels}
    tested = {name for _, labels, test in rows if test for name in labels}
    if not tested or not trained:
        lacks = "training" if tested else "test"
        message = f"no document with a label is a {lacks} document; check the split"
        yield Finding("split", message, refuse=True)
        return
    for name in sorted(tested - trained):
        found = [
            called(each, documents.unit) for each, labels, test in rows if test and name in labels
        ]
        yield Finding(
            "untaught",
            f"class {name!r} has no training document, but test documents: "
            f"{shown(found, _MOST_NAMED, quoted=False)}; label some for training, or remove these",
            refuse=True,
        )
