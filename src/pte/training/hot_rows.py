"""Threads that share tables: which rows have copies, where these lie, and who trains what."""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from pte.core.arrays import Table
from pte.core.edges import Copies

HOT = 0.05  # a row is hot if a draw touches it so often: lines of rarer rows mostly arrive in time
UPDATES_APART = 16  # of a thread between exchanges: more gain no speed


@dataclass(frozen=True)
class HotRows:
    """Each thread's copies of the first `hot` nodes, so number nodes by falling degree."""

    sizes: tuple[int, ...]
    hot: tuple[int, ...]
    n_words: int
    hot_words: int
    threads: int

    @classmethod
    def of(
        cls, sources: Sequence[NDArray[np.float64]], words: NDArray[np.float64], threads: int
    ) -> "HotRows":
        """Choose the hot rows, given how often a draw touches each row; one thread has none."""
        hot = [int((each >= HOT).sum()) if threads > 1 else 0 for each in (*sources, words)]
        return cls(
            tuple(each.size for each in sources), tuple(hot[:-1]), words.size, hot[-1], threads
        )

    @property
    def source_copies(self) -> int:
        """The rows behind the shared sources: threads' copies, and rows as last exchanged."""
        return 2 * self.threads * sum(self.hot)

    @property
    def word_copies(self) -> int:
        """The number of rows that the table of words needs behind the shared rows."""
        return 2 * self.threads * self.hot_words

    @property
    def weight(self) -> np.float32:
        """The weight of what a thread learnt: a sum moves rows too far, a mean too little."""
        return np.float32(self.threads**-0.5)

    def copies(self, thread: int) -> Copies:
        """Return where a thread finds its rows."""
        own = sum(self.sizes) + 2 * thread * sum(self.hot)
        return Copies(
            shared_sources=_starts(self.sizes),
            hot_sources=np.array(self.hot, np.int64),
            own_sources=own + _starts(self.hot),
            hot_words=self.hot_words,
            own_words=self.n_words + 2 * thread * self.hot_words,
            behind=sum(self.hot),
            period=UPDATES_APART,
            weight=self.weight,
        )

    @contextmanager
    def shared(self, source: Table, target: Table) -> Iterator[None]:
        """Let threads train on tables: each begins with copies, and all are gathered at the end."""
        self.start(source, target)
        yield
        self.gather(source, target)

    def start(self, source: Table, target: Table) -> None:
        for shared, own, last in self._places(source, target):
            own[:] = last[:] = shared

    def gather(self, source: Table, target: Table) -> None:
        """Exchange every copy, so that the shared rows hold everything that threads have learnt."""
        for shared, own, last in self._places(source, target):
            shared += self.weight * (own - last)
            own[:] = last[:] = shared

    def _places(self, source: Table, target: Table) -> Iterator[tuple[Table, Table, Table]]:
        """Yield shared rows, a thread's copies, and these as of their last exchange."""
        for thread in range(self.threads):
            copies = self.copies(thread)
            starts = zip(copies.shared_sources, copies.own_sources, self.hot, strict=True)
            for shared, own, n in starts:
                last = own + copies.behind
                yield source[shared : shared + n], source[own : own + n], source[last : last + n]
            own, n = copies.own_words, self.hot_words
            yield target[:n], target[own : own + n], target[own + n : own + 2 * n]


def _starts(sizes: Sequence[int]) -> NDArray[np.int64]:
    return np.cumsum([0, *sizes], dtype=np.int64)[:-1]


Block = TypeVar("Block")

_POLL_SECONDS = 0.2


def run_blocks(
    work: Callable[[Block, int], None],
    blocks: Iterable[Block],
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Call `work(block, thread)`, which releases the GIL, in order; an exception stops all."""
    lock = threading.Lock()
    waiting = iter(blocks)
    finished = 0
    stopping = False

    def worker(thread: int) -> None:
        nonlocal finished
        while True:
            with lock:
                block = None if stopping else next(waiting, None)
            if block is None:
                return
            work(block, thread)
            with lock:
                finished += 1

    with ThreadPoolExecutor(threads) as pool:
        try:
            pending = {pool.submit(worker, thread) for thread in range(threads)}
            while pending:
                done, pending = wait(pending, _POLL_SECONDS, FIRST_EXCEPTION)
                for future in done:
                    future.result()
                if progress:
                    progress(finished)
        finally:
            stopping = True
