"""What the kernels and the evaluation compute, written plainly from the formulas, without pte.

Integers are Python's, cut to 64 bits by hand; real numbers are float64.
"""

import math
from collections import Counter

import numpy as np

_MASK = 2**64 - 1
_GAMMA = 0x9E3779B97F4A7C15
_MIX_1 = 0xBF58476D1CE4E5B9
_MIX_2 = 0x94D049BB133111EB


def mix(z):
    z = ((z ^ (z >> 30)) * _MIX_1) & _MASK
    z = ((z ^ (z >> 27)) * _MIX_2) & _MASK
    return z ^ (z >> 31)


def next_random(state):
    state = (state + _GAMMA) & _MASK
    return state, mix(state)


def stream(seed, index):
    return mix(mix((seed + _GAMMA) & _MASK) ^ ((index * _GAMMA + _MIX_1) & _MASK))


def unit(bits):
    return (bits >> 11) / 2**53


def random_bits(seed, n):
    """The first `n` outputs of stream 0 of `seed`, as the kernels want them."""
    state, outputs = stream(seed, 0), []
    for _ in range(n):
        state, bits = next_random(state)
        outputs.append(np.uint64(bits))
    return outputs


def fnv1a(data):
    """The 64-bit FNV-1a hash of some bytes."""
    code = 0xCBF29CE484222325
    for byte in data:
        code = ((code ^ byte) * 0x100000001B3) & _MASK
    return code


def encoded_distribution(table):
    """The probabilities that an alias table stands for: the sum of the shares of its cells."""
    n = len(table)
    probability = np.zeros(n)
    for i, (kept, other) in enumerate(np.asarray(table).tolist()):
        probability[i] += kept / 2**31 / n
        probability[other] += (1 - kept / 2**31) / n
    return probability


def draw(bits, table):
    position = unit(bits) * len(table)
    cell = int(position)
    kept, other = (int(value) for value in table[cell])
    return cell if int((position - cell) * 2**31) < kept else other


def draw_edge(state, ends, table):
    state, bits = next_random(state)
    source, target = ends[draw(bits, table)]
    return state, int(source), int(target)


def draw_negatives(state, noise, negatives, positive):
    """The next state and the rows: the positive, then those draws that differ from it."""
    rows = [positive]
    for _ in range(negatives):
        state, bits = next_random(state)
        word = draw(bits, noise)
        if word != positive:
            rows.append(word)
    return state, rows


def sigmoid(x):
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def learning_rate(t, total, start):
    return start * max((total - t) / total, 1e-4)


def update(source, s, target, rows, gradients):
    """w += g·u and u += g·w in turn: u as it was at first, w as it was before its own move."""
    u = source[s].copy()
    error = np.zeros_like(u)
    for row, gradient in zip(rows, gradients, strict=True):
        error += gradient * target[row]
        target[row] += gradient * u
    source[s] += error


def negative_sampling_step(source, s, target, rows, rate):
    """Every inner product first, then the updates."""
    products = [float(source[s] @ target[row]) for row in rows]
    gradients = [((k == 0) - sigmoid(x)) * rate for k, x in enumerate(products)]
    update(source, s, target, rows, gradients)


def train_block(
    source, target, networks, negatives, first, count, total, start_rate, seed, block, ahead
):
    """`networks` lists (ends, edge table, noise table); `ahead` edges are drawn at a time."""
    state = stream(seed, block)
    last = first + count
    for begin in range(first, last, ahead):
        draws = range(begin, min(begin + ahead, last))
        edges, rows = [], []
        for t in draws:
            ends, edge_table, _ = networks[t % len(networks)]
            state, *edge = draw_edge(state, ends, edge_table)
            edges.append(edge)
        for t, (_, positive) in zip(draws, edges, strict=True):
            noise = networks[t % len(networks)][2]
            state, listed = draw_negatives(state, noise, negatives, positive)
            rows.append(listed)
        for t, (s, _), listed in zip(draws, edges, rows, strict=True):
            rate = learning_rate(t, total, start_rate)
            negative_sampling_step(source, s, target, listed, rate)


def encode(token_lists, training):
    """The words of the training lists, by frequency and bytes, and the lists as their numbers."""
    counts = Counter(
        token
        for tokens, counted in zip(token_lists, training, strict=True)
        if counted
        for token in tokens
    )
    words = sorted(counts, key=lambda word: (-counts[word], word))
    return words, [[words.index(t) for t in tokens if t in counts] for tokens in token_lists]


def window_pairs(document, window):
    """The words at every two positions of one document that are at most `window` apart."""
    return [
        (document[i], document[j])
        for i in range(len(document))
        for j in range(i + 1, len(document))
        if j - i <= window
    ]


def larger_words(documents, window, n_words):
    """For each word, the larger word of every pair in which it is the smaller, as they come."""
    rows = [[] for _ in range(n_words)]
    for document in documents:
        for a, b in window_pairs(document, window):
            rows[min(a, b)].append(max(a, b))
    return rows


def words_of_rows(documents, rows, n_rows):
    """For each row, the words of its documents, as they come."""
    return [
        [word for document, r in zip(documents, rows, strict=True) if r == row for word in document]
        for row in range(n_rows)
    ]


def counted(rows):
    """For each row, its distinct words in order and how often each comes."""
    return [sorted(Counter(words).items()) for words in rows]


def word_word(documents, window):
    """Both directions of every pair; a word beside itself counts twice."""
    weights = Counter()
    for document in documents:
        for a, b in window_pairs(document, window):
            weights[a, b] += 1
            weights[b, a] += 1
    return weights


def word_document(documents):
    return Counter((d, word) for d, document in enumerate(documents) for word in document)


def word_label(documents, labels):
    return Counter(
        (label, word)
        for document, label in zip(documents, labels, strict=True)
        if label is not None
        for word in document
    )


def mean_vectors(documents, vectors):
    """`documents` are lists of word ids; one without words is the zero vector."""
    means = np.zeros((len(documents), vectors.shape[1]))
    for mean, document in zip(means, documents, strict=True):
        for word in document:
            mean += vectors[word] / len(document)
    return means


def f1_scores(truth, predicted, n_classes):
    """Micro-F1 and macro-F1 in percent."""
    pairs = list(zip(truth, predicted, strict=True))
    hits = np.array([sum(t == p == c for t, p in pairs) for c in range(n_classes)])
    misses = np.array([sum(t == c != p for t, p in pairs) for c in range(n_classes)])
    false_alarms = np.array([sum(t != c == p for t, p in pairs) for c in range(n_classes)])
    each = [
        2 * h / (2 * h + m + f) if h else 0.0
        for h, m, f in zip(hits, misses, false_alarms, strict=True)
    ]
    micro = 2 * hits.sum() / (2 * hits.sum() + misses.sum() + false_alarms.sum())
    return 100 * micro, 100 * float(np.mean(each))


def train_in_batches(source, target, sources, rows, rates, batch):
    """All gradients of a batch at the vectors as they are before it, then one update after another.

    A negative that is the positive is passed over.
    """
    for begin in range(0, len(sources), batch):
        chosen = range(begin, min(begin + batch, len(sources)))
        gradients = {}
        for i in chosen:
            products = [float(source[sources[i]] @ target[row]) for row in rows[i]]
            gradients[i] = [
                0 if k > 0 and rows[i][k] == rows[i][0] else rates[i] * ((k == 0) - sigmoid(x))
                for k, x in enumerate(products)
            ]
        for i in chosen:
            update(source, sources[i], target, rows[i], gradients[i])
