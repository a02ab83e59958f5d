"""What the benchmarks share: settings, rounds, and lines of JSON."""

import json
import os
import statistics
from collections.abc import Callable, Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

import yaml

from pte.corpora.entry import CorpusEntry
from pte.machine import commit, peak_memory, processor

ROOT = Path(__file__).parents[1]
RESULTS = Path(os.environ.get("PTE_RESULTS") or ROOT / "results") / "benchmarks"
CONFIG: dict[str, Any] = yaml.safe_load((ROOT / "config.yaml").read_text("utf-8"))
WINDOW: int = CONFIG["hyperparameters"]["window"]
NETWORKS = ("ww", "wd", "wl")
METHODS = {"joint": NETWORKS, **{name: (name,) for name in NETWORKS}}

Key = TypeVar("Key", bound=Hashable)
Found = TypeVar("Found")


class Journal(Protocol):
    """Writes one line: a measurement."""

    def __call__(self, **line: Any) -> None: ...


def journal(name: str) -> Journal:
    """A new results/benchmarks/NAME.jsonl, whose lines also go to standard output.

    The first line says which machine and which commit; floats keep four digits.
    """
    RESULTS.mkdir(parents=True, exist_ok=True)
    path = RESULTS / f"{name}.jsonl"
    path.write_text("", "utf-8")

    def note(**line: Any) -> None:
        text = json.dumps({"benchmark": name} | {k: _short(v) for k, v in line.items()})
        print(text, flush=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(text + "\n")

    note(kind="machine", processor=processor(), cores=len(cores()), commit=commit(ROOT))
    return note


def interleaved(cases: Mapping[Key, Callable[[int], Found]], rounds: int) -> dict[Key, list[Found]]:
    """Each case once a round, one after another, so that ratios hold where the speed drifts.

    A case is called with the number of the round.
    """
    found: dict[Key, list[Found]] = {name: [] for name in cases}
    for number in range(rounds):
        for name, case in cases.items():
            found[name].append(case(number))
    return found


def ratio(values: Sequence[float], others: Sequence[float]) -> float:
    """The median of the ratios within the rounds."""
    return statistics.median(a / b for a, b in zip(values, others, strict=True))


def archives_of(corpus: str, folder: Path) -> tuple[CorpusEntry, dict[str, Path]]:
    """The entry of a corpus, and its archives in a folder, by their roles."""
    registry = yaml.safe_load((ROOT / "workflow" / "registry" / "corpora.yaml").read_text("utf-8"))
    entry = CorpusEntry.from_mapping(registry["corpora"][corpus])
    archives = registry["archives"]
    return entry, {role: folder / archives[name]["file"] for role, name in entry.roles().items()}


def cores() -> list[int]:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def thread_counts(most: int) -> list[int]:
    """1, 2, 4 and so on, up to `most`."""
    return [2**i for i in range(most.bit_length())]


def peak_mb() -> float:
    """The most memory this process ever had, in MB of 2^20 bytes."""
    return peak_memory() / 2**20


def _short(value: Any) -> Any:
    return float(f"{value:.4g}") if isinstance(value, float) else value
