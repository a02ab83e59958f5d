"""The names of classes as texts that teach, before any document has a label.

A text of a name is a document of its class, so every method can learn from it: it gives
PTE's word–label network edges, words their counts, and an encoder something to read. It is in the
group `NAMES`, so it never judges.
"""

import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pte.classify.errors import BadInput
from pte.classify.given import class_array
from pte.corpora.encoded import EncodedCorpus
from pte.corpora.texts import GivenLabels
from pte.errors import counted, shown
from pte.training.search import NAMES

LABELS = "labels"  # the value of `names` that takes the words of the labels themselves

COPIES = 3  # of a name beside labels: a point better than 1 with two labels a class

_PARTS = re.compile(r"[\W_]+|(?<=[^\W\d_A-Z])(?=[A-Z])")


def words_of_label(label: str) -> str:
    """Return the words of a label, which is cut at signs and before capitals.

    >>> words_of_label("comp.sys.macHardware")
    'comp sys mac Hardware'
    """
    return " ".join(filter(None, _PARTS.split(label)))


def with_names(
    names: Any, labels: GivenLabels | None, n_documents: int
) -> tuple[GivenLabels | None, list[bytes]]:
    """Return labels that go on with those of names, and the texts of the names."""
    if names is None:
        return labels, []
    known = labels or GivenLabels(np.empty(0, np.int64), (None,) * n_documents)
    phrases = _phrases(names, known)
    distinct = {str(label): label for label in known.classes.tolist()}
    new = [repr(label) for label in phrases if str(label) not in distinct]
    if distinct and new:
        said = counted(len(new), "class has", "classes have")
        warnings.warn(f"names: {said} no labelled document: {shown(new, 3, False)}", stacklevel=2)
    classes = class_array({distinct.get(str(label), label) for label in [*distinct, *phrases]})
    place = {str(label): number for number, label in enumerate(classes.tolist())}
    renumbered = [place[str(label)] for label in known.classes.tolist()]
    rows = {row: row and tuple(renumbered[each] for each in row) for row in {*known.of_documents}}
    of_documents = [rows[row] for row in known.of_documents]
    texts = []
    for label, text in [*phrases.items()] * (COPIES if distinct else 1):
        of_documents.append((place[str(label)],))
        texts.append(text.encode("utf-8", "surrogatepass"))
    return GivenLabels(classes, tuple(of_documents), known.several), texts


def _phrases(names: Any, labels: GivenLabels) -> dict[Any, str]:
    """Return the text of each name."""
    if names == LABELS:
        if not labels.classes.size:
            raise BadInput(f"names is {LABELS!r}, and there is no label; give a dict of words")
        return {label: words_of_label(str(label)) for label in labels.classes.tolist()}
    if not isinstance(names, Mapping) or not names:
        raise BadInput(f"names is {names!r}; give a dict of words for classes, or {LABELS!r}")
    found = {}
    for label, words in names.items():
        phrases = [words] if isinstance(words, str) else words
        if not isinstance(phrases, Sequence) or not all(isinstance(x, str) for x in phrases):
            raise BadInput(f"names: {label!r} has {words!r}; give a text, or a list of texts")
        found[label] = "\n".join(phrases)
    return found


def teaching_only(corpus: EncodedCorpus, n: int) -> EncodedCorpus:
    """Return the corpus whose last `n` documents are texts of names."""
    if not n:
        return corpus
    none = np.full(corpus.n_documents, -1, np.int32)
    groups = np.array(none if corpus.groups is None else corpus.groups)
    groups[-n:] = NAMES
    return replace(corpus, groups=groups)
