"""The vector code against its plain twins, which say what it computes, and against the formulas."""

import naive
import numpy as np
import pytest
from made import compiled, normal_table

from pte.core import arrays, vector

NEGATIVES = (0, 1, 5, 15, 16, 20)  # fewer and more than a register holds, and their remainders
DIMS = [5, 16, 100, 400]
ROWS = 6


def both(name):
    """A test runs with the vector code and with the twin."""
    runs = [compiled(name), vector.TWINS[name]]
    return pytest.mark.parametrize("run", runs, ids=["vector", "plain"])


def listed(negatives):
    """Three lists of K + 1 out of 6 rows, of which some come twice."""
    return np.random.default_rng(negatives).integers(0, ROWS, (3, negatives + 1)).astype(np.int32)


def lengths(dim):
    """All lines of a row, and some of them."""
    n = -(-dim // arrays.LANES)
    return sorted({n, n // 2, n - n // 4})


@pytest.mark.parametrize("negatives", NEGATIVES)
@both("products")
def test_products_are_inner_products_over_the_first_lines(run, negatives):
    rows = listed(negatives)
    for dim in DIMS:
        source, target = normal_table(3, dim, 1), normal_table(ROWS, dim, 2)
        for n_lines in lengths(dim):
            out = normal_table(2, negatives + 1, 3)
            untouched = out[0].copy()
            run(source, target, rows, out, (2, 1, 1), tuple(range(negatives + 1)), n_lines)
            part = slice(n_lines * arrays.LANES)
            expected = target[rows[1], part].astype(float) @ source[2, part].astype(float)
            np.testing.assert_allclose(out[1, : negatives + 1], expected, rtol=1e-5, atol=1e-4)
            assert not out[1, negatives + 1 :].any()
            assert (out[0] == untouched).all()


@pytest.mark.parametrize(
    ("m", "negatives"),
    [*[(1, n) for n in NEGATIVES], (3, 2), (3, 13), (8, 8), (8, 16), (18, 0), (18, 5)],
)
@both("ascents")
def test_ascents_are_those_of_the_twin(run, negatives, m):
    n = m + negatives
    slots, members, rows = tuple(range(n)), tuple(range(m)), listed(n - 1)
    rates = np.float32(0.25), np.float32(0.375)
    large = [0, 0.5, -0.5, 3, -3, 12, -12, 30, -30, 80, -80, 700, -700, 1e4, -1e4, 1e30, -1e30]
    for shift in range(len(large)):
        products = np.resize(np.roll(large, shift), n).astype(np.float32)
        out = arrays.zeros(2, n)
        out[:, :n] = products
        run(rows, 2, out, 1, rates, slots, members)
        clipped = np.clip(products, -600, 600).tolist()
        expected = naive.ascents(clipped, rows[2].tolist(), 0.25, m, 1.5)
        np.testing.assert_allclose(out[1, :n], expected, rtol=0, atol=1e-7)
        assert not out[1, n:].any()
        assert (out[0, :n] == products).all()


@both("ascents")
def test_sigmoid_is_close_to_the_twin_over_its_whole_range(run):
    """The second slot is −rate · σ(x), so that nothing is cancelled."""
    rows = np.array([[0, 1]], np.int32)
    for x in np.linspace(-40, 40, 2001, dtype=np.float32):
        out = arrays.zeros(1, 2)
        out[0, 1] = x
        run(rows, 0, out, 0, (np.float32(1), np.float32(1)), (0, 1), (0,))
        assert -out[0, 1] == pytest.approx(naive.sigmoid(float(x)), rel=2e-6)


@pytest.mark.parametrize("negatives", NEGATIVES)
@both("move")
def test_move_is_close_to_the_twin(run, negatives):
    rows = listed(negatives)
    steps = normal_table(2, negatives + 1, 4) / 10
    out = arrays.zeros(2, negatives + 1)
    out[:] = steps
    for dim in DIMS:
        for n_lines in lengths(dim):
            part = slice(n_lines * arrays.LANES)
            source, target = normal_table(3, dim, 1), normal_table(ROWS, dim, 2)
            expected_source, expected_target = source.astype(float), target.astype(float)
            parts = expected_source[:, part], expected_target[:, part]
            given = steps[1, : negatives + 1].astype(float)
            naive.move(parts[0], 2, parts[1], rows[1].tolist(), given)
            run(source, target, rows, out, (2, 1, 1), tuple(range(negatives + 1)), n_lines)
            np.testing.assert_allclose(source, expected_source, rtol=1e-4, atol=1e-5)
            np.testing.assert_allclose(target, expected_target, rtol=1e-4, atol=1e-5)


def alike(name, made, *given):
    """Both write the same into a table."""
    found, expected = arrays.zeros(*made.shape), made.copy()
    found[:] = made
    compiled(name)(found, *given)
    vector.TWINS[name](expected, *given)
    assert (expected != made).any()
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("dim", [20, 100, 400])
def test_listed_rows_are_summed_moved_and_traded_as_by_the_twins(dim):
    rows, lines = np.array([4, 1, 4, 0]), tuple(range(-(-dim // arrays.LANES)))
    few, many = normal_table(2, dim, 1), normal_table(ROWS, dim, 2)
    for n in (1, 4):
        alike("sum_rows", few, 1, many, rows, n, lines)
        alike("move_rows", many, rows, n, few, 1, lines)
    alike("trade", many, 0, 3, 5, np.float32(0.5))


def test_prefetching_changes_nothing():
    table, array = normal_table(3, 100, 1), np.arange(5)
    compiled("prefetch")(table, 2, 0, tuple(range(7)))
    for given in ((array, 4), (table, 1)):
        compiled("prefetch_item")(*given)
    assert (table == normal_table(3, 100, 1)).all()
    assert array.tolist() == [0, 1, 2, 3, 4]
