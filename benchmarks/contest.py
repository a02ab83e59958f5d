"""The race of `pte evaluate` beside all methods, on corpora outside the study.

    python -m benchmarks.contest SEEDS FILE.csv …
    python -m benchmarks.contest race LINES.jsonl … > table.csv
    python -m benchmarks.contest unseen LINES.jsonl … > table.csv

A file has the columns `text` and `label`. A quarter of its documents tests; of the others 1, 10
and 100 % keep their labels, by class and at least one of each, and the rest are unlabelled text.
The race sees no test document. Then each method learns from all labels, and predicts the test.
`race` has regret, the best score minus that of the advised method; seconds of the processor over
those of all methods in all folds; and whether the interval holds the score. `unseen` has the mean
micro-F1 and macro-F1 of PTE(auto), and its lead in micro-F1 over the best of the others.
"""

import csv
import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.metrics import f1_score

from benchmarks.common import journal
from pte.classify.folds import Collection, Fold
from pte.classify.given import read_labels
from pte.classify.race import Race
from pte.classify.registry import method_named
from pte.classify.text_classifier import TextClassifier
from pte.classify.trial import Trials, Work, warm_up
from pte.errors import PteError

SHARES = (0.01, 0.1, 1.0)
MINUTES, CORES = 2.0, 2
KINDS = ("micro", "macro")
OURS = "pte_auto"
OTHERS = ("bow", "bow_pairs", "nb_em", "nb_svm_pairs", "svm_pairs", "svm_letters", "pte_joint")


def main(arguments: Sequence[str]) -> None:
    if arguments[0] in TABLES:
        TABLES[arguments[0]](arguments[1:])
        return
    note = journal("contest")
    for seed in range(1, int(arguments[0]) + 1):
        for share in SHARES:
            for file in map(Path, arguments[1:]):
                try:
                    for row in contest(*read(file), share, seed):
                        note(corpus=file.stem, share=share, seed=seed, **row)
                except PteError as error:  # such as one label for each class
                    note(kind="none", corpus=file.stem, share=share, seed=seed, why=str(error))


def read(file: Path) -> tuple[list[str], npt.NDArray[np.str_]]:
    csv.field_size_limit(2**30)
    with file.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    return [row["text"] for row in rows], np.array([row["label"] for row in rows])


def contest(
    texts: Sequence[str], labels: npt.NDArray[np.str_], share: float, seed: int
) -> Iterator[dict[str, Any]]:
    """What the race advises without the test documents, then each method's scores on them."""
    tests, kept = divided(labels, share, np.random.default_rng(seed))
    order = np.argsort(tests, kind="stable")
    known = [str(labels[i]) if kept[i] or tests[i] else None for i in order.tolist()]
    given, n_train = read_labels(known, labels.size), int((~tests).sum())
    assert given is not None
    bytes_of, ids = [texts[i].encode() for i in order.tolist()], [str(i) for i in order.tolist()]
    every = Collection(bytes_of, given, ids, [None] * labels.size)
    train = every.of(np.arange(n_train))
    model = TextClassifier(random_state=seed)
    trials = Trials(train, train.folds(5, seed), model)
    asked = Race.of(trials, MINUTES, CORES, (), True).lineup.methods
    warm_up(model, asked)
    began = time.process_time()
    held, _ = Race.of(trials, MINUTES, CORES, (), False).hold(1)
    seconds, advice = time.process_time() - began, held.advice
    row = next(each for each in held.compared().rows if each["method"] == advice.method)
    keys = ("method", "micro_f1", "micro_f1_interval", "macro_f1")
    yield {"kind": "race", **{key: row[key] for key in keys}, "sure": advice.sure} | {
        "seconds": seconds,
        "labelled": int(train.labels.known.size),
        "folds": len(trials.folds),
        "dropped": len(held.dropped),
    }
    final = Trials(every, [Fold(0, np.arange(n_train), np.arange(n_train, labels.size))], model)
    truth = every.targets(final.folds[0].test)
    for name in asked:
        found = final.run(Work(name, 0))
        micro, macro = (f1_score(truth, found.predicted, average=each) for each in KINDS)
        yield {
            "kind": "method",
            "method": name,
            "micro_f1": 100 * micro,
            "macro_f1": 100 * macro,
            "seconds": found.seconds,
        }


def divided(
    labels: npt.NDArray[np.str_], share: float, random: np.random.Generator
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Which documents test, and which labels of others are kept; shares of a seed are nested."""
    order = random.permutation(labels.size)
    tests, kept = np.zeros(labels.size, np.bool_), np.zeros(labels.size, np.bool_)
    tests[order[: labels.size // 4]] = True
    training = order[labels.size // 4 :]
    for name in np.unique(labels[training]):
        of_class = training[labels[training] == name]
        kept[of_class[: max(1, round(share * of_class.size))]] = True
    return tests, kept


Cell = tuple[str, float, int]  # a corpus, a share of the labels, a seed


def cells_of(files: Sequence[str]) -> dict[Cell, list[dict[str, Any]]]:
    found: dict[Cell, list[dict[str, Any]]] = defaultdict(list)
    for file in files:
        for line in map(json.loads, Path(file).read_text("utf-8").splitlines()):
            if line["kind"] in ("race", "method"):
                found[line["corpus"], line["share"], line["seed"]].append(line)
    return found


def race_table(files: Sequence[str]) -> None:
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(
        ["corpus", "labels", "seed", "advised", "regret", "best", "seconds", "of all", "holds"]
    )
    for (corpus, share, seed), (race, *methods) in sorted(cells_of(files).items()):
        best = max(methods, key=lambda line: line["micro_f1"])
        true = next(m["micro_f1"] for m in methods if m["method"] == race["method"])
        low, high = race["micro_f1_interval"]
        every = race["folds"] * sum(line["seconds"] for line in methods)
        table.writerow(
            [
                *(corpus, f"{100 * share:g} %", seed, race["method"]),
                f"{best['micro_f1'] - true:.2f}",
                *(best["method"], f"{race['seconds']:.0f}", f"{race['seconds'] / every:.2f}"),
                f"{race['micro_f1'] - true:+.1f}{'' if low <= true <= high else ' outside'}",
            ]
        )


def unseen_table(files: Sequence[str]) -> None:
    scores: dict[str, dict[float, dict[str, list[tuple[float, float]]]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(list))
    )
    for (corpus, share, _), (_, *methods) in cells_of(files).items():
        for line in methods:
            score = (line["micro_f1"], line["macro_f1"])
            scores[corpus][share][line["method"]].append(score)
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["", *(f"{100 * share:g} %" for share in SHARES)])
    for corpus, by_share in scores.items():
        table.writerow([corpus, *(lead(by_share[share]) for share in SHARES)])


def lead(scores: dict[str, list[tuple[float, float]]]) -> str:
    means = {name: np.mean(scores[name], axis=0) for name in (OURS, *OTHERS)}
    micro, macro = means[OURS]
    best = max(OTHERS, key=lambda name: float(means[name][0]))
    apart = f"{micro - means[best][0]:+.1f}".replace("-", "−")
    return f"{micro:.1f} / {macro:.1f}, {apart} {method_named(best).label}"


TABLES = {"race": race_table, "unseen": unseen_table}

if __name__ == "__main__":
    main(sys.argv[1:])
