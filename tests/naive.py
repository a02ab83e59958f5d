"""What the kernels and the evaluation compute, written plainly from the formulas, without pte.

Integers are Python's, cut to 64 bits by hand; real numbers are float64.
"""

import math
import unicodedata
from collections import Counter
from typing import NamedTuple

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


def cell(bits, n):
    """The cell of a table of n at bits / 2⁶⁴ of the way through it, and how far into it, · 2³¹."""
    position = bits * n >> 32
    return position >> 32, position % 2**32 >> 1


def share_and_other(entry):
    """An entry of an alias table: the share of its own index, · 2³¹, and the other owner."""
    return int(entry) % 2**32, int(entry) >> 32


def owner(table, cell, fraction):
    share, other = share_and_other(table[cell])
    return cell if fraction < share else other


def draw(bits, table):
    return owner(table, *cell(bits, len(table)))


def encoded_distribution(table):
    """The probabilities that an alias table stands for: the sum of the shares of its cells."""
    n = len(table)
    probability = np.zeros(n)
    for i, (share, other) in enumerate(map(share_and_other, table)):
        probability[i] += share / 2**31 / n
        probability[other] += (1 - share / 2**31) / n
    return probability


def draw_stored(ends, table, undirected, state, n):
    """n edges; one of an undirected network is turned round if its random number is odd."""
    drawn = []
    for _ in range(n):
        state, bits = next_random(state)
        source, target = map(int, ends[draw(bits, table)])
        drawn.append((target, source) if undirected and bits % 2 else (source, target))
    return drawn


def draw_places(documents, table, state, n):
    """The next state and n times the number of a document and of a place in it."""
    chosen = []
    for _ in range(n):
        state, bits = next_random(state)
        chosen.append(draw(bits, table))
    drawn = []
    for d in chosen:
        state, bits = next_random(state)
        drawn.append((d, cell(bits, len(documents[d]))[0]))
    return state, drawn


def draw_further(edges, tables, state, sources, n, together):
    """n targets of each source: those of its cells from a random one on, round and round.

    `edges[s]` are the targets of source s; `tables[s]` is an alias table over them. The first cells
    of `together` sources are drawn at a time.
    """
    drawn = []
    for begin in range(0, len(sources), together):
        some, cells = sources[begin : begin + together], []
        for s in some:
            state, bits = next_random(state)
            cells.append(cell(bits, len(edges[s]))[0])
        for s, at in zip(some, cells, strict=True):
            targets, shares = [], []
            while len(shares) < n:
                state, bits = next_random(state)
                shares += [bits % 2**32 // 2, bits // 2**33]
            for share in shares[:n]:
                targets.append(edges[s][owner(tables[s], at, share)])
                at = (at + 1) % len(edges[s])
            drawn.append(targets)
    return drawn


def draw_memberships(documents, sources, table, state, n, together, m=1):
    """n times a document's source and m words of it, from a place on, round and round.

    `together` of them are drawn at a time.
    """
    drawn = []
    for begin in range(0, n, together):
        state, places = draw_places(documents, table, state, min(together, n - begin))
        for d, place in places:
            words = documents[d]
            drawn.append((sources[d], *(words[(place + k) % len(words)] for k in range(m))))
    return drawn


def draw_neighbours(documents, table, window, state, n, together, m=1):
    """n times the word at a place, and m of the `window` words before and behind it.

    A distance is drawn, and the others follow in the window, round and round. What lies outside the
    document is left out; `together` places are drawn at a time.
    """
    distances = [*range(-window, 0), *range(1, window + 1)]
    drawn = []
    while len(drawn) < n:
        state, places = draw_places(documents, table, state, together)
        for d, place in places:
            state, bits = next_random(state)
            partner = place + distances[cell(bits, 2 * window)[0]]
            words = documents[d]
            if 0 <= partner < len(words):
                others = [p for p in (place + step for step in distances) if 0 <= p < len(words)]
                at = others.index(partner)
                partners = [others[(at + k) % len(others)] for k in range(m)]
                drawn.append((words[place], *(words[p] for p in partners)))
    return drawn[:n]


def draw_negatives(noise, negatives, state):
    """The next state and the words: 32 bits each, the high ones of a random number first."""
    drawn = []
    while len(drawn) < negatives:
        state, bits = next_random(state)
        drawn += [draw(half << 32, noise) for half in (bits >> 32, bits % 2**32)]
    return state, drawn[:negatives]


def sigmoid(x):
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def learning_rate(t, total, start):
    return start * max((total - t) / total, 1e-4)


def ascents(products, rows, rate, m=1, weight=1):
    """rate times the slope of Σ_{k<m} log σ(x_k) + weight · Σ_{k≥m} log σ(−x_k) in each product.

    A negative counts for those of the m positives that it does not equal.
    """
    return [
        rate * (1 - sigmoid(x)) if k < m else -rate * weight * sigmoid(x) * part
        for k, (row, x) in enumerate(zip(rows, products, strict=True))
        for part in [sum(row != positive for positive in rows[:m]) / m]
    ]


def move(source, s, target, rows, steps):
    """w += g·u and u += g·w in turn: u as it was at first, w as it was before its own move."""
    u = source[s].copy()
    for row, step in zip(rows, steps, strict=True):
        source[s] += step * target[row]
        target[row] += step * u


def negative_sampling_step(source, s, target, rows, rate, m=1, weight=1):
    """Every inner product first, then the moves."""
    products = [float(source[s] @ target[row]) for row in rows]
    move(source, s, target, rows, ascents(products, rows, rate, m, weight))


def train_groups(tables, networks, turns, sizes, schedule, state, chunk=None):
    """Draw t is a group of network turns[t mod n]; the draws begin at the first of `schedule`.

    A network is its groups (source, targets), its noise, and the row of its source 0. `sizes` are
    the members, the negatives, K, and how many groups in a row share negatives. Negatives are never
    shared by draws of two chunks.
    """
    (source, target), (first, total, start_rate) = tables, schedule
    m, n_negatives, k, share = sizes
    weight = k * m / n_negatives if n_negatives else 0
    waiting = [list(groups) for groups, _, _ in networks]
    words, taken = {}, {}
    for i in range(sum(map(len, waiting))):
        if chunk and i % chunk == 0:
            taken = {}
        network = turns[(first + i) % len(turns)]
        _, noise, shared = networks[network]
        s, *positives = waiting[network].pop(0)
        if taken.get(network, 0) % share == 0:
            state, words[network] = draw_negatives(noise, n_negatives, state)
        taken[network] = taken.get(network, 0) + 1
        rows = [*positives, *words[network]]
        rate = learning_rate(first + i, total, start_rate)
        negative_sampling_step(source, shared + s, target, rows, rate, m, weight)


def exchange_edge(tables, places, network, s, words):
    """Add what copies learnt, `weight` times, to their shared rows: source `s`, and `words`."""
    source, target = tables
    pairs = []
    if s >= places.own_sources[network]:
        shared = s - places.own_sources[network] + places.shared_sources[network]
        pairs.append((source, shared, s, s + places.behind))
    copies = [w for w in words if w >= places.own_words]
    pairs += [(target, w - places.own_words, w, w + places.hot_words) for w in copies]
    for table, shared, own, last in pairs:
        whole = table[shared] + places.weight * (table[own] - table[last])
        table[shared] = table[own] = table[last] = whole


def train_pairs(tables, networks, turns, negatives, schedule, state):
    """`train_groups` of one target, each with negatives of its own."""
    train_groups(tables, networks, turns, (1, negatives, negatives, 1), schedule, state)


def unicode_words(text):
    """The runs of letters, marks and digits of a text, composed and case-folded, as UTF-8.

    Marks alone are no word, and those that `is_loose` says begin none.
    """
    composed = unicodedata.normalize("NFC", text.decode("utf-8", "surrogateescape"))
    folded = composed.casefold()
    kept = [c if unicodedata.category(c)[0] in "LMN" else " " for c in folded]
    tokens = [token for word in "".join(kept).split(" ") for token in with_pairs(word)]
    return [token.encode() for token in map(without_loose_marks, tokens) if token]


def is_loose(c):
    """Whether a character is a variation selector or an enclosing mark, such as a keycap."""
    is_selector = "\ufe00" <= c <= "\ufe0f" or "\U000e0100" <= c <= "\U000e01ef"
    return is_selector or unicodedata.category(c) == "Me"


def without_loose_marks(token):
    """A token without loose marks at its begin; "" if no letter and no number is in it."""
    while token and is_loose(token[0]):
        token = token[1:]
    return token if any(unicodedata.category(c)[0] != "M" for c in token) else ""


WITHOUT_SPACES = (
    *((0x3005, 0x3007), (0x3040, 0x312F), (0x31A0, 0x31BF), (0x31F0, 0x31FF), (0x3400, 0x4DBF)),
    *((0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0xFF66, 0xFF9F), (0x1AFF0, 0x1B16F), (0x20000, 0x3FFFF)),
    *((0xE00, 0xEFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0xA9E0, 0xA9FF), (0xAA60, 0xAA7F)),
)
"""Ranges of scripts without spaces: Han, Kana, Bopomofo, Thai, Lao, Burmese, Khmer."""


def with_pairs(word):
    """A word, with runs of scripts without spaces as characters and their overlapping pairs."""

    def is_uncut(c):
        inside = any(first <= ord(c) <= last for first, last in WITHOUT_SPACES)
        return inside and unicodedata.category(c) != "Nd"

    tokens, before = [], None
    for c in word:
        if before is not None and unicodedata.category(c)[0] == "M":
            tokens[-1] += c
        elif is_uncut(c):
            tokens.append(c)
        elif before is None and tokens:
            tokens[-1] += c
        else:
            tokens.append(c)
        before = tokens[-1] if is_uncut(tokens[-1][0]) else None
    found = []
    for i, token in enumerate(tokens):
        if i and is_uncut(token[0]) and is_uncut(tokens[i - 1][0]):
            found.append(tokens[i - 1] + token)
        found.append(token)
    return found


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


def degrees(network, n_sources, n_targets):
    """The sums of a network's weights at each source and at each target."""
    sums = np.zeros(n_sources), np.zeros(n_targets)
    for ends, weight in network.items():
        for total, node in zip(sums, ends, strict=True):
            total[node] += weight
    return sums


def word_document(documents):
    return Counter((d, word) for d, document in enumerate(documents) for word in document)


def word_label(documents, labels):
    return Counter(
        (label, word)
        for document, label in zip(documents, labels, strict=True)
        if label is not None
        for word in document
    )


def word_span(documents, span):
    """Like word_document, where each run of `span` tokens, or what is left, is a document."""
    return word_document(
        [tokens[at : at + span] for tokens in documents for at in range(0, len(tokens), span)]
    )


def mean_vectors(documents, vectors):
    """`documents` are lists of word ids; one without words is the zero vector."""
    means = np.zeros((len(documents), vectors.shape[1]))
    for mean, document in zip(means, documents, strict=True):
        for word in document:
            mean += vectors[word] / len(document)
    return means


def lay_out(documents, padding, window):
    """The distinct words as they first occur, and the number of the word in each place."""
    stream = [padding] * (window - 1)
    for document in documents:
        stream += [*document, *[padding] * (window - 1)]
    words = list(dict.fromkeys(stream))
    return words, [words.index(word) for word in stream]


def convolution_windows(products, places, begin, end):
    """What each map is in the windows that begin at `begin` to `end` − 1: (windows, maps)."""
    window = products.shape[1]
    return np.array(
        [sum(products[places[t + j], j] for j in range(window)) for t in range(begin, end)]
    )


def convolution_gradients(gradient, highest, places, vectors, filters):
    """The gradients of filters and of the batch's words; number 0, the padding word, has none."""
    documents, maps = gradient.shape
    of_filters, of_words = np.zeros_like(filters), np.zeros_like(vectors)
    for d in range(documents):
        for f in range(maps):
            for j in range(len(filters) // maps):
                word = places[highest[d, f] + j]
                of_filters[j * maps + f] += gradient[d, f] * vectors[word]
                if word:
                    of_words[word] += gradient[d, f] * filters[j * maps + f]
    return of_filters, of_words


def convolution_scores(documents, vectors, filters, biases, output, intercepts, window, kept):
    """Of documents, lists of word ids. The rows of `filters` are the maps, place by place.

    `kept` says how much each feature of each document counts.
    """
    maps, scores = len(biases), []
    for document, counts in zip(documents, kept, strict=True):
        padding = [np.zeros(vectors.shape[1])] * (window - 1)
        stream = [*padding, *(vectors[word] for word in document), *padding]
        features = np.zeros(maps)
        for t in range(len(stream) - window + 1):
            values = biases.copy()
            for j in range(window):
                values += filters[j * maps : (j + 1) * maps] @ stream[t + j]
            features = np.maximum(features, values)
        scores.append((counts * features) @ output + intercepts)
    return np.array(scores)


def mean_cross_entropy(scores, labels):
    return np.mean(
        [np.log(np.exp(row).sum()) - row[c] for row, c in zip(scores, labels, strict=True)]
    )


def adadelta(value, squares, steps, gradient, decay=0.95, epsilon=1e-6):
    """The value after a step at rate 1, and the two running averages (Zeiler, algorithm 1)."""
    squares = decay * squares + (1 - decay) * gradient**2
    step = -np.sqrt(steps + epsilon) / np.sqrt(squares + epsilon) * gradient
    return value + step, squares, decay * steps + (1 - decay) * step**2


def draw_windows(documents, window, state):
    """The next state and (neighbour, centre), for a window of random reach at each place."""
    pairs = []
    for document in documents:
        for i, centre in enumerate(document):
            state, bits = next_random(state)
            reach = cell(bits, window)[0] + 1
            pairs += [
                (document[j], centre)
                for j in range(len(document))
                if j != i and abs(j - i) <= reach
            ]
    return state, pairs


def context_of(document, place, reach):
    """The words around a place."""
    around = [place + step for step in range(-reach, reach + 1) if step]
    return [document[i] for i in around if 0 <= i < len(document)]


def paragraph_step(tables, d, context, rows, rate, kind):
    """One step of a mean; each member moves as the mean does."""
    documents, words, target = tables
    members = [documents[d], *(words[word] for word in context)]
    source = sum(members) / len(members)
    rows = [rows[0]] + [row for row in rows[1:] if row != rows[0]]
    steps = ascents([float(source @ target[row]) for row in rows], rows, rate)
    if kind.frozen:
        step = sum(g * target[row] for g, row in zip(steps, rows, strict=True))
    else:
        moved = source[None].copy()
        move(moved, 0, target, rows, steps)
        step = moved[0] - source
    documents[d] += step
    if not kind.frozen:
        for word in context:
            words[word] += step


class Kind(NamedTuple):
    """How far windows reach, and what moves; `together` places draw their numbers at a time."""

    window: int
    negatives: int
    together: int
    frozen: bool


def train_paragraphs(texts, passes, tables, noise, kind, schedule, state):
    """Every place of every document in turn; `tables` are documents, words and targets."""
    first, total, start_rate = schedule
    places = [
        (d, i) for _ in range(passes) for d, text in enumerate(texts) for i in range(len(text))
    ]
    for begin in range(0, len(places), kind.together):
        chunk, reaches = places[begin : begin + kind.together], []
        for _ in chunk:
            state, bits = next_random(state)
            reaches.append(cell(bits, kind.window)[0] + 1 if kind.window else 0)
        for t, ((d, place), reach) in enumerate(zip(chunk, reaches, strict=True), first + begin):
            state, drawn = draw_negatives(noise, kind.negatives, state)
            context = context_of(texts[d], place, reach)
            rate = learning_rate(t, total, start_rate)
            paragraph_step(tables, d, context, [texts[d][place], *drawn], rate, kind)


def scores_of_several(truth, predicted):
    """Micro- and macro-F1 of rows of booleans, one for each class, as shares."""
    counts = []
    for each in range(len(truth[0])):
        pairs = [(t[each], p[each]) for t, p in zip(truth, predicted, strict=True)]
        right = sum(1 for t, p in pairs if t and p)
        wrong = sum(1 for t, p in pairs if t != p)
        counts.append((right, wrong))

    def f1(right, wrong):
        return 2 * right / (2 * right + wrong) if right else 0.0

    macro = sum(f1(*each) for each in counts) / len(counts)
    return f1(sum(right for right, _ in counts), sum(wrong for _, wrong in counts)), macro


def log_count_ratios(rows, inside):
    """log p(feature | class) / p(feature | rest), where each feature is counted once more."""
    shares = {}
    for side in (True, False):
        part = [row for row, member in zip(rows, inside, strict=True) if member == side]
        sums = [1 + sum(column) for column in zip(*part, strict=True)]
        shares[side] = [each / sum(sums) for each in sums]
    return [math.log(a / b) for a, b in zip(shares[True], shares[False], strict=True)]


def logistic_gradient(rows, inside, weights, c):
    """The gradient of C Σ log(1 + exp(−y w·x)) + |w|² / 2, y = 1 inside and −1 elsewhere."""
    gradient = [float(w) for w in weights]
    for row, is_inside in zip(rows, inside, strict=True):
        y = 1 if is_inside else -1
        wrong = 1 / (1 + math.exp(y * sum(w * x for w, x in zip(weights, row, strict=True))))
        for j, x in enumerate(row):
            gradient[j] -= c * y * x * wrong
    return gradient


def logistic_regression(rows, inside, c, steps=4000):
    """Weights by gradient descent, with a step that no curvature makes diverge."""
    weights = [0.0] * len(rows[0])
    step = 1 / (1 + c * sum(x * x for row in rows for x in row) / 4)
    for _ in range(steps):
        gradient = logistic_gradient(rows, inside, weights, c)
        weights = [w - step * g for w, g in zip(weights, gradient, strict=True)]
    return weights
