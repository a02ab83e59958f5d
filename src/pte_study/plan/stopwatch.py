"""A stopwatch for the processor time of each part of a job.

A job measures its parts if the environment variable `PTE_PARTS` names a folder (`benchmarks.jobs`).

A timer interrupts the job after every few milliseconds of processor time. The time since the
last interruption counts for the code that is running then. A call of compiled code is interrupted
only at its end, so all its time counts for its caller.
"""

import os
import signal
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from pte.files import write_json

EVERY = 0.005
"""Seconds of processor time between two interruptions."""

PARTS = (
    ("pte/corpora/tfidf", "features"),
    ("pte/evaluation/documents", "features"),
    ("pte/models/document_features", "features"),
    ("pte/evaluation", "classifier"),
    ("pte/selection/classifier", "classifier"),
    ("pte/networks", "networks"),
    ("pte/corpora", "loading"),
    ("pte/files", "files"),
    ("pte/", "method"),
    ("workflow/scripts", "files"),
)
"""Pieces of the paths of files, and the part that such files belong to; the first match counts."""


@contextmanager
def measured(job: Mapping[str, str], folder: Path) -> Iterator[None]:
    """Write the `job`, and the processor seconds of this process by part, into a file of `folder`.

    The part `start` is the time before the block. Only the main thread may measure.
    """
    before = time.process_time()
    spent: dict[str, float] = defaultdict(float, start=before)

    def count(number: int, frame: FrameType | None) -> None:
        nonlocal before
        now = time.process_time()
        spent[part_of(frame)] += now - before
        before = now

    signal.signal(signal.SIGPROF, count)
    signal.setitimer(signal.ITIMER_PROF, EVERY, EVERY)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, signal.SIG_IGN)
    name = f"{os.getpid()}-{time.time_ns()}.json"
    write_json(folder / name, {"job": job, "parts": spent})


def part_of(frame: FrameType | None) -> str:
    """Return the part that runs in a frame.

    This is the part of the nearest of our files, or `imports`, or `kernels` if numba runs.
    """
    kernels = False
    while frame is not None:
        file = frame.f_code.co_filename.replace(os.sep, "/")
        if "importlib._bootstrap" in file:
            return "imports"
        kernels |= "/numba/" in file or "/llvmlite/" in file
        for piece, part in PARTS:
            if piece in file:
                in_counts = frame.f_code.co_name == "counts_between"
                return "kernels" if kernels else "features" if in_counts else part
        frame = frame.f_back
    return "other"
