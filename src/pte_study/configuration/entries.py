"""What rows, curves and pictures show, and the names of the protocols and of the main method."""

from dataclasses import dataclass

PAPER = "paper"
"""The protocol with the paper's settings: its T, steps of one edge, a classifier with C = 1."""

CHOSEN = "chosen"
"""The protocol in which held-out documents choose T and the classifier; steps may share rows."""

MAIN_METHOD = "pte_joint"
"""The method that the study is about, PTE(joint).

The sensitivity experiment trains this method. The seconds of other methods are divided by its
seconds.
"""


@dataclass(frozen=True)
class Row:
    """A method as a row of tables: its name in files, the labels that readers see, its group."""

    name: str
    label: str
    latex: str | None
    group: str


@dataclass(frozen=True)
class Curve:
    """A learning curve `along` the share of "labelled" or of "unlabelled" documents.

    `methods` has the methods of all curves of a study, so that a method looks the same in each
    curve.
    """

    caption: str
    along: str
    methods: tuple[str, ...] = ()


@dataclass(frozen=True)
class Picture:
    """The corpus and the documents that the picture of the networks shows.

    The picture shows `documents` documents of each of two classes. `words` holds the least and the
    largest number of words of a document.
    """

    corpus: str
    documents: int
    words: tuple[int, int]
    seed: int
