"""Wikipedia as the Westbury Lab published it: plain text with a line between articles.

    Anarchism.

    Anarchism is a political philosophy …
    ---END.OF.DOCUMENT---

The paper's vocabulary is the vocabulary of this corpus. An entry's `vocabulary` names the list of
words.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from pte.corpora.archives import stream_lines
from pte.corpora.articles import Labels
from pte.corpora.document import Document, require
from pte.corpora.parts import TRAIN
from pte.errors import PteError

END = b"---END.OF.DOCUMENT---"


def read(
    path: Path,
    labels: Path,
    title_column: str,
    label_column: str,
    counts: Counter[str] | None = None,
) -> Iterator[Document]:
    """Read one article after the other, in the order of the file, all for training.

    The file is plain or compressed by bzip2, gzip or xz. The first line of an article, without the
    full stop at the end, is its title; this line is part of the text, too. `labels` is a table as
    `pte.corpora.articles` reads it. An article has the label of its title; if the title has no
    label, the article is unlabelled. Only one article is in memory at a time. Raises `PteError` for
    a damaged file, for a file without articles, and if the last article has no line that ends it.
    """
    counts = Counter() if counts is None else counts
    table = Labels(labels, title_column, label_column, by_title=True)
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
