"""Wikipedia: as the Westbury Lab published it, and as WikiExtractor leaves it; labels from a table.

The Westbury Lab's file is plain text with a line between articles:

    Anarchism.

    Anarchism is a political philosophy …
    ---END.OF.DOCUMENT---

The paper's vocabulary is the vocabulary of this corpus.
"""

import html
import re
from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path

from pte.corpora.archives import read_members, stream_lines
from pte.corpora.document import TRAIN, Document, label_of, read_table, require
from pte.errors import PteError

Key = int | bytes  # the number or the title of an article


def _key(field: bytes, by_title: bool) -> Key | None:
    """Return the number of an article, or its title without underscores, with a capital letter."""
    if not by_title:
        return int(field) if field.isdigit() else None
    title = b" ".join(field.replace(b"_", b" ").split())
    return title[:1].upper() + title[1:] or None


def _labels(
    path: Path, key: str, label_column: str, by_title: bool, none: Collection[str] = ()
) -> dict[Key | None, str]:
    """Read labels by number or title from a table; an empty label, or one in `none`, is none."""
    labels: dict[Key | None, str] = {}
    for line, (name, field) in read_table(path, [key, label_column]):
        article, label = _key(name, by_title), label_of(field)
        if article is None:
            needed = "a title" if by_title else "a number"
            raise PteError(f"{path}: line {line} needs {needed} as {key}")
        if label and label not in none and labels.setdefault(article, label) != label:
            raise PteError(f"{path}: line {line}: the article has another label above; remove one")
    return labels


END = b"---END.OF.DOCUMENT---"


def westbury(
    path: Path,
    labels: Path,
    title_column: str,
    label_column: str,
    counts: Counter[str] | None = None,
) -> Iterator[Document]:
    """Read articles in the order of the file; the first line is the title, which has the label."""
    counts = Counter() if counts is None else counts
    left = _labels(labels, title_column, label_column, by_title=True)
    found = False
    for text in _articles(path):
        found = True
        title = text.split(b"\n", 1)[0].strip().removesuffix(b".")
        label = left.pop(_key(title, by_title=True), None)  # articles of one title have it once
        yield Document(text, label, TRAIN, id=title.decode(errors="replace"))
    require(found, path, f"an article that ends in {END.decode()}")
    counts["labels without an article"] += len(left)


def _articles(path: Path) -> Iterator[bytes]:
    lines: list[bytes] = []
    for line in stream_lines(path):
        if line.strip() != END:
            lines.append(line)
            continue
        if text := b"".join(lines).strip():
            yield text
        lines = []
    if b"".join(lines).strip():
        raise PteError(f"{path}: the last article has no {END.decode()}; fetch the file anew")


_HEAD = re.compile(rb'<doc id="(?P<id>\d+)"(?:.*? title="(?P<title>.*)">)?')


def wikiextractor(
    path: Path,
    labels: Path,
    label_column: str,
    id_column: str | None = None,
    title_column: str | None = None,
    no_label: Collection[str] = (),
    counts: Counter[str] | None = None,
) -> Iterator[Document]:
    """Read blocks `<doc id="…" …>` of members `AA/wiki_00`, …, labelled by number or title."""
    counts = Counter() if counts is None else counts
    column = id_column or title_column
    if column is None or (id_column and title_column):
        raise PteError("reader wikiextractor: give either id_column or title_column")
    left = _labels(labels, column, label_column, id_column is None, no_label)
    articles: dict[int, tuple[bytes, bytes]] = {}
    for member, content in read_members(path, r"(?:.*/)?[A-Z]{2}/wiki_\d+"):
        for number, title, text in _blocks(content, f"{path}: {member[0]}"):
            if number in articles:
                raise PteError(f"{path}: document {number} is there twice; repack the articles")
            articles[number] = title, text
    require(articles, path, "a document in a file named like AA/wiki_00")
    for number, (title, text) in sorted(articles.items()):
        label = left.pop(number if id_column else _key(title, by_title=True), None)
        yield Document(text, label, TRAIN, id=str(number))
    counts["labels without an article"] += len(left)


def _blocks(content: bytes, where: str) -> Iterator[tuple[int, bytes, bytes]]:
    *blocks, rest = content.split(b"</doc>\n")
    for count, block in enumerate(blocks, start=1):
        head, _, text = block.partition(b"\n")
        fields = _HEAD.match(head)
        if fields is None or b"\n<doc id=" in text:
            raise PteError(f"{where}: block {count} is not <doc id=…> to </doc>; extract it anew")
        title = html.unescape((fields["title"] or b"").decode(errors="surrogateescape"))
        yield int(fields["id"]), title.encode(errors="surrogateescape"), text
    if rest.strip():
        raise PteError(f"{where}: the last document has no </doc>; extract it anew")
