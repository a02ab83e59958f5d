"""A sample of RCV1-v2 as lines of JSON, with the tree of its topics beside it."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pte.corpora.archives import read_members
from pte.corpora.document import Document, require
from pte.corpora.readers.lyrl2004 import LAST_TRAINING, labelled
from pte.errors import PteError


def read(
    path: Path, branch: str, labels: str, seed: int = 1, at_least: int = 1
) -> Iterator[Document]:
    """Read the documents with a topic right below `branch`.

    `branch`, `labels` and `seed` are as in the reader `lyrl2004`. A topic with fewer than
    `at_least` documents is no class. The words keep their order and their case. The numbers of the
    documents follow the training part of LYRL2004, in the order of the file. Raises `PteError` when
    the archive is not of this form.
    """
    below = read_tree(path).get(branch)
    require(below, path, f"a topic below {branch}")
    sample = list(read_sample(path))
    sizes = Counter(topic for _, topics, _ in sample for topic in topics)
    wanted = {topic for topic in below or () if sizes[topic] >= at_least}
    for number, topics, words in sample:
        codes = sorted(wanted.intersection(topics))
        if codes:
            yield labelled(str(number), " ".join(words).encode(), codes, labels, seed)


def read_tree(path: Path) -> dict[str, list[str]]:
    """Return the topics right below each topic.

    A line of the tree is a topic and the topics right below it, with tabs between them.
    """
    rows = _member(path, "rcv1.taxonomy").decode().split("\n")
    return {parent: children for row in rows if row for parent, *children in [row.split("\t")]}


def read_sample(path: Path) -> Iterator[tuple[int, list[str], list[str]]]:
    """Yield the number, the topics and the words of each document of the sample."""
    lines = _member(path, "rcv1_dev.json").splitlines()
    for line, row in enumerate(lines, start=1):
        try:
            values: Any = json.loads(row)
            yield LAST_TRAINING + line, list(values["doc_label"]), list(values["doc_token"])
        except (ValueError, KeyError, TypeError) as error:
            raise PteError(
                f"{path}: line {line} of rcv1_dev.json is not an object with doc_label and "
                f"doc_token ({error!r})"
            ) from None


def _member(path: Path, name: str) -> bytes:
    found = [content for _, content in read_members(path, f".*/{re.escape(name)}")]
    require(len(found) == 1, path, f"one file {name}")
    return found[0]
