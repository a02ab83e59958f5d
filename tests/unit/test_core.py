import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from pte.core import alias, counting, edges, pairs, rng, step, tables, vector, words

STATES = st.integers(0, 2**64 - 1)
WEIGHTS = st.lists(st.floats(0, 1e6).map(lambda x: 0.0 if x < 1e-6 else x), min_size=1).filter(any)

# The vector operations exist only inside compiled code.


@njit
def run_dot(source, s, target, t):
    return vector.dot(source, s, target, t)


@njit
def run_update(source, s, target, rows, gradients, n):
    vector.update(source, s, target, rows, gradients, n)


@njit
def run_prefetch(table, row):
    vector.prefetch(table, row)


def filled(rows, dim, seed):
    """An aligned table of standard normal numbers in its first `dim` columns."""
    table = tables.zeros(rows, dim)
    table[:, :dim] = np.random.default_rng(seed).standard_normal((rows, dim))
    return table


# Random numbers


@given(STATES)
def test_mix_and_next_random_are_exact(state):
    assert int(rng.mix(np.uint64(state))) == naive.mix(state)
    following, bits = rng.next_random(np.uint64(state))
    assert (int(following), int(bits)) == naive.next_random(state)


def test_first_splitmix64_output_of_state_zero_is_the_published_one():
    assert int(rng.next_random(np.uint64(0))[1]) == 0xE220A8397B1DCDAF


@given(st.integers(0, 2**62), st.integers(0, 2**40))
def test_stream_starts_are_exact(seed, index):
    assert int(rng.stream(seed, index)) == naive.stream(seed, index)


@given(STATES)
def test_unit_is_exact(bits):
    assert rng.unit(np.uint64(bits)) == naive.unit(bits)


def test_unit_ends_below_one():
    assert rng.unit(np.uint64(0)) == 0
    assert rng.unit(np.uint64(2**64 - 1)) == 1 - 2**-53


# Alias tables


@given(WEIGHTS)
def test_alias_table_encodes_the_weights(weights):
    table = alias.build_alias(np.array(weights))
    expected = np.array(weights) / sum(weights)
    # Every cell rounds its share down by at most 2**-31.
    np.testing.assert_allclose(naive.encoded_distribution(table), expected, rtol=0, atol=2**-30)


@given(WEIGHTS)
def test_alias_table_gives_no_share_to_a_zero_weight(weights):
    encoded = naive.encoded_distribution(alias.build_alias(np.array(weights)))
    assert not encoded[np.array(weights) == 0].any()


def test_the_smallest_random_number_does_not_draw_a_zero_weight():
    assert alias.draw(np.uint64(0), alias.build_alias(np.array([0.0, 1.0]))) == 1


def test_alias_table_of_one_entry_always_draws_it():
    table = alias.build_alias(np.array([3.0]))
    assert {int(alias.draw(bits, table)) for bits in naive.random_bits(0, 50)} == {0}


def test_building_an_alias_table_leaves_the_weights_alone():
    weights = np.array([1.0, 5.0, 0.5])
    alias.build_alias(weights)
    assert weights.tolist() == [1.0, 5.0, 0.5]


@pytest.mark.parametrize("n", [1, 2, 3, 10, 1000])
def test_alias_draws_are_those_of_the_twin(n):
    table = alias.build_alias(np.random.default_rng(n).random(n) ** 4)
    for bits in naive.random_bits(n, 500):
        assert alias.draw(bits, table) == naive.draw(int(bits), table)


@pytest.mark.parametrize("n", [1, 2, 3, 1000, 1023, 65536])
def test_the_largest_random_number_draws_inside_the_table(n):
    assert 0 <= alias.draw(np.uint64(2**64 - 1), alias.build_alias(np.ones(n))) < n


# The step


@given(st.floats(-80, 80, width=32))
def test_sigmoid_is_close_to_the_twin(x):
    assert step.sigmoid(np.float32(x)) == pytest.approx(naive.sigmoid(x), rel=1e-6)


def test_sigmoid_saturates():
    assert step.sigmoid(np.float32(-200)) == 0
    assert step.sigmoid(np.float32(200)) == 1


@pytest.mark.parametrize("total", [1, 7, 1000, 10_000_000])
def test_learning_rate_starts_at_the_start(total):
    assert step.learning_rate(0, total, 0.025) == np.float32(0.025)


@pytest.mark.parametrize("total", [1, 7, 1000, 10_000_000])
def test_learning_rate_ends_at_one_step_or_at_the_floor(total):
    expected = np.float32(0.025 * max(1 / total, 1e-4))
    assert step.learning_rate(total - 1, total, 0.025) == expected


@given(st.integers(1, 10**9).flatmap(lambda n: st.tuples(st.integers(0, n - 1), st.just(n))))
def test_learning_rate_is_close_to_the_twin(moment):
    expected = naive.learning_rate(*moment, 0.025)
    assert step.learning_rate(*moment, 0.025) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("rows", [[3], [3, 1, 4], [2, 5, 5, 2, 0]])
@pytest.mark.parametrize("dim", [5, 100])
def test_negative_sampling_step_is_close_to_the_twin(dim, rows):
    source, target = 0.3 * filled(4, dim, 1), 0.3 * filled(6, dim, 2)
    expected_source, expected_target = source.astype(float), target.astype(float)
    naive.negative_sampling_step(expected_source, 2, expected_target, rows, 0.5)
    aligned_source, aligned_target = tables.zeros(4, dim), tables.zeros(6, dim)
    aligned_source[:], aligned_target[:] = source, target
    step.negative_sampling_step(
        aligned_source,
        2,
        aligned_target,
        np.array([*rows, 1, 1]),  # rows past n are not touched
        len(rows),
        np.float32(0.5),
        np.empty(len(rows), np.float32),
    )
    np.testing.assert_allclose(aligned_source, expected_source, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(aligned_target, expected_target, rtol=1e-5, atol=1e-6)


# The vector code and its plain twins


@pytest.mark.parametrize("dim", [1, 16, 17, 100, 128])
def test_dot_is_close_to_both_twins(dim):
    source, target = filled(3, dim, 1), filled(4, dim, 2)
    found = run_dot(source, 2, target, 3)
    exact = float(source[2].astype(float) @ target[3].astype(float))
    assert found == pytest.approx(exact, abs=1e-4)
    assert vector.plain_dot(source, 2, target, 3) == pytest.approx(exact, abs=1e-4)


@pytest.mark.parametrize("dim", [1, 16, 17, 100, 128])
@pytest.mark.parametrize("rows", [[4], [0, 3, 1], [2, 2], [1, 4, 1, 1]])
def test_update_is_close_to_both_twins(rows, dim):
    gradients = np.linspace(-0.7, 0.9, len(rows) + 1, dtype=np.float32)  # one more than is used
    listed = np.array([*rows, 0])
    expected_source, expected_target = (filled(n, dim, n).astype(float) for n in (3, 5))
    naive.update(expected_source, 1, expected_target, rows, gradients[:-1].astype(float))
    for update in (run_update, vector.plain_update):
        source, target = filled(3, dim, 3), filled(5, dim, 5)
        update(source, 1, target, listed, gradients, len(rows))
        np.testing.assert_allclose(source, expected_source, rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(target, expected_target, rtol=1e-5, atol=1e-5)


def test_update_of_no_rows_changes_nothing():
    source, target = filled(2, 20, 1), filled(2, 20, 2)
    run_update(source, 0, target, np.array([1]), np.ones(1, np.float32), 0)
    assert (source == filled(2, 20, 1)).all()
    assert (target == filled(2, 20, 2)).all()


def test_prefetch_changes_nothing():
    table = filled(3, 100, 1)
    run_prefetch(table, 2)
    assert (table == filled(3, 100, 1)).all()


# Tables


@pytest.mark.parametrize(("dim", "stride"), [(1, 16), (16, 16), (17, 32), (100, 112)])
def test_table_rows_start_on_cache_lines(dim, stride):
    for table in (tables.zeros(7, dim), tables.uniform(7, dim, np.random.default_rng(0))):
        assert table.shape == (7, stride)
        assert table.dtype == np.float32
        assert table.flags.c_contiguous
        assert [table[row].ctypes.data % tables.CACHE_LINE for row in range(7)] == [0] * 7


def test_zeros_are_zero():
    assert not tables.zeros(50, 20).any()


def test_uniform_fills_its_range_and_no_padding():
    table = tables.uniform(1000, 20, np.random.default_rng(0))
    assert not table[:, 20:].any()
    assert np.abs(table).max() <= 0.5 / 20
    assert table.min() < -0.49 / 20
    assert table.max() > 0.49 / 20
    assert abs(table[:, :20].mean()) < 0.001


# Edge sampling


@pytest.fixture(scope="module")
def toy_networks():
    """Two networks over 6 words: sources 0–3 of the first, 4–5 of the second, and alias tables."""
    random = np.random.default_rng(5)
    made = []
    for low, high, n in ((0, 4, 9), (4, 6, 5), (2, 5, 4)):
        ends = np.stack([random.integers(low, high, n), random.integers(0, 6, n)], 1)
        weights, noise = random.random(n) + 0.1, random.random(6) ** 2
        made.append((ends.astype(np.int32), alias.build_alias(weights), alias.build_alias(noise)))
    return made


def train(networks, source, target, negatives, first, count, total, rate, seed, block):
    edges.train_block(
        source,
        target,
        np.concatenate([ends for ends, _, _ in networks]),
        np.concatenate([table for _, table, _ in networks]),
        np.cumsum([0] + [len(table) for _, table, _ in networks]),
        np.concatenate([noise for _, _, noise in networks]),
        np.cumsum([0] + [len(noise) for _, _, noise in networks]),
        negatives,
        first,
        count,
        total,
        rate,
        seed,
        block,
    )


def test_edge_draws_are_those_of_the_twin(toy_networks):
    ends, table, _ = toy_networks[0]
    state = naive.stream(1, 0)
    for _ in range(300):
        found = edges.draw_edge(np.uint64(state), ends, table)
        state, source, target = naive.draw_edge(state, ends, table)
        assert tuple(map(int, found)) == (state, source, target)


@pytest.mark.parametrize("negatives", [0, 1, 5])
def test_negatives_are_those_of_the_twin(toy_networks, negatives):
    noise = toy_networks[0][2]
    state = naive.stream(2, 0)
    for positive in list(range(6)) * 20:
        rows = np.full(negatives + 1, positive)
        found, n = edges.draw_negatives(np.uint64(state), noise, negatives, rows)
        state, expected = naive.draw_negatives(state, noise, negatives, positive)
        assert (int(found), rows[:n].tolist()) == (state, expected)


@pytest.mark.parametrize("n_networks", [1, 2, 3])
@pytest.mark.parametrize(("first", "count"), [(0, 100), (37, 63), (95, 5)])
def test_train_block_is_close_to_the_twin(toy_networks, n_networks, first, count):
    networks = toy_networks[:n_networks]
    source, target = filled(6, 20, 1), filled(6, 20, 2)
    expected_source, expected_target = source.astype(float), target.astype(float)
    train(networks, source, target, 3, first, count, 100, 0.1, 9, 4)
    naive.train_block(
        expected_source, expected_target, networks, 3, first, count, 100, 0.1, 9, 4, edges.AHEAD
    )
    np.testing.assert_allclose(source, expected_source, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(target, expected_target, rtol=1e-4, atol=1e-4)


def test_train_block_keeps_the_padding_zero(toy_networks):
    source, target = filled(6, 20, 1), filled(6, 20, 2)
    train(toy_networks, source, target, 5, 0, 500, 500, 0.5, 1, 0)
    assert (source != filled(6, 20, 1)).any()
    assert not source[:, 20:].any()
    assert not target[:, 20:].any()


def test_train_block_of_no_draws_changes_nothing(toy_networks):
    source, target = filled(6, 20, 1), filled(6, 20, 2)
    train(toy_networks, source, target, 5, 0, 0, 500, 0.5, 1, 0)
    assert (source == filled(6, 20, 1)).all()
    assert (target == filled(6, 20, 2)).all()


def test_train_block_moves_no_row_that_has_no_edge(toy_networks):
    source, target = filled(6, 20, 1), filled(6, 20, 2)
    train(toy_networks[:1], source, target, 2, 0, 200, 200, 0.5, 1, 0)
    assert (source[4:] == filled(6, 20, 1)[4:]).all()


def test_blocks_of_one_seed_draw_differently(toy_networks):
    results = []
    for block in (0, 1):
        source, target = filled(6, 20, 1), filled(6, 20, 2)
        train(toy_networks, source, target, 2, 0, 50, 100, 0.1, 1, block)
        results.append(target)
    assert (results[0] != results[1]).any()


# Counting

N_WORDS = 7
DOCUMENTS = st.lists(st.lists(st.integers(0, N_WORDS - 1), max_size=9), max_size=6)


def stored(documents):
    """Tokens with one that belongs to no document between any two, and where documents lie."""
    tokens, bounds = [0], []
    for document in documents:
        bounds.append((len(tokens), len(tokens) + len(document)))
        tokens += [*document, 0]
    return np.array(tokens, np.int32), np.array(bounds, np.int64).reshape(-1, 2)


def room(rows, long):
    """Place, slots and counts for rows of which those in `long` have counters."""
    order = sorted(long)
    short = [0 if row in long else len(words) for row, words in enumerate(rows)]
    place = [~order.index(row) if row in long else sum(short[:row]) for row in range(len(rows))]
    slots, counts = np.full(sum(short), -1, np.int32), np.zeros((len(long) + 1, N_WORDS), np.int64)
    return np.array(place, np.int64), slots, counts


def noted(place, slots, counts, long):
    """What `note` left, as lists; of a long row only the order is lost."""
    found, begin = [], 0
    for row, end in enumerate(place.tolist()):
        if row in long:
            found.append([w for w, n in enumerate(counts[~end].tolist()) for _ in range(n)])
        else:
            found.append(slots[begin:end].tolist())
            begin = end
    return found


def unordered(rows, long):
    return [sorted(words) if row in long else words for row, words in enumerate(rows)]


@given(DOCUMENTS, st.integers(1, 12))
def test_counted_pairs_are_those_of_the_twin(documents, window):
    expected = [len(words) for words in naive.larger_words(documents, window, N_WORDS)]
    assert pairs.count_pairs(*stored(documents), window, N_WORDS).tolist() == expected


@given(DOCUMENTS, st.integers(1, 12), st.sets(st.integers(0, N_WORDS - 1)), st.data())
def test_noted_pairs_are_those_of_the_twin(documents, window, long, data):
    first = data.draw(st.integers(0, N_WORDS))
    last = data.draw(st.integers(first, N_WORDS))
    rows = naive.larger_words(documents, window, N_WORDS)[first:last]
    long = {row for row in long if row < len(rows)}
    arrays = room(rows, long)
    pairs.note_pairs(*stored(documents), window, first, last, *arrays)
    assert noted(*arrays, long) == unordered(rows, long)


@given(
    st.lists(st.tuples(st.lists(st.integers(0, N_WORDS - 1), max_size=9), st.integers(0, 3))),
    st.sets(st.integers(0, 3)),
    st.data(),
)
def test_noted_tokens_are_those_of_the_twin(labelled, long, data):
    documents, labels = [d for d, _ in labelled], [label for _, label in labelled]
    first = data.draw(st.integers(0, 4))
    last = data.draw(st.integers(first, 4))
    rows = naive.words_of_rows(documents, labels, 4)[first:last]
    long = {row for row in long if row < len(rows)}
    arrays = room(rows, long)
    of = np.array(labels, np.int64)
    counting.note_tokens(*stored(documents), of, first, last, *arrays)
    assert noted(*arrays, long) == unordered(rows, long)


@given(DOCUMENTS, st.sets(st.integers(0, 5)))
def test_collected_edges_are_those_of_the_twin(rows, long):
    long = {row for row in long if row < len(rows)}
    place, slots, counts = room(rows, long)
    for row, listed in enumerate(rows):
        for word in listed:
            counting.note(row, word, place, slots, counts)
    assert noted(place, slots, counts, long) == unordered(rows, long)
    size = sum(map(len, rows))
    edges = np.empty(len(rows), np.int64)
    target, weight = np.empty(size, np.int32), np.empty(size, np.float32)
    n = counting.collect(place, slots, counts, edges, target, weight)
    expected = naive.counted(rows)
    assert edges.tolist() == [len(row) for row in expected]
    flat = [edge for row in expected for edge in row]
    assert list(zip(target[:n].tolist(), weight[:n].tolist(), strict=True)) == flat
    assert not counts[-1].any()


def test_a_count_may_need_more_than_32_bits():
    place, counts = np.array([-1]), np.array([[2**32 - 1, 0], [0, 0]])
    counting.note(0, 0, place, np.empty(0, np.int32), counts)
    edges, target, weight = np.empty(1, np.int64), np.empty(2, np.int32), np.empty(2, np.float32)
    assert counting.collect(place, np.empty(0, np.int32), counts, edges, target, weight) == 1
    assert weight[0] == 2**32


# Words

TABLE = np.frombuffer(bytes.maketrans(b" A", b"\na"), np.uint8)


@given(st.lists(st.sampled_from(b" A\n\x00\xff") | st.integers(0, 255)).map(bytes))
def test_tokens_are_the_runs_between_separators(text):
    found = words.find_tokens(np.frombuffer(text + b"\n", np.uint8), TABLE)
    spelled = found.letters.tobytes()
    tokens = [spelled[a:b] for a, b in zip(found.starts, found.stops, strict=True)]
    assert tokens == [run for run in text.translate(TABLE.tobytes()).split(b"\n") if run]
    assert found.codes.tolist() == [naive.fnv1a(token) for token in tokens]


def test_hashes_are_the_published_ones():
    codes = words.find_tokens(np.frombuffer(b"a foobar ", np.uint8), TABLE).codes
    assert codes.tolist() == [0xAF63DC4C8601EC8C, 0x85944171F73967E8]


def empty_words(capacity):
    return words.Words(
        np.full(2 * capacity, -1, np.int32),
        np.zeros(capacity, np.uint64),
        np.zeros(capacity + 1, np.int64),
        np.zeros(100, np.uint8),
    )


def test_words_with_equal_hashes_are_told_apart_by_their_bytes():
    found = words.find_tokens(np.frombuffer(b"ab ba ab b ba ", np.uint8), TABLE)
    found = found._replace(codes=np.zeros(5, np.uint64))
    numbers = np.zeros(5, np.int32)
    assert words.number_tokens(found, 0, empty_words(4), 0, numbers) == (5, 3)
    assert numbers.tolist() == [0, 1, 0, 2, 1]


def test_numbering_stops_where_there_is_no_room_and_goes_on_with_more():
    found = words.find_tokens(np.frombuffer(b"a b a c b d ", np.uint8), TABLE)
    small, large = empty_words(2), empty_words(4)
    numbers = np.zeros(6, np.int32)
    done, size = words.number_tokens(found, 0, small, 0, numbers)
    assert (done, size) == (3, 2)
    for name in ("codes", "ends", "letters"):
        part = getattr(small, name)
        getattr(large, name)[: part.size] = part
    words.fill_slots(large.slots, large.codes, size)
    assert words.number_tokens(found, done, large, size, numbers) == (6, 4)
    assert numbers.tolist() == [0, 1, 0, 2, 1, 3]


def test_words_are_counted_in_the_documents_that_count():
    counts = np.zeros(3, np.int64)
    tokens, offsets = np.array([0, 1, 2, 2, 1], np.int32), np.array([0, 2, 2, 4, 5])
    words.count_words(tokens, offsets, np.array([True, True, False, True]), counts)
    assert counts.tolist() == [1, 2, 0]
