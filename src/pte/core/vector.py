"""The machine-near part: row products and updates as explicit vector instructions.

Each operation has a plain-loop twin. The twins define what is computed; they run where numba's
compiler is switched off, and the tests hold the vector code against them.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic

from pte.core.tables import CACHE_LINE, LANES
from pte.core.types import Float32Array, IntArray, Table

_VECTOR = ir.VectorType(ir.FloatType(), LANES)
_FLAGS = ("contract", "reassoc", "nsz")


def plain_dot(source: Table, s: int, target: Table, t: int) -> np.float32:
    """The inner product of row `s` of `source` and row `t` of `target`."""
    return np.float32(np.dot(source[s], target[t]))


def plain_update(
    source: Table, s: int, target: Table, rows: IntArray, gradients: Float32Array, n: int
) -> None:
    """Move row `s` of `source` against the first `n` rows listed in `rows`, and them against it.

    w ← w + g·u for each listed row w with its gradient g; u ← u + Σ g·w with each w as it was just
    before its own move. A row listed twice is moved twice.
    """
    before = source[s].copy()
    for k in range(n):
        source[s] += gradients[k] * target[rows[k]]
        target[rows[k]] += gradients[k] * before


def plain_prefetch(table: Table, row: int) -> None:
    """Ask for a row to be brought into the cache: without a compiler, nothing."""


def _row(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> tuple[Any, Any]:
    """Pointer to the first vector of a row, and the number of vectors in a row."""
    view = context.make_array(kind)(context, builder, array)
    zero = context.get_constant(types.intp, 0)
    pointer = cgutils.get_item_pointer(context, builder, kind, view, [index, zero])
    columns = cgutils.unpack_tuple(builder, view.shape, 2)[1]
    vectors = builder.udiv(columns, context.get_constant(types.intp, LANES))
    return builder.bitcast(pointer, _VECTOR.as_pointer()), vectors


def _item(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    """One item of a one-dimensional array."""
    view = context.make_array(kind)(context, builder, array)
    return builder.load(cgutils.get_item_pointer(context, builder, kind, view, [index]))


def _splat(builder: Any, scalar: Any) -> Any:
    """A vector with `scalar` in every lane."""
    lane = ir.IntType(32)
    undefined = ir.Constant(_VECTOR, ir.Undefined)
    first = builder.insert_element(undefined, scalar, ir.Constant(lane, 0))
    everywhere = ir.Constant(ir.VectorType(lane, LANES), [0] * LANES)
    return builder.shuffle_vector(first, undefined, everywhere)


def _multiply_add(builder: Any, a: Any, b: Any, c: Any) -> Any:
    """a·b + c, which LLVM contracts to one instruction."""
    return builder.fadd(builder.fmul(a, b, flags=_FLAGS), c, flags=_FLAGS)


def _compile_dot(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    left, vectors = _row(context, builder, signature.args[0], args[0], args[1])
    right, _ = _row(context, builder, signature.args[2], args[2], args[3])
    total = cgutils.alloca_once(builder, _VECTOR)
    builder.store(ir.Constant(_VECTOR, [0.0] * LANES), total)
    with cgutils.for_range(builder, vectors, intp=vectors.type) as loop:
        a = builder.load(builder.gep(left, [loop.index]), align=CACHE_LINE)
        b = builder.load(builder.gep(right, [loop.index]), align=CACHE_LINE)
        builder.store(_multiply_add(builder, a, b, builder.load(total)), total)
    real = ir.FloatType()
    reduce = cgutils.get_or_insert_function(
        builder.module,
        ir.FunctionType(real, [real, _VECTOR]),
        f"llvm.vector.reduce.fadd.v{LANES}f32",
    )
    return builder.call(reduce, [ir.Constant(real, 0.0), builder.load(total)], fastmath=_FLAGS)


def _compile_update(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    source, vectors = _row(context, builder, signature.args[0], args[0], args[1])
    moved = cgutils.alloca_once(builder, _VECTOR)
    with cgutils.for_range(builder, vectors, intp=vectors.type) as column:
        here = builder.gep(source, [column.index])
        before = builder.load(here, align=CACHE_LINE)
        builder.store(before, moved)
        with cgutils.for_range(builder, args[5], intp=vectors.type) as k:
            row = _item(context, builder, signature.args[3], args[3], k.index)
            gradient = _item(context, builder, signature.args[4], args[4], k.index)
            gradient = _splat(builder, gradient)
            target, _ = _row(context, builder, signature.args[2], args[2], row)
            there = builder.gep(target, [column.index])
            w = builder.load(there, align=CACHE_LINE)
            builder.store(_multiply_add(builder, gradient, w, builder.load(moved)), moved)
            builder.store(_multiply_add(builder, gradient, before, w), there, align=CACHE_LINE)
        builder.store(builder.load(moved), here, align=CACHE_LINE)
    return context.get_dummy_value()


def _compile_prefetch(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    start, vectors = _row(context, builder, signature.args[0], args[0], args[1])
    byte, flag = ir.IntType(8).as_pointer(), ir.IntType(32)
    request = cgutils.get_or_insert_function(
        builder.module,
        ir.FunctionType(ir.VoidType(), [byte, flag, flag, flag]),
        "llvm.prefetch.p0i8",
    )
    for_writing, keep, data = (ir.Constant(flag, value) for value in (1, 3, 1))
    with cgutils.for_range(builder, vectors, intp=vectors.type) as loop:
        address = builder.bitcast(builder.gep(start, [loop.index]), byte)
        builder.call(request, [address, for_writing, keep, data])
    return context.get_dummy_value()


if config.DISABLE_JIT:
    dot, update, prefetch = plain_dot, plain_update, plain_prefetch
else:

    @intrinsic
    def dot(context, source, s, target, t):  # type: ignore[no-untyped-def]
        """`plain_dot`, one cache line at a time."""
        return types.float32(source, types.intp, target, types.intp), _compile_dot

    @intrinsic
    def update(context, source, s, target, rows, gradients, n):  # type: ignore[no-untyped-def]
        """`plain_update` in one pass over the columns, the source row held in a register."""
        signature = types.void(source, types.intp, target, rows, gradients, types.intp)
        return signature, _compile_update

    @intrinsic
    def prefetch(context, table, row):  # type: ignore[no-untyped-def]
        """Ask for every cache line of a row, to be written to."""
        return types.void(table, types.intp), _compile_prefetch
