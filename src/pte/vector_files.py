"""The files of word2vec, fastText and GloVe: a vector for each word, as text or binary."""

import warnings
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pte.corpora.compressed import binary_to_write
from pte.corpora.text_files import open_binary
from pte.errors import PteError
from pte.files import output_file

LONGEST_KEY = 1 << 16
"""The most bytes of a word."""

_LONGEST_LINE = 1 << 24
_MOST_DIM = 1 << 20
_LOOKED_AT = 10
"""How many lines say how long the vectors are."""

_BOM = b"\xef\xbb\xbf"
_CONTROLS = bytes(byte for byte in range(32) if byte not in b"\t\n\v\f\r")
_MOST_SHOWN = 3


class Vectors(NamedTuple):
    """Words, and a row for each of them."""

    words: list[bytes]
    rows: NDArray[np.float32]


class _Line(NamedTuple):
    number: int
    content: bytes


def read_vectors(path: Path, binary: bool) -> Vectors:
    """Read a file of vectors, unpacked if its name ends in .gz, .bz2 or .xz.

    A text has a word and its numbers on each line, with spaces or tabs between them. It may begin
    with a byte order mark, and with a line that says how many vectors there are and how long they
    are; files of GloVe have none. A word may hold spaces. A binary file must have that line. If a
    word is there twice, its first vector is kept, with a warning that names the places. Another
    warning tells of NaN and infinity.

    Raises `PteError`, naming the fault and its line, when the file is not so, or cannot be read.
    """
    with open_binary(path) as file:
        read = _read_binary if binary else _read_text
        try:
            places, vectors = read(file)
        except ValueError as error:
            raise PteError(f"{path}: {error}") from None
    unit = "vector" if binary else "line"
    if (bad := np.flatnonzero(~np.isfinite(vectors.rows).all(axis=1))).size:
        warnings.warn(
            f"{path}: {bad.size:,} vectors hold NaN or infinity, the first in {unit} "
            f"{places[bad[0]]:,}; no cosine to them is a number",
            stacklevel=3,
        )
    return _once(path, unit, places, vectors)


def write_vectors(
    path: Path, words: Sequence[bytes], rows: NDArray[np.float32], binary: bool
) -> None:
    """Write vectors as word2vec's C code does, compressed as the end of the name says.

    Raises `PteError` for a word that is empty, holds white space or has more than `LONGEST_KEY`
    bytes.
    """
    for word in words:
        if word.split() != [word]:
            raise PteError(
                f"{path}: the key {word!r} is empty or holds white space, which this format cannot "
                "have; put another character in its place, such as _"
            )
        if len(word) > LONGEST_KEY:
            raise PteError(
                f"{path}: the key {word[:20]!r}… has {len(word):,} bytes; it may have "
                f"{LONGEST_KEY:,}"
            )
    with output_file(path) as temporary, binary_to_write(temporary) as file:
        file.write(b"%d %d\n" % rows.shape)
        for word, row in zip(words, rows, strict=True):
            if binary:
                file.write(word + b" " + row.astype("<f4").tobytes() + b"\n")
            else:
                numbers = " ".join(f"{number:.9g}" for number in row)
                file.write(word + b" " + numbers.encode() + b"\n")


def _read_text(file: IO[bytes]) -> tuple[Sequence[int], Vectors]:
    """Return the number of each line, and the vectors. Raises `ValueError`, saying the fault."""
    lines = _lines(file)
    first = next(lines, None)
    if first is None:
        raise ValueError("it is empty")
    head = _head(first.content)
    looked_at = [] if head else [first]
    looked_at += islice(lines, _LOOKED_AT)
    dim = _dim(head, looked_at)
    words, places, numbers = [], [], array("f")
    for line in chain(looked_at, lines):
        places.append(line.number)
        words.append(_add_line(line, dim, numbers))
    if head and head.number != len(words):
        raise ValueError(f"line 1 says {head.number:,} vectors; there are {len(words):,}")
    return places, Vectors(words, np.frombuffer(numbers, np.float32).reshape(-1, dim))


def _dim(head: "_Head | None", lines: Sequence[_Line]) -> int:
    """Return the length of the vectors, by a first line of counts and by what some lines have."""
    counts = [_count_numbers(line.content) for line in lines]
    fits = not head or min(counts, default=head.dim) <= head.dim <= max(counts, default=head.dim)
    dim = head.dim if head and fits else Counter(counts).most_common(1)[0][0]
    if ((head and not fits) or not dim) and any(_is_binary(line.content) for line in lines):
        raise ValueError("this is the binary format, not text; give binary=True")
    if not dim:
        line = lines[counts.index(0)]
        raise ValueError(f"line {line.number} is no word with numbers behind it")
    if head and not fits:
        raise ValueError(f"line 1 says that vectors have length {head.dim:,}; they have {dim:,}")
    return dim


class _Head(NamedTuple):
    number: int
    dim: int


def _head(line: bytes) -> _Head | None:
    """Return what a first line says of the vectors; None if it is no such line."""
    fields = line.split()
    if len(fields) != 2 or not all(field.isdigit() for field in fields):
        return None
    head = _Head(*(int(field[:20]) for field in fields))
    if not 1 <= head.dim <= _MOST_DIM:
        raise ValueError(
            f"line 1 says that vectors have length {head.dim:,}; it must be 1 to {_MOST_DIM:,}"
        )
    return head


def _lines(file: IO[bytes]) -> Iterator[_Line]:
    """Yield the lines that are not blank, without the byte order mark."""
    number = 0
    while line := file.readline(_LONGEST_LINE):
        number += 1
        if number == 1:
            line = line.removeprefix(_BOM)
        if len(line) == _LONGEST_LINE:
            raise ValueError(f"line {number} has more than {_LONGEST_LINE:,} bytes")
        if line.strip():
            yield _Line(number, line)


def _count_numbers(line: bytes) -> int:
    """Return how many numbers a line ends in; its first field is a word."""
    fields = line.split()[1:]
    count = 0
    while count < len(fields) and _is_number(fields[-1 - count]):
        count += 1
    return count


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def _is_binary(content: bytes) -> bool:
    return len(content.translate(None, _CONTROLS)) < len(content)


def _add_line(line: _Line, dim: int, numbers: "array[float]") -> bytes:
    """Add the numbers of a line to `numbers`, and return its word."""
    word, *fields = line.content.rsplit(None, dim)
    try:
        if len(fields) < dim:
            raise ValueError
        numbers.extend(map(float, fields))
    except ValueError:
        raise ValueError(
            f"line {line.number} has {_count_numbers(line.content):,} numbers behind its word; "
            f"{dim:,} are expected"
        ) from None
    return word


def _read_binary(file: IO[bytes]) -> tuple[Sequence[int], Vectors]:
    """Return the number of each vector, and the vectors. Raises `ValueError`, saying the fault."""
    line = file.readline(LONGEST_KEY)
    head = _head(line.removeprefix(_BOM))
    begin: bytes = line if head is None else file.peek(LONGEST_KEY)  # type: ignore[attr-defined]
    try:
        if head is None:
            raise ValueError("it does not begin with the number and the length of its vectors")
        rows = _read_rows(file, head)
        return range(1, head.number + 1), rows
    except ValueError:
        begin = begin.partition(b"\n")[0]
        if _count_numbers(begin) and not _is_binary(begin):
            raise ValueError("this is the text format, not binary; give binary=False") from None
        raise


def _read_rows(file: IO[bytes], head: _Head) -> Vectors:
    words, numbers = [], bytearray()
    for number in range(1, head.number + 1):
        words.append(_read_word(file, number))
        row = file.read(4 * head.dim)
        if len(row) < 4 * head.dim:
            raise ValueError(f"it ends in vector {number:,} of {head.number:,}")
        numbers += row
    if file.read(LONGEST_KEY).strip():
        raise ValueError(f"it goes on behind the {head.number:,} vectors of line 1")
    rows = np.frombuffer(numbers, "<f4").astype(np.float32, copy=False)
    return Vectors(words, rows.reshape(-1, head.dim))


def _read_word(file: IO[bytes], number: int) -> bytes:
    """Read up to a space; a newline may come before the word."""
    word = bytearray()
    while (byte := file.read(1)) != b" ":
        if not byte:
            raise ValueError(f"it ends in the word of vector {number:,}")
        if len(word) > LONGEST_KEY:
            raise ValueError(f"the word of vector {number:,} has more than {LONGEST_KEY:,} bytes")
        word += byte
    return bytes(word.lstrip(b"\n"))


def _once(path: Path, unit: str, places: Sequence[int], vectors: Vectors) -> Vectors:
    """Keep the first vector of each word, and warn of the others."""
    first: dict[bytes, int] = {}
    again = [
        (number, first[word])
        for number, word in enumerate(vectors.words)
        if first.setdefault(word, number) != number
    ]
    if not again:
        return vectors
    shown = ", ".join(
        f"{vectors.words[number].decode('utf-8', 'replace')!r} "
        f"({unit}s {places[earlier]:,} and {places[number]:,})"
        for number, earlier in again[:_MOST_SHOWN]
    )
    more = ", …" if len(again) > _MOST_SHOWN else ""
    warnings.warn(
        f"{path}: {len(again):,} vectors are of words that are there already: {shown}{more}; the "
        "first vector of each is kept",
        stacklevel=4,
    )
    kept = list(first.values())
    return Vectors(list(first), vectors.rows[kept])
