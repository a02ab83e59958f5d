"""What the configuration asks a table, a curve or a picture to show."""

from dataclasses import dataclass

PAPER = "paper"
"""The protocol that has what the paper says: T, steps of one edge, a classifier with C = 1."""

CHOSEN = "chosen"
"""The protocol in which held-out documents choose T and C, and steps may share rows."""

MAIN_METHOD = "pte_joint"
"""The method that the study is about, PTE(joint).

The sensitivity experiment trains it, and the seconds of others are divided by its own.
"""


@dataclass(frozen=True)
class Row:
    """A method as a row of tables: its name in files, what readers see of it, and its group."""

    name: str
    label: str
    latex: str
    group: str


@dataclass(frozen=True)
class Curve:
    """A learning curve, along the share of "labelled" or of "unlabelled" documents.

    `methods` are those of all curves of a study, so that a method looks the same in each.
    """

    caption: str
    along: str
    methods: tuple[str, ...] = ()


@dataclass(frozen=True)
class Picture:
    """Which documents of which corpus the picture of the networks shows.

    There are `documents` of each of two classes; `words` is how many words a document has at least
    and at most.
    """

    corpus: str
    documents: int
    words: tuple[int, int]
    seed: int
