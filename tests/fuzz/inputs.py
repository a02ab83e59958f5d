"""Damaged inputs, and the bounds within which each must be read or refused."""

import copy
import re
import resource
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from hypothesis import strategies as st

from pte.errors import PteError

SECONDS, MEGABYTES = 5, 512  # the processor time and the memory that one small input may cost
tried: Counter[str] = Counter()  # how many inputs each test has tried

PIECES = (
    *(b"\0", b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\x85", b"\r", b"\n", b"\t", b" ", b'"'),
    *(b"nan", b"inf", b"-1", b"0", b"1e999", b"9" * 30, b"1.5", b"2147483648", b":", b","),
    *(b"{", b"}", b"[" * 3000, b'{"a":' * 2000, b"null", b"true", b"- ", b"&a ", b"*a"),
    *(b"a" * 5000, b"PK\x03\x04", b"\x1f\x8b", b"\xfd7zXZ\x00", b"../"),
)

STRANGE = st.sampled_from(
    [None, True, -1, 0, 1.5, 10**30, float("nan"), "", "a b", "\0", "10", [], [[]], {}, {"a": 1}]
)


class TooLong(Exception):
    """An input took more than `SECONDS` of the processor."""


def check(name: str, read: Callable[[], object]) -> object:
    """What `read` returns, or None where it raises `PteError`; anything else is a fault."""
    tried[name] += 1
    with bounded():
        try:
            return read()
        except PteError as error:
            assert len(str(error)) > 10
            return None


@contextmanager
def bounded() -> Iterator[None]:
    """Stop what takes too long, and let no more memory be had."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooLong

    status = Path("/proc/self/status").read_text("utf-8")
    found = re.search(r"VmData:\s*(\d+) kB", status)
    taken, (soft, hard) = int(found[1]) << 10, resource.getrlimit(resource.RLIMIT_DATA)
    before = signal.signal(signal.SIGVTALRM, stop)
    resource.setrlimit(resource.RLIMIT_DATA, (taken + (MEGABYTES << 20), hard))
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
        signal.signal(signal.SIGVTALRM, before)


@st.composite
def damaged(draw: st.DrawFn, whole: bytes) -> bytes:
    """Some bytes after a few edits: pieces put in, taken out, or written over; or any bytes."""
    if draw(st.integers(0, 19)) == 0:
        return draw(st.binary(max_size=200))
    content = bytearray(whole)
    for _ in range(draw(st.integers(1, 4))):
        begin = draw(st.integers(0, len(content)))
        piece = draw(st.sampled_from(PIECES) | st.binary(max_size=4))
        over = draw(st.sampled_from([0, len(piece), 1, 50, len(content)]))
        content[begin : begin + over] = piece
    return bytes(content)


def strange(draw: st.DrawFn, value: Any) -> Any:
    """The value with one of its parts, at any depth, replaced, removed or renamed."""
    if not isinstance(value, dict | list) or not value or draw(st.integers(0, 7)) == 0:
        return draw(STRANGE)
    value = copy.copy(value)
    keys = sorted(value, key=str) if isinstance(value, dict) else range(len(value))
    key = draw(st.sampled_from(keys))
    if draw(st.integers(0, 7)) == 0:
        taken = value.pop(key)
        if isinstance(value, dict) and draw(st.booleans()):
            value[f"{key}x"] = taken
    else:
        value[key] = strange(draw, value[key])
    return value
