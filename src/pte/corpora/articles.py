"""Labels of Wikipedia articles from a table, by number or by title; several readers use them."""

from collections import Counter
from collections.abc import Callable, Collection
from pathlib import Path

from pte.corpora.document import columns, label_of, read_table
from pte.errors import PteError

Key = int | bytes
"""The number or the title of an article."""


def number_of(field: bytes) -> int:
    """Return the number of an article. Raises `ValueError` when `field` is not all digits."""
    if not field.isdigit():
        raise ValueError("a number")
    return int(field)


def title_of(field: bytes) -> bytes:
    """Return a title in one form for all sources: no underscores, and a capital first letter.

    Runs of underscores and white space become one space. Raises `ValueError` for an empty title.
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

        A row with an empty label, or with a label in `none`, gives no label. Raises `PteError` for
        a missing column, for a row with more or fewer columns than the head line, for a row without
        a number or title, and for an article that has two labels.
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
        """Return the label of an article, or None if the article has no label.

        A label is given only once. A later article of the same title is unlabelled, and is counted
        in `counts`.
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
        """Add to `counts` the number of labels that no article got."""
        counts["labels without an article"] += len(self._labels.keys() - self._used)
