"""Wikipedia as WikiExtractor leaves it, with labels from a table."""

import html
import re
from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path

from pte.corpora.archives import read_members
from pte.corpora.articles import Labels
from pte.corpora.document import Document, require
from pte.corpora.parts import TRAIN
from pte.errors import PteError

_HEAD = re.compile(rb'<doc id="(?P<id>\d+)"(?:.*? title="(?P<title>.*)">)?')


def read(
    path: Path,
    labels: Path,
    label_column: str,
    id_column: str | None = None,
    title_column: str | None = None,
    no_label: Collection[str] = (),
    counts: Counter[str] | None = None,
) -> Iterator[Document]:
    """Read members `AA/wiki_00`, …, whose blocks run from `<doc id="…" …>` to `</doc>`.

    The documents come in the order of the number `id`, all for training. `labels` is a table as
    `pte.corpora.articles` reads it, with the number of an article in `id_column` or its title in
    `title_column`. An article without a label in the table, or with a label in `no_label`, is
    unlabelled. Raises `PteError` when the blocks or the table are not of this form, when an `id`
    occurs twice, and when both columns are given or none of them.
    """
    counts = Counter() if counts is None else counts
    column = id_column or title_column
    if column is None or (id_column and title_column):
        raise PteError("reader wikiextractor: give either id_column or title_column")
    table = Labels(labels, column, label_column, id_column is None, no_label)
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
    """Yield the number, the title and the text of each article."""
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
