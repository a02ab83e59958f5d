"""Warnings about a user's own text, to read before the user trusts a score."""

from collections.abc import Sequence

from pte.corpora.encoded import EncodedCorpus
from pte.corpora.labelled import class_sizes

FEW_LABELS, FEW_TESTS, LARGEST, LISTED = 10, 100, 0.8, 8
"""The limits of warnings, and the most names in a list.

The limits are of labelled documents of a class, test documents, and the share of the largest class.
"""


def warnings(corpus: EncodedCorpus, order_lost: bool, tests: int) -> tuple[str, ...]:
    """Return the warnings, each of one or two sentences; there is none if nothing is wrong."""
    counts = corpus.meta["counts"]
    said = [str(each) for each in corpus.meta.get("warnings", [])]
    if order_lost:
        said.append(
            "The file has counts of words and not their order. Methods that look at neighbouring "
            "words are not run."
        )
    if tests < FEW_TESTS:
        said.append(f"There are only {tests} test documents, so scores are rough.")
    if empty := counts.get("empty_documents"):
        said.append(f"{_many(empty, 'document has', 'documents have')} no word.")
    if unknown := counts.get("documents_without_known_word"):
        have = _many(unknown, "test document has", "test documents have")
        said.append(f"{have} no word that a training document has.")
    return (*said, *_of_classes(corpus))


def listed(names: Sequence[str]) -> str:
    """Return the first names of a list that may be long, as text."""
    return ", ".join(names[:LISTED]) + (", …" if len(names) > LISTED else "")


def _many(n: int, one: str, more: str) -> str:
    """Return a number and, after it, what the number counts."""
    return f"{n:,} {one if n == 1 else more}"


def _of_classes(corpus: EncodedCorpus) -> list[str]:
    known = class_sizes(corpus)
    few = [name for name, n in zip(corpus.classes, known, strict=True) if n < FEW_LABELS]
    said = []
    if few:
        count = _many(len(few), "class has", "classes have")
        said.append(f"{count} fewer than {FEW_LABELS} labelled training documents: {listed(few)}.")
    if known.max() > LARGEST * known.sum():
        said.append(
            f"{100 * known.max() / known.sum():.0f} % of the labels are "
            f"{corpus.classes[int(known.argmax())]}. Look at macro-F1, which counts all classes "
            "alike."
        )
    return said
