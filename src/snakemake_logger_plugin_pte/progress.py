"""How far a run is, and how long the rest will take, from the jobs that have ended."""

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean

MOST_SHOWN = 3
"""Running jobs that a line names."""


@dataclass(frozen=True)
class Job:
    """A running job: its rule, the values of its wildcards and when it began."""

    rule: str
    wildcards: tuple[str, ...]
    began: float


class Progress:
    """A run of `counts` jobs by rule. All times are seconds of one clock."""

    def __init__(self, counts: Mapping[str, int] | None = None) -> None:
        """Nothing has begun."""
        self.waiting = {rule: n for rule, n in (counts or {}).items() if rule != "total"}
        self.total = sum(self.waiting.values())
        self.running: dict[int, Job] = {}
        self.seconds: dict[str, list[float]] = defaultdict(list)
        self.failures = 0
        self.began: float | None = None

    @property
    def left(self) -> int:
        """Jobs that have not ended."""
        return sum(self.waiting.values()) + len(self.running)

    def started(self, job: int, rule: str, wildcards: Sequence[str], now: float) -> None:
        """A job begins."""
        self.began = now if self.began is None else self.began
        self.waiting[rule] = max(0, self.waiting.get(rule, 0) - 1)
        self.running[job] = Job(rule, tuple(wildcards), now)

    def finished(self, job: int, now: float) -> None:
        """A job ends; one that was never seen to begin is not counted."""
        if (found := self.running.pop(job, None)) is not None:
            self.seconds[found.rule].append(now - found.began)

    def failed(self, job: int) -> None:
        """A job ends without its output, and will not be tried again."""
        if self.running.pop(job, None) is not None:
            self.failures += 1

    def remaining(self, now: float) -> float | None:
        """About how many seconds until the end; None before a job has ended.

        A job takes what those of its rule took on average, or all, if none of its rule has ended;
        as many run at a time as did so far.
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
        """What is done, what runs and since when, and when it will end, by the clock as well."""
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
    """Seconds as people say them: 42 s, 7 min, 3 h 05 min."""
    whole = round(seconds)
    if whole < 100:
        return f"{whole} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60:02} min"
