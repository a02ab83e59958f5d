"""Networks are the same whatever the memory and the threads, and the memory is not exceeded."""

import os
import subprocess
import sys
from collections import Counter
from functools import partial
from pathlib import Path

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pte.corpora.encoded import TRAIN, EncodedCorpus
from pte.networks import named
from pte.networks.counting import Counting, count_rows

N_WORDS = 5
ROWS = st.lists(st.lists(st.integers(0, N_WORDS - 1), max_size=25), max_size=8)
BUDGETS = st.sampled_from([1, 400, 2000, 2**20])
MEBIBYTE = 2**20


def note_rows(rows, first, last, place, slots, counts):
    """Plain Python in place of a kernel."""
    for row, words in enumerate(rows[first:last]):
        for word in words:
            if place[row] < 0:
                counts[~place[row], word] += 1
            else:
                slots[place[row]] = word
                place[row] += 1


def counting_of(rows, note=None):
    sizes = np.array([len(words) for words in rows], np.int64)
    return Counting(sizes, N_WORDS, note or partial(note_rows, rows))


@given(ROWS, BUDGETS, st.integers(1, 4))
def test_rows_are_counted_whatever_the_memory_and_the_threads(rows, memory, threads):
    found = count_rows(counting_of(rows), memory, threads)
    expected = naive.counted(rows)
    assert found.edges.tolist() == [len(row) for row in expected]
    assert list(zip(found.target, found.weight, strict=True)) == [
        e for row in expected for e in row
    ]
    types = (found.edges.dtype, found.target.dtype, found.weight.dtype)
    assert types == (np.int64, np.int32, np.float32)


@given(ROWS, BUDGETS, st.integers(1, 4))
def test_what_one_range_of_rows_needs_fits_the_memory_of_a_thread(rows, memory, threads):
    ranges = []

    def note(first, last, place, slots, counts):
        ranges.append((first, last))
        edges = sum(min(len(words), N_WORDS) for words in rows[first:last])
        if last - first > 1:
            assert place.nbytes + slots.nbytes + counts.nbytes + 8 * edges <= memory / threads
        else:
            assert slots.nbytes + counts.nbytes + 8 * edges <= 24 * N_WORDS
        note_rows(rows, first, last, place, slots, counts)

    count_rows(counting_of(rows, note), memory, threads)
    assert [row for bounds in sorted(ranges) for row in range(*bounds)] == list(range(len(rows)))


@pytest.fixture(scope="module")
def random_documents():
    """Lists of words, of which word 0 is every second one; a class or None for each."""
    rng = np.random.default_rng(1)
    lengths = rng.integers(0, 40, 60)
    documents = [(rng.integers(0, 30, n) * rng.integers(0, 2, n)).tolist() for n in lengths]
    return documents, [None if i % 5 == 0 else int(i % 3) for i in range(60)]


@pytest.fixture(scope="module")
def random_corpus(random_documents):
    documents, labels = random_documents
    return EncodedCorpus(
        np.array([word for document in documents for word in document], np.int32),
        np.cumsum([0, *map(len, documents)]),
        np.array([-1 if label is None else label for label in labels], np.int32),
        np.full(len(documents), TRAIN, np.uint8),
        tuple(b"w%d" % i for i in range(30)),
        ("x", "y", "z"),
    )


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("memory", [1, 3000, 10_000, 2**30])
def test_networks_are_those_of_the_twin(random_corpus, random_documents, memory, threads):
    documents, labels = random_documents
    for name, expected in [
        ("ww", naive.word_word(documents, 4)),
        ("wd", naive.word_document(documents)),
        ("wl", naive.word_label(documents, labels)),
    ]:
        network = named.build(name, random_corpus, 4, memory, threads).directed()
        edges = zip(network.source.tolist(), network.target.tolist(), strict=True)
        assert Counter(dict(zip(edges, network.weight.tolist(), strict=True))) == expected


# A corpus of few different pairs, each of which comes 50 times: its network is small.
BUILD = """
import sys
import numpy as np
from pathlib import Path
from pte.corpora.encoded import EncodedCorpus
from pte.networks import named

def peak():
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) * 1024

def corpus(tokens, n_words):
    offsets = np.array([0, tokens.size])
    one = np.zeros(1, np.int32), np.zeros(1, np.uint8)
    return EncodedCorpus(tokens, offsets, *one, (b"",) * n_words, ())

large = np.tile(np.random.default_rng(0).permutation(40_000).astype(np.int32), 50)
named.build("ww", corpus(large[:2], 40_000), 5)
before = peak()
for memory in sys.argv[1:]:
    named.build("ww", corpus(large, 40_000), 5, memory=int(memory), threads=2)
    print(peak() - before)
"""


@pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT", "0") != "0" or not Path("/proc/self/status").exists(),
    reason="measures compiled code, where the system tells a process its peak",
)
def test_memory_is_what_was_asked_for(corpus):
    named.build("ww", corpus, 5)  # compiled here, so that the processes below only load it

    command = [sys.executable, "-c", BUILD, str(8 * MEBIBYTE), str(1024 * MEBIBYTE)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    little, much = map(int, done.stdout.split())
    # 10 million pairs are 80 MB of keys, before any of them is sorted.
    assert little < 16 * MEBIBYTE
    assert much > 32 * MEBIBYTE
