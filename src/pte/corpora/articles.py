"""What readers of Wikipedia share: labels of articles from a table, by number or by title."""

from collections import Counter
from collections.abc import Callable, Collection
from pathlib import Path

from pte.corpora.document import columns, label_of, read_table
from pte.errors import PteError

Key = int | bytes
"""The number or the title of an article."""


def number_of(field: bytes) -> int:
    """The number of an article, from its digits. Raises `ValueError` when they are none."""
    if not field.isdigit():
        raise ValueError("a number")
    return int(field)


def title_of(field: bytes) -> bytes:
    """A title as all sources have it: with spaces for underscores, and the first letter large.

    Raises `ValueError` when it is empty.
    """
    title = b" ".join(field.replace(b"_", b" ").split())
    if not title:
        raise ValueError("a title")
    return title[:1].upper() + title[1:]


class Labels:
    """The labels of articles, by number or by title."""

    def __init__(
        self,
        path: Path,
        key_column: str,
        label_column: str,
        by_title: bool,
        none: Collection[str] = (),
    ) -> None:
        """Read a table of tab-separated columns with a head line, compressed by gzip.

        An empty label is none, and so are those of `none`. Raises `PteError` for a missing column,
        for a row of another length or without a key, and for an article that has two labels.
        """
        self._key: Callable[[bytes], Key] = title_of if by_title else number_of
        self._used: set[Key] = set()
        self._labels: dict[Key, str] = {}
        head, rows = read_table(path)
        places = columns(path, head, [key_column, label_column])
        for line, row in enumerate(rows, start=2):
            where = f"{path}: line {line}"
            if len(row) != len(head):
                raise PteError(f"{where} needs {len(head)} columns and has {len(row)}")
            try:
                key = self._key(row[places[key_column]])
            except ValueError as error:
                raise PteError(f"{where} needs {error} as {key_column}") from None
            label = label_of(row[places[label_column]])
            if label is None or label in none:
                continue
            if self._labels.setdefault(key, label) != label:
                raise PteError(f"{where}: the article has another label above; remove one")

    def __call__(self, field: bytes, counts: Counter[str]) -> str | None:
        """Look up the label of an article; None if it has none.

        A label is given once. Another article of the same title is unlabelled, and `counts` has it.
        """
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
        """Add to `counts` the labels whose article did not come."""
        counts["labels without an article"] += len(self._labels.keys() - self._used)
