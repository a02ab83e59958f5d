"""Finds what is suspicious in documents to learn from, and refuses what is no use."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
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
    copies = _copies(documents.texts)
    findings = [
        *documents.findings,
        *_of_texts(documents.texts),
        *_of_words(documents.texts, tokeniser),
        *_of_split(documents),
        *_of_copies(documents, copies),
        *_of_groups(documents),
        *label_findings(documents.named, classes, needs_labels),
    ]
    return Checked(
        documents=len(documents.texts),
        unlabelled=documents.named.count(()),
        empty=sum(not text.strip() for text in documents.texts),
        classes=dict(sorted(classes.items(), key=lambda item: (-item[1], item[0]))),
        findings=tuple(sorted(findings, key=lambda finding: not finding.refuse)),
    )


def _copies(texts: Sequence[bytes]) -> list[tuple[int, int]]:
    """Return pairs of the first document with a text, and a later one; white space is alike."""
    first: dict[bytes, int] = {}
    pairs = []
    for number, text in enumerate(texts):
        if not (plain := b" ".join(text.split())):
            continue
        digest = hashlib.blake2b(plain, digest_size=12).digest()
        if (before := first.setdefault(digest, number)) != number:
            pairs.append((before, number))
    return pairs


def _of_texts(texts: Sequence[bytes]) -> Iterator[Finding]:
    empty = sum(not text.strip() for text in texts)
    filled = len(texts) - empty
    if texts and not filled:
        message = f"all {len(texts):,} texts are empty; name their column: --text …"
        yield Finding("empty", message, refuse=True)
    elif empty:
        yield Finding("empty", f"{counted(empty, 'text is', 'texts are')} empty")
    kinds = Counter(_kind(b" ".join(words)) for text in texts if 0 < len(words := text.split()) < 3)
    for kind, n in kinds.most_common():
        if kind and n > _MOST_NO_TEXTS * filled:
            message = f"{n:,} of {filled:,} texts are {kind}; if these are no texts: --text …"
            yield Finding("text_column", message)


def _kind(content: bytes) -> str:
    """Return what a text of one or two words is, if it is rather no text."""
    text = content.decode("utf-8", "replace")
    if DATE.fullmatch(text):
        return "dates"
    if NUMBER.fullmatch(text):
        return "numbers"
    return "ids" if re.search(r"\d", text) and " " not in text and text.isascii() else ""


def _of_words(texts: Sequence[bytes], name: str) -> Iterator[Finding]:
    """Find texts in which a tokeniser finds no word."""
    table, prepare = TOKENISERS[name].table, TOKENISERS[name].prepare
    filled = [text for text in texts if text.strip()]
    wordless = [text for text in filled if not prepare(text).translate(table).strip(b"\n")]
    if len(wordless) > _MOST_WORDLESS * len(filled):
        such = shortened(wordless[0].decode("utf-8", "replace").strip())
        message = f"{len(wordless):,} of {len(filled):,} texts hold no word for the tokeniser "
        yield Finding("no_words", f"{message}`{name}`, such as {such}; `words` or `whitespace` may")


def _of_copies(documents: Documents, copies: list[tuple[int, int]]) -> Iterator[Finding]:
    """Find copies of texts, those with other labels, and those on both sides of a split."""
    ids = [called(name, documents.unit) for name in documents.ids]
    named, tests = documents.named, documents.tests
    others = [(a, b) for a, b in copies if named[a] and named[b] and {*named[a]} != {*named[b]}]
    if copies:
        leak = "; a copy in training of a text in the test makes scores too high"
        such = " and ".join(ids[i] for i in copies[0])
        message = f"{counted(len(copies), 'text is a copy', 'texts are copies')} of another"
        yield Finding("copies", f"{message}, such as {such}{'' if tests else leak}")
    if others:
        have = counted(len(others), "copy has", "copies have")
        such = " and ".join(f"{ids[i]} ({', '.join(named[i])})" for i in others[0])
        message = f"{have} another label than the first such text, such as {such}"
        yield Finding("contradictions", message)
    if not tests:
        return
    pairs = [(first, first) for first in {first for first, _ in copies}] + copies
    trained = {first for first, later in pairs if not tests[later]}
    if leaks := [later for first, later in pairs if first in trained and tests[later]]:
        have = counted(len(leaks), "test document is", "test documents are")
        message = f"{have} also in training, such as {ids[min(leaks)]}; scores are too high"
        yield Finding("leak", message)


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
