"""Check, fit and predict of texts of one's own, by number of rows, beside other libraries.

    python -m benchmarks.own_text [ROWS …]
    python -m benchmarks.own_text table LINES.jsonl > table.csv

Texts are made: words by Zipf's law, half of them from the class's own order. Short ones have about
12 words, long ones, a hundredth as many rows, about 230. Each command is a process of its own:
seconds of the processor, and the peak of its memory. `pandas` reads and writes the table,
`scikit-learn` reads it, fits TF-IDF and LinearSVC, predicts and writes, fastText likewise.
"""

import csv
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks.common import journal

ROWS = (1_000, 10_000, 100_000, 1_000_000)
KINDS = {"short": (12, 1), "long": (230, 40)}
"""Words of a text, and by how much fewer rows there are."""

WORDS = 400_000

PANDAS = """
import sys, pandas
table = pandas.read_csv(sys.argv[1], dtype=str, keep_default_na=False)
table.to_csv(sys.argv[2], index=False)
"""
SCIKIT_LEARN = """
import sys, pandas
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.svm import LinearSVC
table = pandas.read_csv(sys.argv[1], dtype=str, keep_default_na=False)
words = TfidfVectorizer()
model = LinearSVC().fit(words.fit_transform(table.text), table.label)
table["label"] = model.predict(words.transform(table.text))
table.to_csv(sys.argv[2], index=False)
"""
FASTTEXT = """
import sys, fasttext, pandas
table = pandas.read_csv(sys.argv[1], dtype=str, keep_default_na=False)
with open(sys.argv[2], "w") as file:
    file.writelines(f"__label__{y} {t}\\n" for t, y in zip(table.text, table.label))
model = fasttext.train_supervised(sys.argv[2], thread=1, verbose=0)
table["label"] = [each[0].removeprefix("__label__") for each in model.predict([*table.text])[0]]
table.to_csv(sys.argv[2], index=False)
"""


def main(arguments: Sequence[str]) -> None:
    if arguments[:1] == ["table"]:
        table(arguments[1])
        return
    note = journal("own_text")
    for rows in map(int, arguments or ROWS):
        for kind, (words, fewer) in KINDS.items():
            n = max(rows // fewer, 100)
            if arguments or n != 100:
                for line in measured(n, words):
                    note(texts=kind, rows=n, **line)


def measured(rows: int, words: int) -> Iterator[dict[str, object]]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file, out, model = (str(folder / each) for each in ("t.csv", "o.csv", "m.npz"))
        bare = str(folder / "bare.csv")
        make(Path(file), Path(bare), rows, words)
        pte = [str(Path(sys.executable).with_name("pte"))]
        code = [sys.executable, "-c"]
        commands = {
            "pandas": [*code, PANDAS, file, out],
            "check": [*pte, "check", file],
            "fit": [*pte, "fit", file, "--method", "bow", "--output", model],
            "predict": [*pte, "predict", model, bare, "--output", out],
            "scikit-learn": [*code, SCIKIT_LEARN, file, out],
            "fastText": [*code, FASTTEXT, file, out],
        }
        for command, line in commands.items():
            Path(out).unlink(missing_ok=True)
            seconds, megabytes = spent(line)
            yield {"command": command, "seconds": seconds, "megabytes": megabytes}


def make(file: Path, bare: Path, rows: int, words: int) -> None:
    """Write a table of two classes, and the same texts without labels."""
    rng = np.random.default_rng(1)
    with (
        file.open("w", newline="", encoding="utf-8") as full,
        bare.open("w", newline="", encoding="utf-8") as empty,
    ):
        tables = csv.writer(full), csv.writer(empty)
        for writer in tables:
            writer.writerow(["text", "label"])
        for i in range(rows):
            ranks = np.minimum(rng.zipf(1.2, rng.poisson(words) + 1), WORDS)
            own = rng.random(ranks.size) < 0.5
            ends = np.where(own, "ab"[i % 2], "").tolist()
            text = " ".join(f"w{r}{end}" for r, end in zip(ranks.tolist(), ends, strict=True))
            for writer, label in zip(tables, (f"class{i % 2}", ""), strict=True):
                writer.writerow([text, label])


def spent(command: list[str]) -> tuple[float, int]:
    """Return seconds of the processor and peak megabytes of a command, whose output is lost."""
    child = os.posix_spawn(
        command[0],
        command,
        os.environ | {"OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"},
        file_actions=[
            (os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_WRONLY, 0) for stream in (1, 2)
        ],
    )
    _, status, used = os.wait4(child, 0)
    if status:
        return float("nan"), 0
    return used.ru_utime + used.ru_stime, used.ru_maxrss // 1024


def table(lines: str) -> None:
    """Print a row for each kind and number of texts: seconds, and megabytes, of each command."""
    found: dict[tuple[str, int], dict[str, str]] = {}
    for each in map(json.loads, Path(lines).read_text("utf-8").splitlines()):
        if "command" in each:
            row = found.setdefault((each["texts"], each["rows"]), {})
            row[each["command"]] = f"{each['seconds']:.1f} s, {each['megabytes']} MB"
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["texts", "rows", *next(iter(found.values()))])
    for (kind, rows), row in found.items():
        writer.writerow([kind, rows, *row.values()])


if __name__ == "__main__":
    main(sys.argv[1:])
