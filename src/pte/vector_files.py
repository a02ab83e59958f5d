"""The files of word2vec, fastText and GloVe: a vector for each word, as text or binary."""

import warnings
from array import array
from collections.abc import Sequence
from itertools import chain, islice
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from pte.corpora.compressed import binary_to_write, open_binary
from pte.errors import PteError
from pte.files import output_file

LONGEST_KEY = 1 << 16  # the most bytes of a word

_MOST_DIM = 1 << 20
_LOOKED_AT = 10  # lines that say how long the vectors are
_BOM = b"\xef\xbb\xbf"

Vectors = tuple[list[bytes], NDArray[np.float32]]


def read_vectors(path: Path, binary: bool) -> Vectors:
    """Read a file of vectors; see `pte.KeyedVectors.from_word2vec`."""
    with open_binary(path) as file:
        try:
            words, rows = (_read_binary if binary else _read_text)(file)
        except ValueError as error:
            raise PteError(f"{path}: {error}") from None
    if (bad := np.flatnonzero(~np.isfinite(rows).all(axis=1))).size:
        what = f"{bad.size:,} vectors hold NaN or infinity, the first is that of {words[bad[0]]!r}"
        warnings.warn(f"{path}: {what}; no cosine to them is a number", stacklevel=3)
    first: dict[bytes, int] = {}
    again = [word for i, word in enumerate(words) if first.setdefault(word, i) != i]
    if not again:
        return words, rows
    what = f"{len(again):,} vectors are of words that are there already, such as {again[0]!r}"
    warnings.warn(f"{path}: {what}; the first vector of each is kept", stacklevel=3)
    return list(first), rows[list(first.values())]


def write_vectors(
    path: Path, words: Sequence[bytes], rows: NDArray[np.float32], binary: bool
) -> None:
    """Write vectors as word2vec's C code does, compressed as the end of the name says."""
    for word in words:
        if word.split() != [word]:
            raise PteError(
                f"{path}: the key {word!r} is empty or holds white space, which this format cannot "
                "have; put another character in its place, such as _"
            )
        if len(word) > LONGEST_KEY:
            what = f"the key {word[:20]!r}… has {len(word):,} bytes; it may have {LONGEST_KEY:,}"
            raise PteError(f"{path}: {what}")
    with output_file(path) as temporary, binary_to_write(temporary) as file:
        file.write(b"%d %d\n" % rows.shape)
        for word, row in zip(words, rows, strict=True):
            text = " ".join(f"{number:.9g}" for number in row).encode()
            file.write(word + b" " + (row.astype("<f4").tobytes() if binary else text) + b"\n")


def _read_text(file: IO[bytes]) -> Vectors:
    """Read lines of a word, which may hold spaces, and its numbers; raises `ValueError`."""
    lines = ((n, line.removeprefix(_BOM) if n == 1 else line) for n, line in enumerate(file, 1))
    lines = ((n, line) for n, line in lines if line.strip())
    looked_at = list(islice(lines, _LOOKED_AT))
    if not looked_at:
        raise ValueError("it is empty")
    if head := _head(looked_at[0][1]):
        del looked_at[0]
    counts = {number: _count_numbers(line) for number, line in looked_at}
    least = min(counts.values(), default=head[1] if head else 0)
    if not least:
        number = min(counts, key=lambda number: counts[number])
        hint = "is no word with numbers behind it; a binary file needs binary=True"
        raise ValueError(f"line {number} {hint}")
    dim = head[1] if head else least
    if least > dim:
        raise ValueError(f"line 1 says that vectors have length {dim:,}; they have {least:,}")
    words, numbers = [], array("f")
    for number, line in chain(looked_at, lines):
        word, *fields = line.rsplit(None, dim)
        try:
            numbers.extend(map(float, fields if len(fields) == dim else ["too few"]))
        except ValueError:
            found = f"line {number} has {_count_numbers(line):,} numbers behind its word"
            raise ValueError(f"{found}; {dim:,} are expected") from None
        words.append(word)
    if head and head[0] != len(words):
        raise ValueError(f"line 1 says {head[0]:,} vectors; there are {len(words):,}")
    return words, np.frombuffer(numbers, np.float32).reshape(-1, dim)


def _read_binary(file: IO[bytes]) -> Vectors:
    """Read words, each with a space and its numbers behind it; raises `ValueError`."""
    head = _head(file.readline(LONGEST_KEY))
    if head is None:
        what = "it does not begin with the number and the length of its vectors"
        raise ValueError(f"{what}; a text needs binary=False")
    words, numbers, (many, dim) = [], bytearray(), head
    for number in range(1, many + 1):
        word = bytearray()
        while (byte := file.read(1)) != b" ":
            word += byte
            if not byte or len(word) > LONGEST_KEY + 1:
                raise ValueError(f"there is no word of vector {number:,} of {many:,}")
        row = file.read(4 * dim)
        if len(row) < 4 * dim:
            raise ValueError(f"it ends in vector {number:,} of {many:,}")
        words.append(bytes(word.lstrip(b"\n")))
        numbers += row
    if file.read(LONGEST_KEY).strip():
        raise ValueError(f"it goes on behind the {many:,} vectors of line 1")
    rows = np.frombuffer(numbers, "<f4").astype(np.float32, copy=False)
    return words, rows.reshape(-1, dim)


def _head(line: bytes) -> tuple[int, int] | None:
    """Return how many vectors a first line names, and how long, or None."""
    fields = line.removeprefix(_BOM).split()
    if len(fields) != 2 or not all(field.isdigit() for field in fields):
        return None
    many, dim = (int(field[:20]) for field in fields)
    if not 1 <= dim <= _MOST_DIM:
        what = f"line 1 says that vectors have length {dim:,}; it must be 1 to {_MOST_DIM:,}"
        raise ValueError(what)
    return many, dim


def _count_numbers(line: bytes) -> int:
    """Return how many numbers end a line; its first field is a word."""
    fields = line.split()[1:]
    for count, field in enumerate(reversed(fields)):
        try:
            float(field)
        except ValueError:
            return count
    return len(fields)
