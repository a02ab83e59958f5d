"""RCV1-v2: as Lewis, Yang, Rose and Li published it (JMLR 2004), and a sample as lines of JSON.

Its tokens are stems, in an order that has no meaning; the training part of LYRL2004 is not read.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pte.corpora.archives import read_members, stream_lines
from pte.corpora.document import TRAIN, Document, require
from pte.errors import PteError

LAST_TRAINING = 26150  # the largest number of a document in the training part of LYRL2004
PARTS = ["part1", "part2", "part3"]  # an entry's names of the files of tokens after the first


def lyrl2004(
    path: Path,
    topics: Path,
    hierarchy: Path,
    branch: str,
    labels: str,
    seed: int = 1,
    **parts: Path,
) -> Iterator[Document]:
    """Read the test part of LYRL2004: documents with a code right below `branch`, such as "CCAT".

    With `labels` "several" a document has all its codes, with "one" the code that `seed` chooses.
    Memory holds one file of tokens, and the codes of the documents that are still to be read.
    """
    if sorted(parts) != PARTS:
        raise PteError(f"reader lyrl2004: besides topics and hierarchy, files needs {PARTS}")
    children = read_children(hierarchy)
    if not children.get(branch):
        raise PteError(f"{hierarchy}: no topic is below {branch!r}; choose another branch")
    waiting = _read_topics(topics, children, branch)
    seen: set[int] = set()
    for file in (path, *(parts[name] for name in PARTS)):
        for number, text in _texts(file):
            if number <= LAST_TRAINING or number in seen:
                why = "is of LYRL2004's training part" if number <= LAST_TRAINING else "came before"
                raise PteError(f"{file}: document {number} {why}; fetch the file anew")
            if (codes := waiting.pop(number, None)) is not None:
                seen.add(number)
                yield labelled(str(number), text, codes, labels, seed)
    for number in waiting:
        raise PteError(
            f"{topics}: document {number} has topics, but no file of tokens has the document; "
            "fetch all four anew"
        )


def labelled(name: str, text: bytes, codes: Sequence[str], labels: str, seed: int) -> Document:
    """Return a document with all its codes, or with one that codes, name and seed decide."""
    first, *others = sorted(codes)
    if labels == "several":
        return Document(text, first, TRAIN, tuple(others), name)
    if labels != "one":
        raise PteError(f"corpora.yaml: options.labels is {labels!r}; it must be one or several")
    digest = hashlib.sha256(f"{seed}\t{name}".encode()).digest()
    return Document(text, sorted(codes)[int.from_bytes(digest) % len(codes)], TRAIN, id=name)


def read_children(path: Path) -> dict[str, list[str]]:
    """Return the topics below each; a line is `parent: CCAT  child: C15  child-description: …`."""
    form = re.compile(r"parent:\s*(\S+)\s+child:\s*(\S+)\s+child-description:.*")
    children: dict[str, list[str]] = {}
    for number, line in _lines(path):
        fields = form.fullmatch(line.decode(errors="backslashreplace"))
        if fields is not None:
            children.setdefault(fields[1], []).append(fields[2])
        elif line:
            raise PteError(f"{path}: line {number} is not: parent: … child: … child-description: …")
    return children


def _read_topics(path: Path, children: dict[str, list[str]], branch: str) -> dict[int, list[str]]:
    """Return the codes right below `branch` by document; lines are like `CCAT 26151 1`."""
    known = {code: code for below in children.values() for code in below}
    wanted = set(children[branch])
    found: dict[int, list[str]] = {}
    for line, row in _lines(path):
        match row.decode(errors="backslashreplace").split():
            case [code, number, "1"] if number.isdecimal() and code in known:
                if code in wanted and int(number) > LAST_TRAINING:
                    found.setdefault(int(number), []).append(known[code])
            case _:
                what = "a topic of the hierarchy, a document's number, and 1"
                raise PteError(f"{path}: line {line} is not: {what}")
    return found


def _texts(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield number and tokens of documents: `.I 26151`, `.W`, lines, an empty line."""
    for block in (b"\n" + b"".join(stream_lines(path))).split(b"\n.I ")[1:] or [b""]:
        number, mark, text = block.partition(b"\n.W\n")
        if not (number.isdigit() and mark):
            begin = number[:20].decode(errors="backslashreplace")
            raise PteError(f"{path}: document {begin!r} is not .I and a number, .W, and tokens")
        yield int(number), b" ".join(filter(None, map(bytes.strip, text.split(b"\n"))))


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    return enumerate(map(bytes.strip, stream_lines(path)), start=1)


def rcv1_json(
    path: Path, branch: str, labels: str, seed: int = 1, at_least: int = 1
) -> Iterator[Document]:
    """Read documents with a topic right below `branch` that at least `at_least` documents have."""
    below = read_tree(path).get(branch)
    require(below, path, f"a topic below {branch}")
    sample = list(read_sample(path))
    sizes = Counter(topic for _, topics, _ in sample for topic in topics)
    wanted = {topic for topic in below or () if sizes[topic] >= at_least}
    for number, topics, words in sample:
        codes = sorted(wanted.intersection(topics))
        if codes:
            yield labelled(str(number), " ".join(words).encode(), codes, labels, seed)


def read_tree(path: Path) -> dict[str, list[str]]:
    """Return the topics right below each topic: a line has these behind it, with tabs between."""
    rows = _member(path, "rcv1.taxonomy").decode().split("\n")
    return {parent: children for row in rows if row for parent, *children in [row.split("\t")]}


def read_sample(path: Path) -> Iterator[tuple[int, list[str], list[str]]]:
    """Yield the number, the topics and the words of each document of the sample."""
    lines = _member(path, "rcv1_dev.json").splitlines()
    for line, row in enumerate(lines, start=1):
        try:
            values: Any = json.loads(row)
            yield LAST_TRAINING + line, list(values["doc_label"]), list(values["doc_token"])
        except (ValueError, KeyError, TypeError) as error:
            raise PteError(
                f"{path}: line {line} of rcv1_dev.json is not an object with doc_label and "
                f"doc_token ({error!r})"
            ) from None


def _member(path: Path, name: str) -> bytes:
    found = [content for _, content in read_members(path, f".*/{re.escape(name)}")]
    require(len(found) == 1, path, f"one file {name}")
    return found[0]
