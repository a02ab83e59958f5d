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
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from pte.corpora.archives import read_members, stream_lines
from pte.corpora.document import TRAIN, Document, label_of, read_table, require
from pte.errors import PteError

Key = int | bytes  # the number or the title of an article


def number_of(field: bytes) -> int:
    """Return the number of an article. Raises `ValueError` when `field` is not all digits."""
    if not field.isdigit():
        raise ValueError("a number")
    return int(field)


def title_of(field: bytes) -> bytes:
    """Return a title in one form for all sources: no underscores, and a capital first letter."""
    title = b" ".join(field.replace(b"_", b" ").split())
    if not title:
        raise ValueError("a title")
    return title[:1].upper() + title[1:]


class ArticleLabels:
    """The labels of articles, by number or by title."""

    def __init__(
        self,
        path: Path,
        key_column: str,
        label_column: str,
        by_title: bool,
        none: Collection[str] = (),
    ) -> None:
        """Read a table as `read_table` does; an empty label, or one in `none`, is no label."""
        self._key: Callable[[bytes], Key] = title_of if by_title else number_of
        self._used: set[Key] = set()
        self._labels: dict[Key, str] = {}
        for line, (name, field) in read_table(path, [key_column, label_column]):
            where = f"{path}: line {line}"
            try:
                key = self._key(name)
            except ValueError as error:
                raise PteError(f"{where} needs {error} as {key_column}") from None
            label = label_of(field)
            if label is None or label in none:
                continue
            if self._labels.setdefault(key, label) != label:
                raise PteError(f"{where}: the article has another label above; remove one")

    def __call__(self, field: bytes, counts: Counter[str]) -> str | None:
        """Return the label of an article, once; count later articles of its title in `counts`."""
        try:
            key = self._key(field)
        except ValueError:
            return None
        label = self._labels.get(key)
        if label is None:
            return None
        if key in self._used:
            counts["articles whose title had a label before"] += 1
            return None
        self._used.add(key)
        return label

    def count_unused(self, counts: Counter[str]) -> None:
        """Add to `counts` the number of labels that no article got."""
        counts["labels without an article"] += len(self._labels.keys() - self._used)


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
    table = ArticleLabels(labels, title_column, label_column, by_title=True)
    found = False
    for text in _articles(path):
        found = True
        title = text.split(b"\n", 1)[0].strip().removesuffix(b".")
        yield Document(text, table(title, counts), TRAIN, id=title.decode(errors="replace"))
    require(found, path, f"an article that ends in {END.decode()}")
    table.count_unused(counts)


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
    table = ArticleLabels(labels, column, label_column, id_column is None, no_label)
    articles: dict[int, tuple[bytes, bytes]] = {}
    for member, content in read_members(path, r"(?:.*/)?[A-Z]{2}/wiki_\d+"):
        for number, title, text in _blocks(content, f"{path}: {member[0]}"):
            if number in articles:
                raise PteError(f"{path}: document {number} is there twice; repack the articles")
            articles[number] = title, text
    require(articles, path, "a document in a file named like AA/wiki_00")
    for number, (title, text) in sorted(articles.items()):
        key = b"%d" % number if id_column else title
        yield Document(text, table(key, counts), TRAIN, id=str(number))
    table.count_unused(counts)


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
