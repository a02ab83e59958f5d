import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from pte.core import alias, edges, rng, step, tables, vector, windows, words

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


# Windows


@given(st.lists(st.lists(st.integers(0, 6), max_size=9), max_size=6), st.integers(1, 12))
def test_window_pairs_are_those_of_the_twin(documents, window):
    tokens = np.array([word for document in documents for word in document], np.int32)
    offsets = np.cumsum([0] + [len(document) for document in documents])
    expected = [
        min(pair) * 7 + max(pair)
        for document in documents
        for pair in naive.window_pairs(document, window)
    ]
    assert windows.count_window_pairs(offsets, window) == len(expected)
    assert sorted(windows.window_pairs(tokens, offsets, window, 7).tolist()) == sorted(expected)


def test_window_pair_keys_need_more_than_32_bits():
    tokens, offsets = np.array([99_998, 99_999], np.int32), np.array([0, 2])
    keys = windows.window_pairs(tokens, offsets, 5, 100_000)
    assert keys.tolist() == [99_998 * 100_000 + 99_999]


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
