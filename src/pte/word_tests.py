"""Tests of word vectors in files: pairs of words that people judged, and analogies."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pte.corpora.text_files import read_lines
from pte.errors import PteError

_AT_ONCE = 256
"""How many analogies are answered together, which bounds the memory."""


class PairScores(NamedTuple):
    """How cosines of pairs of words agree with what people said."""

    pearson: float
    spearman: float
    unknown: float
    """The percentage of pairs with a word that has no vector; they are left out."""


class AnalogyScores(NamedTuple):
    """How many analogies are answered rightly."""

    accuracy: float
    """The share of the analogies whose words all have vectors, 0 to 1."""
    sections: dict[str, tuple[int, int]]
    """For each section, how many are right, and how many there are."""
    unknown: float
    """The percentage of analogies with a word that has no vector; they are left out."""


def judged_pairs(path: Path) -> Iterator[tuple[str, str, float]]:
    """Yield the pairs of a file: two words and a number on each line; # begins a comment.

    Tabs, commas or spaces stand between them. A first line without a number names the columns.
    Raises `PteError`, naming the line, for another line.
    """
    is_first = True
    for number, line in enumerate(read_lines(path), start=1):
        fields = (line if "\t" in line else line.replace(",", " ")).split()
        if not fields or line.startswith("#"):
            continue
        may_name, is_first = is_first, False
        try:
            one, other, score = fields[0], fields[1], float(fields[2])
            if not math.isfinite(score):
                raise ValueError
        except (ValueError, IndexError):
            if may_name:
                continue
            raise PteError(f"{path}: line {number} is not two words and a number") from None
        yield one, other, score


def analogies(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the section and the four words of each line; a line ": name" begins a section.

    Raises `PteError`, naming the line, for a line that has not four words.
    """
    section = ""
    for number, line in enumerate(read_lines(path), start=1):
        words = line.split()
        if line.startswith(":"):
            section = line[1:].strip()
        elif words:
            if len(words) != 4:
                raise PteError(f"{path}: line {number} has {len(words)} words; an analogy has four")
            yield section, words


def answers(unit: NDArray[np.float32], asked: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the row nearest to b − a + c for each row (a, b, c) of `asked`, none of these three.

    `unit`, shape (words, dim), has vectors of length 1.
    """
    found = [np.empty(0, np.int64)]
    for first in range(0, len(asked), _AT_ONCE):
        part = asked[first : first + _AT_ONCE]
        a, b, c = unit[part.T]
        cosines = (b - a + c) @ unit.T
        cosines[np.isnan(cosines)] = -np.inf  # argmax takes NaN for the largest
        np.put_along_axis(cosines, part, -np.inf, axis=1)
        found.append(cosines.argmax(axis=1))
    return np.concatenate(found)
