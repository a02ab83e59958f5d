"""The progress of a run, and an estimate of the time that is left, from jobs that have ended."""

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean

MOST_SHOWN = 3
"""The most running jobs that a line names."""


@dataclass(frozen=True)
class Job:
    """A running job: its rule, the values of its wildcards and when it began."""

    rule: str
    wildcards: tuple[str, ...]
    began: float


class Progress:
    """The progress of a run with `counts` jobs by rule; all times are in seconds of one clock."""

    def __init__(self, counts: Mapping[str, int] | None = None) -> None:
        """Start without any job that has begun."""
        self.waiting = {rule: n for rule, n in (counts or {}).items() if rule != "total"}
        self.total = sum(self.waiting.values())
        self.running: dict[int, Job] = {}
        self.seconds: dict[str, list[float]] = defaultdict(list)
        self._failed: set[int] = set()
        self.began: float | None = None

    @property
    def failures(self) -> int:
        """The number of jobs that failed, and are not tried again up to now."""
        return len(self._failed)

    @property
    def left(self) -> int:
        """The number of jobs that have not ended."""
        return sum(self.waiting.values()) + len(self.running)

    def started(self, job: int, rule: str, wildcards: Sequence[str], now: float) -> None:
        """Note that a job begins, or that one that failed is tried again."""
        self.began = now if self.began is None else self.began
        if job not in self._failed:
            self.waiting[rule] = max(0, self.waiting.get(rule, 0) - 1)
        self._failed.discard(job)
        self.running[job] = Job(rule, tuple(wildcards), now)

    def finished(self, job: int, now: float) -> None:
        """Note that a job ends; a job that was never seen to begin is not counted."""
        if (found := self.running.pop(job, None)) is not None:
            self.seconds[found.rule].append(now - found.began)

    def failed(self, job: int) -> None:
        """Note that a job ends without its output."""
        if self.running.pop(job, None) is not None:
            self._failed.add(job)

    def remaining(self, now: float) -> float | None:
        """Return about how many seconds are left until the end; None before a job has ended.

        A job is expected to take as long as the ended jobs of its rule took on average, or as all
        ended jobs took if no job of its rule has ended. As many jobs are expected to run at a time
        as have run so far.
        """
        taken = [each for rule in self.seconds.values() for each in rule]
        if not taken or self.began is None:
            return None
        expected = {rule: mean(each) for rule, each in self.seconds.items() if each}
        usual = mean(taken)
        work = sum(n * expected.get(rule, usual) for rule, n in self.waiting.items())
        ages = [now - job.began for job in self.running.values()]
        work += sum(
            max(0.0, expected.get(job.rule, usual) - age)
            for job, age in zip(self.running.values(), ages, strict=True)
        )
        at_a_time = (sum(taken) + sum(ages)) / max(now - self.began, 1e-9)
        return work / max(1.0, at_a_time)

    def line(self, now: float) -> str:
        """Return a line: what is done, what runs and for how long, and when the run will end."""
        parts = [f"{self.total - self.left - self.failures} of {self.total} jobs"]
        parts += [f"{self.failures} failed"] if self.failures else []
        jobs = sorted(self.running.values(), key=lambda job: job.began)
        shown = [
            " ".join([job.rule, *job.wildcards, f"({duration(now - job.began)})"])
            for job in jobs[:MOST_SHOWN]
        ]
        if jobs:
            more = [f"{len(jobs) - MOST_SHOWN} more"] if len(jobs) > MOST_SHOWN else []
            parts.append("running: " + ", ".join(shown + more))
        seconds = self.remaining(now)
        if self.left and seconds is not None:
            clock = time.strftime("%H:%M", time.localtime(time.time() + seconds))
            parts.append(f"about {duration(seconds)} left, until {clock}")
        return "; ".join(parts)


def duration(seconds: float) -> str:
    """Return seconds as people say them: 42 s, 7 min, 3 h 05 min."""
    whole = round(seconds)
    if whole < 100:
        return f"{whole} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60:02} min"
