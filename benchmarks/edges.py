"""Edges trained per second by one and two threads: a JSON line per case, medians over rounds.

The cases of a round follow one another, so that the ratios hold on a machine whose speed drifts.
"""

import json
import statistics
import sys
from pathlib import Path

from pte.models.network_embedding import fit
from pte.networks.bipartite import Network

PHASES = {"joint": ["ww", "wd", "wl"], "ww": ["ww"], "wd": ["wd"], "wl": ["wl"]}
THREADS = (1, 2)
ROUNDS = 3
SAMPLES = 6_000_000


def main(folder: Path) -> None:
    networks = {name: Network.load(folder / name) for name in PHASES["joint"]}
    cases = [(name, threads) for name in PHASES for threads in THREADS]
    rates: dict[tuple[str, int], list[float]] = {case: [] for case in cases}
    for round_number in range(ROUNDS):
        for name, threads in cases:
            result = fit(networks, [PHASES[name]], SAMPLES, seed=round_number, threads=threads)
            rates[name, threads].append(result.samples / result.seconds / 1e6)
    for name, threads in cases:
        median = statistics.median(rates[name, threads])
        line = {
            "networks": name,
            "threads": threads,
            "million_edges_per_second": round(median, 2),
            "against_one_thread": round(median / statistics.median(rates[name, 1]), 2),
        }
        print(json.dumps(line))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
