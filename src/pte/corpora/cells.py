"""The cells of a table of text in about as many bytes as its file: joined, and cut when read."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, chain, islice
from typing import Any

_BLOCK = 512  # cells of a column that are joined; more rows at once keep the garbage collector busy


def _joined(cells: Iterable[str]) -> bytes:
    return "\0".join(cells).encode("utf-8", "surrogatepass")  # few encodings have half a surrogate


def _cut(block: bytes) -> list[str]:
    return block.decode("utf-8", "surrogatepass").split("\0")


_cut_again = lru_cache(2)(_cut)  # neighbours are asked for one after the other


class Cells(Sequence[Any]):
    """Cells without zero bytes, in joined blocks: texts, or bytes in UTF-8."""

    def __init__(self, blocks: Sequence[bytes], are_bytes: bool = False) -> None:
        self._blocks, self.are_bytes = blocks, are_bytes
        self._ends = [0, *accumulate(block.count(b"\0") + 1 for block in blocks)]

    @classmethod
    def of(cls, cells: Iterable[str]) -> "Cells":
        left = iter(cells)
        return cls([*map(_joined, iter(lambda: [*islice(left, _BLOCK)], []))])

    def __len__(self) -> int:
        return self._ends[-1]

    def __iter__(self) -> Iterator[Any]:
        if self.are_bytes:
            return chain.from_iterable(block.split(b"\0") for block in self._blocks)
        return chain.from_iterable(map(_cut, self._blocks))

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, slice):
            return [self[place] for place in range(*i.indices(len(self)))]
        place = range(len(self))[i]
        block = bisect_right(self._ends, place) - 1
        cell = _cut_again(self._blocks[block])[place - self._ends[block]]
        return cell.encode() if self.are_bytes else cell

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and [*self] == [*other]

    def encoded(self) -> "Cells":
        """Return the cells as bytes, with a question mark for half a surrogate."""
        blocks = (
            "\0".join(_cut(each)).encode("utf-8", "replace") if b"\xed" in each else each
            for each in self._blocks
        )
        return Cells([*blocks], are_bytes=True)


class Records:
    """The rows of a table of text: its columns, and `odd` rows, no documents, by their numbers."""

    def __init__(self, rows: Iterator[list[str]]) -> None:
        self.first: list[str] = []  # the first row that is not blank; empty if all are
        self.second: list[str] = []  # the next one that is not odd
        self.bad: tuple[int, int] | None = None  # the number and the width of one of another width
        self.odd: dict[int, list[str]] = {}
        self._blocks: list[list[bytes]] = []
        self._size = 0
        for row in rows:
            self._size += 1
            if any(map(str.strip, row)):
                self.first = self.odd[self._size] = row
                break
            self.odd[self._size] = row
        while block := [*islice(rows, _BLOCK)]:
            self._add(block)

    def _add(self, block: list[list[str]]) -> None:
        width, size = len(self.first), len(block)
        if {*map(len, block)} != {width}:
            for number, row in enumerate(block, self._size + 1):
                if not row or (len(row) == 1 < width and not row[0].strip()):
                    self.odd[number] = row
                elif len(row) != width:
                    self.bad = self.bad or (number, len(row))
            block = [row for i, row in enumerate(block, self._size + 1) if i not in self.odd]
        self.second = self.second or next(iter(block), [])
        if block and not self.bad:
            self._blocks.append([*map(_joined, zip(*block, strict=True))])
        self._size += size

    def take_first(self) -> None:
        """Make a document of the first row."""
        del self.odd[next(number for number, row in self.odd.items() if row is self.first)]
        self._blocks.insert(0, [*map(_joined, zip(self.first, strict=True))])

    @property
    def numbers(self) -> Sequence[int]:
        """The numbers of the rows that are documents, from 1."""
        begin = len(self.odd) + 1
        if max(self.odd, default=0) < begin:
            return range(begin, self._size + 1)
        return [number for number in range(1, self._size + 1) if number not in self.odd]

    def column(self, at: int) -> Cells:
        return Cells([block[at] for block in self._blocks])


def woven(rows: Iterable[Any], odd: Mapping[int, Any]) -> Iterator[Any]:
    """Yield rows, with the odd ones at their numbers, from 1."""
    left, begin = iter(rows), 1
    for number in sorted(odd):
        yield from islice(left, number - begin)
        yield odd[number]
        begin = number + 1
    yield from left
