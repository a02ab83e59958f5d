import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made import drawn, laid_out, normal_table

from pte.core import arrays, counting, edges, rng, words

STATES = st.integers(0, 2**64 - 1)
WEIGHTS = st.lists(st.floats(0, 1e6).map(lambda x: 0.0 if x < 1e-6 else x), min_size=1).filter(any)

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


# Alias tables


@given(WEIGHTS)
def test_alias_table_encodes_the_weights(weights):
    table = rng.build_alias(np.array(weights))
    expected = np.array(weights) / sum(weights)
    # Every cell rounds its share down by at most 2**-31.
    encoded = naive.encoded_distribution(table)
    np.testing.assert_allclose(encoded, expected, rtol=0, atol=2**-30)
    assert not encoded[expected == 0].any()


def test_the_smallest_random_number_does_not_draw_a_zero_weight():
    assert drawn(np.uint64(0), rng.build_alias(np.array([0.0, 1.0]))) == 1


@given(STATES, st.integers(1, 2**32 - 1))
def test_cells_are_exact(bits, n):
    found = rng.cell(np.uint64(bits), n)
    assert tuple(map(int, found)) == naive.cell(bits, n)


@given(WEIGHTS, st.data())
def test_owners_are_exact(weights, data):
    table = rng.build_alias(np.array(weights))
    cell = data.draw(st.integers(0, table.size - 1))
    share, _ = naive.share_and_other(table[cell])
    edge = {min(max(share + step, 0), 2**31 - 1) for step in (-1, 0, 1)}
    for fraction in (*edge, data.draw(st.integers(0, 2**31 - 1))):
        assert rng.owner(table, cell, fraction) == naive.owner(table, cell, fraction)


@pytest.mark.parametrize("n", [1, 2, 3, 1000, 1023, 65536])
def test_the_largest_random_number_draws_inside_the_table(n):
    assert 0 <= drawn(np.uint64(2**64 - 1), rng.build_alias(np.ones(n))) < n


# The step


@pytest.mark.parametrize("total", [1, 7, 1000, 10_000_000])
def test_learning_rate_falls_from_the_start_to_one_step_or_to_the_floor(total):
    assert edges.learning_rate(0, total, 0.025) == np.float32(0.025)
    expected = np.float32(0.025 * max(1 / total, 1e-4))
    assert edges.learning_rate(total - 1, total, 0.025) == expected


@given(st.integers(1, 10**9).flatmap(lambda n: st.tuples(st.integers(0, n - 1), st.just(n))))
def test_learning_rate_is_close_to_the_twin(moment):
    expected = naive.learning_rate(*moment, 0.025)
    assert edges.learning_rate(*moment, 0.025) == pytest.approx(expected, rel=1e-6)


def run_step(source, s, target, rows, rate):
    """A step on the second of three lists of rows."""
    lists = np.zeros((3, len(rows)), np.int32)
    lists[1] = rows
    slots = tuple(range(len(rows)))
    steps = normal_table(1, len(rows), 0)  # scratch space: whatever is in it
    both, rates = edges.Embedding(source, target), (np.float32(rate), np.float32(rate))
    edges.negative_sampling_step(both, s, lists, 1, rates, steps, slots, (0,))


@pytest.mark.parametrize(
    "rows",
    [[3], [3, 1, 4], [2, 5, 5, 1, 0], [2, 5, 2, 0], [1, 1], [4, *5 * [0, 4, 3, 1]]],
    ids=["no negative", "distinct", "repeated", "the positive", "nothing else", "many"],
)
@pytest.mark.parametrize("dim", [5, 100])
def test_negative_sampling_step_is_close_to_the_twin(dim, rows):
    source, target = normal_table(4, dim, 1), normal_table(6, dim, 2)
    source *= 0.3
    target *= 0.3
    expected_source, expected_target = source.astype(float), target.astype(float)
    naive.negative_sampling_step(expected_source, 2, expected_target, rows, 0.5)
    run_step(source, 2, target, rows, 0.5)
    np.testing.assert_allclose(source, expected_source, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(target, expected_target, rtol=1e-5, atol=1e-5)


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_step_does_not_hide_that_numbers_are_lost(bad):
    source, target = normal_table(2, 20, 1), normal_table(3, 20, 2)
    source[1, 7] = bad
    run_step(source, 1, target, [2, 0], 0.5)
    assert not np.isfinite(source[1, 7])
    assert not np.isfinite(target[2, 7])


# Tables


@pytest.mark.parametrize(("dim", "stride"), [(1, 16), (16, 16), (17, 32), (100, 112)])
def test_table_rows_start_on_cache_lines(dim, stride):
    for table in (arrays.zeros(7, dim), arrays.uniform(7, dim, np.random.default_rng(0))):
        assert table.shape == (7, stride)
        assert table.dtype == np.float32
        assert table.flags.c_contiguous
        assert [table[row].ctypes.data % arrays.CACHE_LINE for row in range(7)] == [0] * 7


def test_uniform_fills_its_range_and_no_padding():
    table = arrays.uniform(1000, 20, np.random.default_rng(0))
    assert not table[:, 20:].any()
    assert np.abs(table).max() <= 0.5 / 20
    assert table.min() < -0.49 / 20
    assert table.max() > 0.49 / 20
    assert abs(table[:, :20].mean()) < 0.001


# Counting

N_WORDS = 7
DOCUMENTS = st.lists(st.lists(st.integers(0, N_WORDS - 1), max_size=9), max_size=6)


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
    assert counting.count_pairs(*laid_out(documents), window, N_WORDS).tolist() == expected


@given(DOCUMENTS, st.integers(1, 12), st.sets(st.integers(0, N_WORDS - 1)), st.data())
def test_noted_pairs_are_those_of_the_twin(documents, window, long, data):
    first = data.draw(st.integers(0, N_WORDS))
    last = data.draw(st.integers(first, N_WORDS))
    rows = naive.larger_words(documents, window, N_WORDS)[first:last]
    long = {row for row in long if row < len(rows)}
    arrays = room(rows, long)
    counting.note_pairs(*laid_out(documents), window, first, last, *arrays)
    assert noted(*arrays, long) == unordered(rows, long)


@given(DOCUMENTS, st.data(), st.sets(st.integers(0, 3)))
def test_noted_tokens_are_those_of_the_twin(documents, data, long):
    labels = [data.draw(st.integers(0, 3)) for _ in documents]
    first = data.draw(st.integers(0, 4))
    last = data.draw(st.integers(first, 4))
    rows = naive.words_of_rows(documents, labels, 4)[first:last]
    long = {row for row in long if row < len(rows)}
    arrays = room(rows, long)
    of = np.array(labels, np.int64)
    counting.note_tokens(*laid_out(documents), of, first, last, *arrays)
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


@given(st.lists(st.integers(-(2**31), 2**31 - 1), max_size=200))
def test_numbers_are_sorted(numbers):
    array = np.array(numbers, np.int32)
    counting.sort(array)
    assert array.tolist() == sorted(numbers)


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


@given(
    st.lists(st.sampled_from(["é", "ß", "한", "😀", "\u0301", "aB"]).map(str.encode) | st.binary())
)
def test_characters_are_folded_one_by_one(parts):
    """Composed characters of any length, and bytes that are no UTF-8."""
    ends = np.minimum(np.arange(0x110001), 0x80).astype(np.int32)
    ends[ord("ß") + 1 :] += 2
    kinds = np.zeros(0x110000, np.uint8)
    kinds[[0x301, ord("é")]] = words.COMPOSES, words.MARK
    letters = np.frombuffer(bytes(range(0x80)) + b"ss", np.uint8)
    text = b"".join(parts)
    found, seen = words.fold_characters(
        np.frombuffer(text, np.uint8), words.Folding(ends, letters, kinds)
    )
    characters = text.decode("utf-8", "surrogateescape")
    spelled = (
        c if c < "\x80" else "ss" if c == "ß" else "\n" * ("\udc80" <= c <= "\udcff")
        for c in characters
    )
    assert found.tobytes().decode() == "".join(spelled)
    assert seen == words.COMPOSES * ("\u0301" in characters) + words.MARK * ("é" in characters)


@given(st.text(st.sampled_from("ab\n看电影́é")))
def test_runs_without_spaces_become_characters_and_pairs(text):
    kinds = np.zeros(0x110000, np.uint8)
    kinds[[ord(c) for c in "看电影"]] = words.UNCUT
    kinds[0x301] = words.MARK
    found = words.pair_characters(np.frombuffer(text.encode(), np.uint8), kinds)
    expected = [token for word in text.split("\n") for token in naive.with_pairs(word)]
    assert [each for each in found.tobytes().decode().split("\n") if each] == expected


@given(st.text(st.sampled_from("ab\n看\u0301\ufe0f\u20e3")))
def test_words_of_marks_alone_and_loose_marks_at_their_begin_are_dropped(text):
    kinds = np.zeros(0x110000, np.uint8)
    kinds[[0x301, 0xFE0F, 0x20E3]] = words.MARK
    kinds[[0xFE0F, 0x20E3]] |= words.LOOSE
    found = words.drop_loose_marks(np.frombuffer(text.encode(), np.uint8), kinds)
    expected = map(naive.without_loose_marks, text.split("\n"))
    assert found.tobytes().decode().split("\n") == [*expected]


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
