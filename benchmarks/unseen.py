"""PTE(auto) on corpora outside the study, against others that know only the text.

    python -m benchmarks.unseen SEEDS FILE.csv …
    python -m benchmarks.unseen table LINES.jsonl … > table.csv

A file has the columns `text` and `label`. A quarter of its documents tests; of the others 1, 10
and 100 % keep their labels, by class and at least one of each, and the rest are unlabelled text.
Each cell is one `pte evaluate`, with one thread. `table` has the mean micro-F1 and macro-F1 of
PTE(auto), and its difference in micro-F1 to the best of the others by their means.
"""

import csv
import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.common import journal
from pte.classify.registry import method_named

SHARES = (0.01, 0.1, 1.0)
OURS = "pte_auto"
OTHERS = ("bow", "bow_pairs", "nb_em", "nb_svm_pairs", "svm_pairs", "svm_letters", "pte_joint")


def main(arguments: Sequence[str]) -> None:
    if arguments[0] == "table":
        write_table(arguments[1:])
        return
    note = journal("unseen")
    for file in map(Path, arguments[1:]):
        texts, labels = read(file)
        for seed in range(1, int(arguments[0]) + 1):
            for share in SHARES:
                for row in contest(texts, labels, share, seed):
                    note(corpus=file.stem, share=share, seed=seed, **row)


def read(file: Path) -> tuple[list[str], npt.NDArray[np.str_]]:
    csv.field_size_limit(2**30)
    with file.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    return [row["text"] for row in rows], np.array([row["label"] for row in rows])


def contest(
    texts: Sequence[str], labels: npt.NDArray[np.str_], share: float, seed: int
) -> list[dict[str, object]]:
    """The scores and seconds of each method on one division."""
    asked = (OURS, *OTHERS)
    parts, kept = divided(labels, share, np.random.default_rng(seed))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "texts.csv"
        with file.open("w", encoding="utf-8", newline="") as lines:
            rows = zip(texts, np.where(kept, labels, ""), parts, strict=True)
            csv.writer(lines).writerows([("text", "label", "part"), *rows])
        command = [sys.executable, "-m", "pte", "evaluate", str(file), "--split", "part"]
        command += ["--seed", str(seed), "--jobs", "1", "--minutes", "0.001", "--json"]
        for name in asked:
            command += ["--method", name]
        found = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    keys = ("method", "micro_f1", "macro_f1", "seconds")
    return [{key: row[key] for key in keys} for row in found["methods"] if row["method"] in asked]


def divided(
    labels: npt.NDArray[np.str_], share: float, random: np.random.Generator
) -> tuple[npt.NDArray[np.str_], npt.NDArray[np.bool_]]:
    """The part of each document, and whether its label is kept; shares of a seed are nested."""
    order = random.permutation(labels.size)
    parts = np.full(labels.size, "train")
    parts[order[: labels.size // 4]] = "test"
    kept = parts == "test"
    training = order[labels.size // 4 :]
    for name in np.unique(labels[training]):
        of_class = training[labels[training] == name]
        kept[of_class[: max(1, round(share * of_class.size))]] = True
    return parts, kept


def write_table(files: Sequence[str]) -> None:
    scores: dict[tuple[str, float], dict[str, list[tuple[float, float]]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for file in files:
        for text in Path(file).read_text("utf-8").splitlines():
            line = json.loads(text)
            if "method" in line:
                score = (line["micro_f1"], line["macro_f1"])
                scores[line["corpus"], line["share"]][line["method"]].append(score)
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["", *(f"{100 * share:g} %" for share in SHARES)])
    for corpus in dict.fromkeys(name for name, _ in scores):
        table.writerow([corpus, *(cell(scores[corpus, share]) for share in SHARES)])


def cell(scores: dict[str, list[tuple[float, float]]]) -> str:
    means = {name: np.mean(of, axis=0) for name, of in scores.items()}
    micro, macro = means[OURS]
    best = max((name for name in means if name != OURS), key=lambda name: means[name][0])
    lead = f"{micro - means[best][0]:+.1f}".replace("-", "−")
    return f"{micro:.1f} / {macro:.1f}, {lead} {method_named(best).label}"


if __name__ == "__main__":
    main(sys.argv[1:])
