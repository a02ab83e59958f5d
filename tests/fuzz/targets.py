"""What reads files from outside: a valid file for each reader, and how it is read."""

import gzip
import io
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from zipfile import ZIP_DEFLATED

import numpy as np
import pandas as pd
from made import tarred, zipped

from pte.command.documents import KEPT, kept_result
from pte.corpora.encode_entry import documents_sha256, read_words
from pte.corpora.readers import read
from pte.files import read_json, write_json
from pte.models.label_propagation import Nearest, Neighbours
from pte.tables.documents import read_labelled
from pte_study.configuration.registry import read as read_yaml
from pte_study.store import Store, StoredRun, read_store, write_store


class Target(NamedTuple):
    """A reader of one file."""

    file: str
    whole: bytes
    read: Callable[[Path], object]


def by_reader(file: str, whole: bytes, reader: str, **options: object) -> Target:
    """A reader of documents, which must all be read before it is known that they can be."""
    return Target(file, whole, lambda path: documents_sha256(read(path, reader, options)))


def by_user(file: str, whole: bytes) -> Target:
    """A file of a user."""
    return Target(file, whole, lambda path: read_labelled(str(path), {}))


def made_by(write: Callable[..., object], value: object) -> bytes:
    """What a function that takes a path and a value writes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "made.npz")  # numpy appends this ending where it lacks
        write(path, value)
        return path.read_bytes()


PARALLEL = {
    f"t/{kind}_{part}.txt": b"a b\nc d\n" if kind == "text" else b"x\ny\n"
    for kind in ("text", "label")
    for part in ("train", "test")
}
TABLE = b"""text,label,split
one,good,train
"two, three",bad,test
\xc3\xa4,good,
"""
LABELLED = b"__label__x a b\n__label__y __label__x c\nd\n"
NEAREST = Nearest(np.array([[0], [1]], np.int32), np.ones((2, 1), np.float32))
NEIGHBOURS = Neighbours(NEAREST, NEAREST, 1.0)
RUN = StoredRun(
    "results/scores/r8/bow/paper/seed1",
    {"micro_f1": 50.0},
    {"machine": {"cores": "2"}},
    np.array([[True, False]]),
    np.array([1], np.int32),
)
STORE = Store({"counts": {}}, (RUN,), np.array([0, 0], np.int32))
ROWS = b'{"text": "one two", "label": "good"}\n{"text": "three", "label": ["bad", 1]}\n'
WORKBOOK = io.BytesIO()
pd.DataFrame([{"text": "a", "label": "b"}]).to_excel(WORKBOOK, index=False)

TARGETS = {
    "csv": by_user("t.csv", TABLE),
    "tsv": by_user("t.tsv", TABLE.replace(b",", b"\t")),
    "csv.gz": by_user("t.csv.gz", gzip.compress(TABLE)),
    "json lines": by_user("t.jsonl", ROWS),
    "label lines": by_user("t.txt", LABELLED),
    "xlsx": by_user("t.xlsx", WORKBOOK.getvalue()),
    "parallel lines": by_reader("t.tar", tarred(PARALLEL, ""), "parallel_lines", folder="t"),
    "tar.gz": by_reader("t.tar.gz", tarred(PARALLEL), "parallel_lines", folder="t"),
    "tar.xz": by_reader("t.tar.xz", tarred(PARALLEL, "xz"), "parallel_lines", folder="t"),
    "zip": by_reader("t.zip", zipped(PARALLEL, ZIP_DEFLATED), "parallel_lines", folder="t"),
    "labelled tab": by_reader(
        "t.zip",
        zipped(
            {"train.tab": b"c\tt\nd\td\n\t\nx\ta b\n", "test.tab": b"c\tt\nd\td\n\t\nx\tc\n"},
            ZIP_DEFLATED,
        ),
        "labelled_tab",
        **{"train": "train.tab", "test": "test.tab", "header": 3},
    ),
    "words": Target("words.txt", b"a\t1\nb\nc\n", read_words),
    "contest": Target(
        f"a.csv{KEPT}",
        b'{"format": 1, "sha256": "", "classes": [{"class": "a"}], "methods": [{}], "advice": '
        b'{"method": "bow", "label": "BOW"}, "merged_labels": {"b": "a"}, "columns": {}, '
        b'"group": null, "training": {"dim": 1, "samples": 1, "window": 1, "tokenizer": "words", '
        b'"seed": 1, "names": null}, "warnings": []}',
        lambda path: kept_result(str(path).removesuffix(KEPT)),
    ),
    "neighbours": Target(
        "n.npz", made_by(lambda path, near: near.save(path), NEIGHBOURS), Neighbours.load
    ),
    "published runs": Target(
        "r.npz", made_by(lambda path, store: write_store(store, path), STORE), read_store
    ),
    "json": Target("a.json", made_by(write_json, {"a": [1, 2.5, None]}), read_json),
    "yaml": Target("c.yaml", b"seeds: [1, 2]\nmethods:\n  - bow\n  - pte_joint\n", read_yaml),
}
