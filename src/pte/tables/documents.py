"""Documents of any file: their texts, labels, ids, groups, and which are for the test."""

import os
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pte.corpora.cells import Cells
from pte.corpora.compressed import uncompressed
from pte.errors import PteError, counted, shown
from pte.tables.columns import (
    DIALECT,
    MISSING,
    ROLES,
    Labels,
    NoLabels,
    Options,
    fault_of_ids,
    meant,
    tested,
    texts_of,
    words_of,
)
from pte.tables.formats import LINES, TABLES, called, format_of, format_of_name, is_stream
from pte.tables.table import FileTable, open_table
from pte.tables.unnamed import (
    WITHOUT_LABELS,
    RawDocument,
    files_below,
    is_divided,
    read_folders,
    read_label_lines,
    read_lines,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pte.corpora.encoded import EncodedCorpus

LABEL_KEYS = ("label", "separator", "missing", "predicted", "same", "ignore_case")
"""The options that say which labels documents have."""

_MOST_SHOWN = 3

_ID = re.compile(r"(.*[ _-])?(id|ids|uid|uuid|key|number|nr|no|ticket)", re.IGNORECASE)
"""The name of a column that may have ids."""


@dataclass(frozen=True)
class Finding:
    """Something about documents that a user should know."""

    what: str
    message: str  # one sentence, with counts and an example or two
    refuse: bool = False  # whether nothing can be learnt from the documents because of it


@dataclass(frozen=True)
class Documents:
    """The documents of a file, an item of each list for each document."""

    texts: Sequence[bytes]
    named: list[Labels]  # the labels of each document; none for one without a label
    ids: Sequence[str]
    groups: list[str | None] | None = None  # of each document; None: it has none
    tests: list[bool] | None = None  # for the test; None if the file does not say
    facts: Mapping[str, Any] = field(default_factory=dict)  # format; a table's dialect and columns
    findings: tuple[Finding, ...] = ()  # what is suspicious in how the file was read
    columns: Mapping[str, Any] = field(default_factory=dict)  # named or found, by their options
    no_labels: PteError | None = None  # why nothing says where the labels are
    unit: str = ""  # what a number counts that is an id, such as "row"; empty if ids are names
    merges: Mapping[str, str] = field(default_factory=dict)  # labels, and what counts in place
    vectors: "NDArray[np.float32] | None" = None  # an encoder's; None without a file of them
    numbers: Sequence[int] = ()  # of rows, as a spreadsheet counts them; none where there are none
    chosen: "NDArray[np.bool_] | None" = None  # whether a review chose a document for its label
    answered: tuple[int, ...] = ()  # the documents whose labels a person wrote into a review

    @property
    def labels(self) -> list[Any]:
        """The label of each document, or None; lists of labels if any document has several."""
        if any(len(labels) > 1 for labels in self.named):
            return [list(labels) or None for labels in self.named]
        return [labels[0] if labels else None for labels in self.named]

    @property
    def classes(self) -> list[str]:
        return sorted({name for labels in {*self.named} for name in labels})

    def some(self, wanted: Sequence[bool]) -> "Documents":
        """Return the documents that a mask marks, with their vectors."""
        return replace(
            self,
            texts=list(compress(self.texts, wanted)),
            named=list(compress(self.named, wanted)),
            ids=list(compress(self.ids, wanted)),
            groups=self.groups and list(compress(self.groups, wanted)),
            tests=self.tests and list(compress(self.tests, wanted)),
            vectors=None if self.vectors is None else self.vectors[list(wanted)],
        )

    def encoded(self, model: Any) -> "EncodedCorpus":
        """Return the documents in the words of a fitted model, with their vectors."""
        given = {} if self.vectors is None else {"vectors": self.vectors}
        corpus: EncodedCorpus = model.encode(self.texts, **given)
        return corpus

    def ungrouped(self) -> "Documents":
        """Return the documents as if no column had groups."""
        return replace(self, groups=None, columns={**self.columns, "group": None})

    def with_merges(self, name: str, merges: Mapping[str, str]) -> "Documents":
        """Return the documents with the labels that theirs count as; print these."""
        if not merges:
            return self
        pairs = [f"{old!r} is {new!r}" for old, new in merges.items()]
        said = counted(len(pairs), "label counts as another", "labels count as others")
        _say(f"{name}: {said}: {shown(pairs, _MOST_SHOWN, quoted=False)}")
        new = {
            labels: tuple(dict.fromkeys(merges.get(each, each) for each in labels))
            for labels in {*self.named}
        }
        return replace(self, named=[new[labels] for labels in self.named], merges=merges)


def _say(line: str) -> None:
    print(line, file=sys.stderr)


def read_labelled(
    file: str,
    values: Mapping[str, Any],
    learnt: Mapping[str, Any] | None = None,
    may_lack: bool = False,
) -> Documents:
    """Read documents with their labels; the user's columns come before those a model `learnt`."""
    options, name = Options.of(called(file), values), called(file)
    if is_stream(file) and not (options.format or format_of_name(Path(file).name)):
        if options.label != "":
            raise PteError(f"{name}: it has no name that says its format; give --format")
        options = replace(options, format=LINES)
    kind = format_of(file, options.format)
    if kind in TABLES:
        documents = _documents_of(open_table(file, options, learnt))
    else:
        documents = _unnamed(file, kind, options)
    if documents.no_labels and not may_lack:
        raise documents.no_labels
    if not documents.texts:
        raise PteError(f"{name}: it holds no document")
    merges = merges_of(name, documents.named, options.same, options.ignore_case)
    return documents.with_merges(name, merges)


def merges_of(
    file: str, labels: Sequence[Labels], same: Sequence[str], ignore_case: bool
) -> dict[str, str]:
    """Return what labels become by `same` ("sprot=sport") and `ignore_case`, in any order."""
    if not (same or ignore_case):
        return {}
    counts = Counter(name for each in labels for name in each)
    found = {name: name for name in counts}
    for pair in [same] if isinstance(same, str) else same:
        old, _, new = map(str.strip, pair.partition("="))
        if not old or not new:
            what = "write two labels with = between them, such as sprot=sport"
            raise PteError(f"{file}: --same {pair}: {what}")
        if old not in found:
            hint = meant(old, found) or "leave it out"
            raise PteError(f"{file}: --same {pair}: no label {old!r}; {hint.strip()}")
        now_new = found.get(new, new)
        if now_new != old:  # else the two stand for each other, and the last pair decides
            new = now_new
        found = {name: new if now == old else now for name, now in found.items()}
    if ignore_case:  # the most frequent spelling stands for all
        sizes: dict[str, Counter[str]] = defaultdict(Counter)
        for name, now in found.items():
            sizes[now.casefold()][now] += counts[name]
        best = {key: max(sorted(each), key=each.__getitem__) for key, each in sizes.items()}
        found = {name: best[now.casefold()] for name, now in found.items()}
    return {name: now for name, now in found.items() if name != now}


def read_texts(
    file: str, values: Mapping[str, Any], learnt: Mapping[str, Any] | None = None
) -> Documents:
    """Read documents whose labels, if there are any, do not matter; a pipe is plain lines."""
    return read_labelled(file, {**values, "label": ""}, learnt, may_lack=True)


def _documents_of(table: FileTable) -> Documents:
    """Return the documents in the rows of a table. Raises `PteError`, which names the row."""
    options, numbers, where = table.options, table.numbers, table.where
    if table.said:
        _say(f"{table.file}: {', '.join(table.said)}")
    named: list[Labels] = [()] * len(numbers)
    absent: Counter[str] = Counter()
    if options.label:
        named, absent = table.labels(options.label)
    ids: Sequence[str] = Cells.of(map(str, numbers))
    groups, tests = None, None
    if options.id:
        given = words_of(where, table.column(options.id), numbers)
        if not (fault := fault_of_ids(where, options.id, given, numbers)):
            ids = given
        elif "id" in options.found:  # a model's column
            _say(f"{fault.partition(';')[0]}; so documents are counted in place of ids")
            options = replace(options, id=None)
        else:
            raise PteError(fault)
    if options.group:
        words = words_of(where, table.column(options.group), numbers)
        missing = {"", *map(str.casefold, MISSING)}
        groups = [None if each.casefold() in missing else each for each in words]
    if options.split:
        parts = words_of(where, table.column(options.split), numbers)
        tests = tested(where, parts, named, numbers)
    facts = table.facts()
    if not options.id and (unique := _unique(table)):
        facts["id"] = f"rows are counted; no value of {unique!r} is there twice: --id {unique}"
    doubts = [("table", doubt) for doubt in table.doubts]
    for label, n in absent.items():
        said = f"{counted(n, 'document has', 'documents have')} {label!r} in place of a label, "
        advice = "which is taken for none; if it is a class, give what stands for none: --missing …"
        doubts.append(("missing", said + advice))
    return Documents(
        texts_of(where, table.column(str(options.text)), numbers),
        named,
        ids,
        groups if groups and any(groups) else None,
        tests,
        facts,
        tuple(Finding(*doubt) for doubt in doubts),
        columns=options.given((*ROLES, "separator", "missing")),
        no_labels=table.no_labels,
        unit="" if options.id else table.unit,
        numbers=numbers,
    )


def _unique(table: FileTable) -> str | None:
    """Return the first column named as ids are whose values are all different."""
    for name in table.head:
        if table.head.count(name) == 1 and _ID.fullmatch(name.strip()):
            values = words_of(table.where, table.column(name), table.numbers)
            if not fault_of_ids(table.where, name, values, table.numbers):
                return name
    return None


def refuse_options(file: str, kind: str, values: Mapping[str, Any]) -> None:
    """Raise `PteError` if the user says of a file without columns what is said of a table."""
    named = [*ROLES, "separator", "missing", "predicted", *DIALECT]
    named += ["same", "ignore_case"] if kind == LINES else []
    found = {name: values[name] for name in named if values.get(name) not in (None, (), "")}
    if given := [n for n, value in found.items() if value is not False or n == "header"]:
        what = "its lines are documents" if kind == LINES else f"format {kind} has no columns"
        names = ", ".join(f"--{name.replace('_', '-')}" for name in given)
        raise PteError(f"{called(file)}: {what}; leave out {names}, or say what it is: --format")


def _unnamed(file: str, kind: str, options: Options) -> Documents:
    doubts: list[str] = []
    refuse_options(file, kind, vars(options))
    readers: dict[str, Callable[..., Iterator[RawDocument]]] = {
        "fasttext": read_label_lines,
        "folders": read_folders,
        LINES: read_lines,
    }
    found = list(readers[kind](file, doubts))
    lacks = kind in WITHOUT_LABELS and not any(each.labels for each in found)
    divided = kind == "folders" and is_divided(Path(file))
    return Documents(
        [each.text.encode("utf-8", "replace") for each in found],
        [each.labels for each in found],
        [each.id for each in found],
        tests=[each.is_test for each in found] if divided else None,
        facts={"format": kind},
        findings=tuple(Finding("table", doubt) for doubt in doubts),
        no_labels=NoLabels(f"{called(file)}: {WITHOUT_LABELS[kind]}") if lacks else None,
        unit="" if kind == "folders" else "line",
    )


def stem_of(file: str) -> str:
    """Return the name of a file without its endings, or of a folder; "" for other inputs."""
    path = Path(file)
    if is_stream(file):
        return ""
    return path.name if path.is_dir() else Path(uncompressed(path.name)).stem


def sha256_of_text(file: str) -> str:
    """Return the hash of a file, or of the names and texts in a folder; "" for other inputs."""
    from pte.files import sha256_of

    path = Path(file)
    if is_stream(file) or not path.exists():
        return ""
    if path.is_file():
        return sha256_of(path)
    digest = sha256()
    for each in filter(Path.is_file, files_below(path)):
        inside = each.relative_to(path).as_posix()
        digest.update(os.fsencode(f"{inside}\0{sha256_of(each)}\n"))
    return digest.hexdigest()
