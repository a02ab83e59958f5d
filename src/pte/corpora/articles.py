"""Labels of Wikipedia articles from a table, by number or by title; several readers use them."""

from collections import Counter
from collections.abc import Callable, Collection
from pathlib import Path

from pte.corpora.document import label_of, read_table
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
        """Read a table, as `read_table` does.

        A row with an empty label, or with a label in `none`, gives no label. Raises `PteError` as
        `read_table` does, for a row without a number or title, and for an article that has two
        labels.
        """
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
