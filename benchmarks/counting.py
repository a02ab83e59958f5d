"""Word–word networks: time and peak memory beside scipy's sum of all pairs as a sparse matrix.

    python -m benchmarks.counting FOLDER …

Each folder is an encoded corpus. A JSON line per corpus and case, medians over rounds. Every case
of every round is a process of its own; its peak is what the system says of it in the end, `base_mb`
what it says before counting, when the libraries and the vocabulary are loaded.
"""

import json
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.common import ROOT, WINDOW, journal, peak_mb

ROUNDS = 3
CASES = {"scipy": 1, "pte, 1 thread": 1, "pte, 2 threads": 2}


def main(folders: list[str]) -> None:
    note = journal("counting")
    for folder in folders:
        runs: dict[str, list[dict[str, float]]] = {case: [] for case in CASES}
        for _ in range(ROUNDS):
            for case in CASES:
                path = str(Path(folder).resolve())
                command = [sys.executable, "-m", "benchmarks.counting", "--case", case, path]
                runs[case].append(json.loads(subprocess.check_output(command, cwd=ROOT)))
        medians = {
            case: {key: statistics.median(run[key] for run in found) for key in found[0]}
            for case, found in runs.items()
        }
        if len({(m["stored_edges"], m["weight"]) for m in medians.values()}) > 1:
            sys.exit(f"{folder}: the networks differ: {medians}")
        for case, median in medians.items():
            line: dict[str, Any] = {"corpus": Path(folder).name, "case": case} | median
            for key in ("seconds", "peak_mb"):
                line[f"{key}_against_scipy"] = median[key] / medians["scipy"][key]
            note(**line)


def measure(case: str, folder: Path) -> None:
    """One case in this process, which imports only here what it needs."""
    import numpy as np
    from scipy import sparse

    from pte.corpora.encoded import TRAIN, EncodedCorpus
    from pte.networks import named

    def with_scipy(corpus: EncodedCorpus) -> tuple[int, float]:
        part = corpus.of_documents(corpus.split == TRAIN)
        tokens, offsets = part.tokens, part.offsets
        document = np.repeat(np.arange(offsets.size - 1, dtype=np.int32), np.diff(offsets))
        low, high = [], []
        for distance in range(1, WINDOW + 1):
            together = document[distance:] == document[:-distance]
            a, b = tokens[distance:][together], tokens[:-distance][together]
            low.append(np.minimum(a, b))
            high.append(np.maximum(a, b))
        ends = (np.concatenate(low), np.concatenate(high))
        shape = (corpus.n_words, corpus.n_words)
        matrix = sparse.coo_array((np.ones(ends[0].size, np.float32), ends), shape=shape).tocsr()
        return matrix.nnz, 2 * float(matrix.data.sum(dtype=np.float64))

    def with_pte(corpus: EncodedCorpus) -> tuple[int, float]:
        network = named.build("ww", corpus, WINDOW, threads=CASES[case])
        return network.stored_edges, 2 * float(network.weight.sum(dtype=np.float64))

    def two_words() -> EncodedCorpus:
        tokens, label, part = np.arange(2, dtype=np.int32), np.zeros(1, np.int32), np.full(1, TRAIN)
        return EncodedCorpus(
            tokens, np.array([0, 2]), label, part.astype(np.uint8), (b"a", b"b"), ()
        )

    build = with_scipy if case == "scipy" else with_pte
    build(two_words())  # compiles
    corpus = EncodedCorpus.load(folder)
    base, began = peak_mb(), time.perf_counter()
    edges, weight = build(corpus)
    seconds = time.perf_counter() - began
    found = {"seconds": seconds, "base_mb": base, "peak_mb": peak_mb()}
    print(json.dumps(found | {"stored_edges": edges, "weight": weight}))


if __name__ == "__main__":
    if sys.argv[1] == "--case":
        measure(sys.argv[2], Path(sys.argv[3]))
    else:
        main(sys.argv[1:])
