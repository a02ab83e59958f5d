"""Says what is suspicious in documents that somebody wants to learn from, and what is no use.

What is suspicious is a finding of one sentence. What cannot be meant, such as labels that are ids,
is a finding that refuses the documents.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice
from string import digits
from typing import Any

from pte.corpora.checking_labels import label_findings
from pte.corpora.document import Document
from pte.corpora.finding import DATE, NUMBER, Finding, called, counted, shown
from pte.corpora.parts import TEST, TRAIN
from pte.corpora.scripts import WITHOUT_SPACES
from pte.corpora.tokenise import TOKENISERS, Tokeniser, whitespace, words
from pte.errors import PteError, shortened

_MOST_UNCUT = 0.05
"""The share of documents that may be of such a script without a warning."""

_MOST_NO_TEXTS = 0.9
"""Above this share of dates, numbers or ids, a column is no column of texts."""

_MOST_DROPPED = 0.03
"""The share of letters that a tokeniser may drop without a warning."""

_MOST_WORDLESS = 0.1
"""The share of texts in which a tokeniser may find no word without a warning."""

_MOST_NAMED = 5
_NO_LETTERS = digits.encode() + b"\n"


@dataclass(frozen=True)
class Checked:
    """What `check` counted and found."""

    documents: int
    unlabelled: int
    """Documents without a label."""
    empty: int
    """Documents without a character that is not white space."""
    classes: Mapping[str, int]
    """How many documents each class has; the largest class comes first."""
    findings: tuple[Finding, ...]

    @property
    def is_usable(self) -> bool:
        """Whether no finding refuses the documents."""
        return not any(finding.refuse for finding in self.findings)

    def to_mapping(self) -> dict[str, Any]:
        """Return all of this as JSON has it."""
        return {**asdict(self), "classes": dict(self.classes), "usable": self.is_usable}

    def require_usable(self, file: object) -> None:
        """Raise `PteError`, naming the file, with the first finding that refuses the documents."""
        for finding in self.findings:
            if finding.refuse:
                raise PteError(f"{file}: {finding.message}")


def check(
    documents: Sequence[Document],
    *,
    is_split: bool = False,
    needs_labels: bool = True,
    found: Sequence[Finding] = (),
    tokeniser: Tokeniser | None = None,
    unit: str = "",
) -> Checked:
    """Count documents and classes, and find what is suspicious.

    `is_split` says that the parts of the documents say which are for training and which for the
    test. With `needs_labels`, documents without any label are refused. `found` are findings of the
    reader; they come first. Of a `tokeniser`, it is checked whether it drops letters, or finds no
    word in texts. `unit` is what ids count, such as "line"; ids without one are names.
    """
    classes = Counter(name for document in documents for name in document.labels)
    texts = _Texts()
    for document in documents:
        texts.add(document)
    findings = [
        *found,
        *_of_texts(texts),
        *_of_scripts(texts, tokeniser or words),
        *(_of_tokens(documents, tokeniser) if tokeniser else ()),
        *label_findings(documents, classes, needs_labels),
        *(_of_split(documents, unit) if is_split else ()),
        *_of_copies(texts, documents, is_split, unit),
        *_of_groups(documents, is_split),
    ]
    return Checked(
        documents=len(documents),
        unlabelled=sum(document.label is None for document in documents),
        empty=texts.empty,
        classes=dict(sorted(classes.items(), key=lambda item: (-item[1], item[0]))),
        findings=tuple(sorted(findings, key=lambda finding: not finding.refuse)),
    )


def of_reading(doubts: Sequence[str], counts: Mapping[str, int]) -> list[Finding]:
    """Return the findings of a reader: its doubts, and how often texts stand for no label."""
    missing = [
        Finding(
            "missing",
            f"{counted(n, 'document has', 'documents have')} {what}, which is taken for none; if "
            "it is a class, give what stands for none: missing=…",
        )
        for what, n in counts.items()
    ]
    return [*(Finding("table", doubt) for doubt in doubts), *missing]


@dataclass
class _Texts:
    """What the texts of documents are like."""

    number: int = 0
    empty: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    """How many texts are dates, numbers or other single words with a digit in them."""
    scripts: Counter[str] = field(default_factory=Counter)
    """How many texts have a script without spaces."""
    runs: Counter[str] = field(default_factory=Counter)
    letters: Counter[str] = field(default_factory=Counter)
    first: dict[bytes, int] = field(default_factory=dict)
    """The first document with each text, by the hash of the text without extra white space."""
    copies: list[tuple[int, int]] = field(default_factory=list)
    """Pairs of the first document with a text, and a later one."""

    def add(self, document: Document) -> None:
        """Look at the text of the next document."""
        words = document.text.split()
        text = b" ".join(words)
        if not text:
            self.empty += 1
        else:
            digest = hashlib.blake2b(text, digest_size=12).digest()
            if (first := self.first.setdefault(digest, self.number)) != self.number:
                self.copies.append((first, self.number))
        if 0 < len(words) <= 2:
            self.kinds.update(filter(None, [_kind(text.decode("utf-8", "replace"))]))
        if not text.isascii():
            self._add_scripts(text.decode("utf-8", "replace"))
        self.number += 1

    def _add_scripts(self, text: str) -> None:
        for name, script in WITHOUT_SPACES.items():
            if runs := script.runs.findall(text):
                self.scripts[name] += 1
                self.runs[name] += len(runs)
                self.letters[name] += sum(map(len, runs))


def _kind(text: str) -> str | None:
    """Return what a text of one or two words is, if it is rather no text."""
    if DATE.fullmatch(text):
        return "dates"
    if NUMBER.fullmatch(text):
        return "numbers"
    is_id = re.search(r"\d", text) and not re.search(r"\s", text)
    is_uncut = any(script.runs.search(text) for script in WITHOUT_SPACES.values())
    return "ids" if is_id and not is_uncut else None


def _of_texts(texts: _Texts) -> Iterator[Finding]:
    if not texts.number:
        yield Finding("documents", "it holds no document", refuse=True)
    elif texts.empty == texts.number:
        message = f"all {texts.number:,} texts are empty; name their column: text=…"
        yield Finding("empty", message, refuse=True)
    elif texts.empty:
        yield Finding("empty", f"{counted(texts.empty, 'text is', 'texts are')} empty")
    filled = texts.number - texts.empty
    for kind, n in texts.kinds.most_common(1):
        if n > _MOST_NO_TEXTS * filled:
            message = f"{n:,} of {filled:,} texts are {kind}; if these are no texts: text=…"
            yield Finding("text_column", message)


def _of_scripts(texts: _Texts, tokeniser: Tokeniser) -> Iterator[Finding]:
    """Say what a tokeniser makes of scripts without spaces, or that it leaves them uncut."""
    if tokeniser is words:
        done = "the tokeniser `words` takes their characters, and pairs of characters, as words"
    elif tokeniser is whitespace:
        done = "the tokeniser `whitespace` leaves them whole; take `words`"
    else:  # it drops them, which `_of_letters` says, or it is not known here
        return
    for name, n in texts.scripts.items():
        is_uncut = texts.letters[name] > WITHOUT_SPACES[name].most * texts.runs[name]
        if is_uncut and n > _MOST_UNCUT * texts.number:
            have = counted(n, "text has", "texts have")
            yield Finding("script", f"{have} {name} words without spaces between them; {done}")


def _of_tokens(documents: Sequence[Document], tokeniser: Tokeniser) -> list[Finding]:
    """Say what a tokeniser drops: letters of other scripts, or else all that some texts hold."""
    return [*_of_letters(documents, tokeniser)] or [*_of_wordless(documents, tokeniser)]


def _of_wordless(documents: Sequence[Document], tokeniser: Tokeniser) -> Iterator[Finding]:
    """Yield a finding if the tokeniser finds no word in more than `_MOST_WORDLESS` of the texts."""
    filled = [document.text for document in documents if document.text.strip()]
    wordless = [text for text in filled if not _has_word(text, tokeniser)]
    if len(wordless) > _MOST_WORDLESS * len(filled):
        name = next((f" `{name}`" for name, each in TOKENISERS.items() if each is tokeniser), "")
        such = shortened(wordless[0].decode("utf-8", "replace").strip())
        yield Finding(
            "no_words",
            f"{len(wordless):,} of {len(filled):,} texts hold no word for the tokeniser{name}, "
            f"such as {such}; the tokeniser `whitespace` keeps such signs",
        )


def _has_word(text: bytes, tokeniser: Tokeniser) -> bool:
    return bool(tokeniser.prepare(text).translate(tokeniser.table).strip(b"\n"))


def _of_letters(documents: Sequence[Document], tokeniser: Tokeniser) -> Iterator[Finding]:
    """Yield a finding if the tokeniser drops more than `_MOST_DROPPED` of the letters."""
    share, examples = dropped_letters(documents, tokeniser)
    if share > _MOST_DROPPED:
        yield Finding(
            "dropped_letters",
            f"the tokeniser drops {share:.1%} of the bytes of letters: {', '.join(examples)}; the "
            "tokeniser `words` keeps them",
        )


def dropped_letters(documents: Iterable[Document], tokeniser: Tokeniser) -> tuple[float, list[str]]:
    """Return the share of bytes of letters and marks that are in no token, and example words.

    Every tokeniser that is a table keeps ASCII letters, so only other letters can be dropped. A
    tokeniser whose table drops no byte above ASCII drops nothing.
    """
    separating = bytes(b for b in range(128, 256) if tokeniser.table[b] == ord("\n"))
    texts = [document.text for document in documents] if separating else []
    if all(text.isascii() for text in texts):
        return 0.0, []
    from pte.corpora.folding import folded  # imported here, as it needs numba

    dropped = total = 0
    examples: dict[bytes, str] = {}
    for text in texts:
        found = folded(tokeniser.prepare(text))
        total += len(found.translate(None, _NO_LETTERS))
        if found.isascii():
            continue
        dropped += len(found) - len(found.translate(None, separating))
        if len(examples) < _MOST_NAMED:
            more = (w for w in found.split(b"\n") if not w.isascii() and w not in examples)
            for word in islice(more, _MOST_NAMED - len(examples)):
                left = b" ".join(tokeniser(word)).decode("utf-8", "replace")
                examples[word] = f"{word.decode()} → {left or '(nothing)'}"
    return dropped / max(1, total), list(examples.values())


def _of_copies(
    texts: _Texts, documents: Sequence[Document], is_split: bool, unit: str
) -> Iterator[Finding]:
    """Find copies of texts, those with other labels, and those on both sides of a split."""
    pairs = [(documents[first], documents[later]) for first, later in texts.copies]
    labelled = [(a, b) for a, b in pairs if a.labels and b.labels]
    others = [pair for pair in labelled if set(pair[0].labels) != set(pair[1].labels)]
    if pairs:
        leak = "; a copy in training of a text in the test makes scores too high"
        such = " and ".join(called(each.id, unit) for each in pairs[0])
        message = f"{counted(len(pairs), 'text is a copy', 'texts are copies')} of another"
        message += f", such as {such}{'' if is_split else leak}"
        yield Finding("copies", message)
    if others:
        have = counted(len(others), "copy has", "copies have")
        first, later = (f"{called(each.id, unit)} ({', '.join(each.labels)})" for each in others[0])
        where = f"such as {first} and {later}"
        yield Finding("contradictions", f"{have} another label than the first such text, {where}")
    if is_split:
        yield from _leaks(texts, documents, unit)


def _leaks(texts: _Texts, documents: Sequence[Document], unit: str) -> Iterator[Finding]:
    pairs = [(first, first) for first in {first for first, _ in texts.copies}] + texts.copies
    trained = {first for first, later in pairs if documents[later].part == TRAIN}
    leaks = [later for first, later in pairs if first in trained and documents[later].part == TEST]
    if leaks:
        have = counted(len(leaks), "test document is", "test documents are")
        first = called(documents[min(leaks)].id, unit)
        message = f"{have} also in training, such as {first}; scores are too high"
        yield Finding("leak", message)


def _of_groups(documents: Sequence[Document], is_split: bool) -> Iterator[Finding]:
    """Find groups with labelled documents on both sides of a split; or one group that has all."""
    labelled = [each for each in documents if each.labels]
    groups = {each.group for each in labelled}
    if not is_split:
        if len(groups) == 1 and (name := groups.pop()) is not None:
            message = f"all {len(labelled):,} labelled documents are of one group, "
            message += f"{shortened(name)}, so that no fold can test them; leave the group out"
            yield Finding("one_group", message)
        return
    sides = [{each.group for each in labelled if each.part == part} for part in (TRAIN, TEST)]
    if both := sorted(filter(None, sides[0] & sides[1])):
        have = counted(len(both), "group has", "groups have")
        such = shown(both, _MOST_NAMED)
        message = f"{have} labelled documents in training and in the test: {such}; "
        yield Finding("split_groups", f"{message}scores may be too high")


def _of_split(documents: Sequence[Document], unit: str) -> Iterator[Finding]:
    """Refuse a split without a part, and classes of test documents that nothing teaches."""
    trained = {name for d in documents if d.part == TRAIN for name in d.labels}
    tests = [document for document in documents if document.part == TEST]
    if not tests or not trained:
        lacks = "training" if tests else "test"
        message = f"no document with a label is a {lacks} document; check the split"
        yield Finding("split", message, refuse=True)
        return
    for name in sorted({name for d in tests for name in d.labels} - trained):
        found = [called(document.id, unit) for document in tests if name in document.labels]
        yield Finding(
            "untaught",
            f"class {name!r} has no training document, but test documents: "
            f"{shown(found, _MOST_NAMED, quoted=False)}; label some for training, or remove these",
            refuse=True,
        )
