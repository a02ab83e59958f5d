"""More than int32 can number is refused at the door. The sizes are faked: views without memory."""

import numpy as np
import pytest

from pte.corpora.encode import Vocabulary
from pte.corpora.encoded import EncodedCorpus
from pte.errors import PteError
from pte.limits import MOST
from pte.networks.bipartite import Network


def many(n, dtype=np.int32):
    """An array of `n` zeros that are one number in memory."""
    return np.broadcast_to(np.zeros((), dtype), (n,))


def network(edges=1, sources=1, words=1):
    return Network(many(edges), many(edges), many(edges, np.float32), sources, words)


def corpus(documents=1, words=1, longest=1):
    return EncodedCorpus(
        tokens=many(longest + 1),
        offsets=np.array([0, 1, longest + 1]),
        labels=many(documents),
        split=many(documents, np.uint8),
        words=range(words),
        classes=("a",),
    )


@pytest.mark.parametrize("what", ["edges", "sources", "words"])
def test_a_network_has_as_much_as_int32_can_number(what):
    with pytest.raises(PteError, match=rf"network: {what}: 2,147,483,648 are more than .*; "):
        network(**{what: MOST + 1})
    if what != "edges":  # looking at so many weights takes seconds
        with pytest.raises(PteError, match="every weight must be"):
            network(**{what: MOST})


@pytest.mark.parametrize(
    ("part", "what"),
    [("documents", "documents"), ("words", "words"), ("longest", "tokens of one document")],
)
def test_a_corpus_has_as_much_as_int32_can_number(part, what):
    with pytest.raises(PteError, match=rf"corpus: {what}: 2,147,483,648 are more than .*; "):
        corpus(**{part: MOST + 1})
    corpus(**{part: MOST})


def test_a_vocabulary_stops_growing_where_int32_ends():
    vocabulary = Vocabulary()
    vocabulary._words = vocabulary._words._replace(codes=many(MOST + 1, np.uint64))
    with pytest.raises(PteError, match="vocabulary: words: 2,147,483,648"):
        vocabulary._grow()
