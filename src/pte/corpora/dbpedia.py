"""Classes of Wikipedia's articles from DBpedia's categories, as a table for the reader's `labels`.

    python -m pte.corpora.dbpedia article_categories_en.nq.bz2 skos_categories_en.nq.bz2 OUT.tsv.gz

The paper takes seven classes from DBpedia's categories, and does not say how. Here an article
belongs to the class whose category is the fewest steps above it, at most `--depth`. If two classes
are equally near, the article has no label. Titles are decoded, so that `%28` is a bracket and `_` a
space. Redirects are not followed: an article that was renamed between two dumps has no label.
"""

import argparse
import gzip
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse import csgraph

from pte.corpora.archives import stream_lines
from pte.errors import PteError
from pte.files import atomic_file

ROOTS: Mapping[str, tuple[str, ...]] = {
    "Arts": ("Arts",),
    "History": ("History",),
    "Human": ("Human", "Humans"),
    "Mathematics": ("Mathematics",),
    "Nature": ("Nature",),
    "Technology": ("Technology",),
    "Sports": ("Sports",),
}
"""The paper's classes, and the top categories of each; names of categories changed over time."""
Steps = NDArray[np.float64]
"""How many steps something is below each class of `ROOTS`; infinity if it is too many."""

SUBJECT = "http://purl.org/dc/terms/subject"
BROADER = "http://www.w3.org/2004/02/skos/core#broader"

_RESOURCE, _CATEGORY = "http://dbpedia.org/resource/", "http://dbpedia.org/resource/Category:"
_TRIPLE = re.compile(r"<([^>]*)> <([^>]*)> (?:<([^>]*)>|\".*) ?(?:<[^>]*> )?\.\s*")


def read_pairs(path: Path, predicate: str) -> Iterator[tuple[str, str]]:
    """Yield the subject and the object of each triple that has `predicate`, as a stream.

    The lines are N-Triples or N-Quads. Objects that are literals are skipped. Raises `PteError` for
    a damaged file, and for a line that is not a triple, a quad, a comment or empty.
    """
    for number, line in enumerate(stream_lines(path), start=1):
        text = line.decode("utf-8", "replace")
        triple = _TRIPLE.fullmatch(text)
        if triple is None and text.strip() and not text.startswith("#"):
            raise PteError(f"{path}: line {number} is no triple; is it a dump of DBpedia?")
        if triple is not None and triple[2] == predicate and triple[3] is not None:
            yield triple[1], triple[3]


def steps_below(
    broader: Iterable[tuple[str, str]], roots: Mapping[str, tuple[str, ...]], depth: int
) -> dict[str, Steps]:
    """Find the steps of each category that is at most `depth` steps below a class.

    `broader` has pairs of a category and a category right above it. Raises `PteError` when a class
    has none of its roots in `broader`.
    """
    numbers: dict[str, int] = {}
    pairs = [[numbers.setdefault(each, len(numbers)) for each in pair] for pair in broader]
    children, parents = np.array(pairs, np.int64).reshape(-1, 2).T
    shape = (len(numbers), len(numbers))
    graph = sparse.csr_array((np.ones(len(pairs)), (parents, children)), shape=shape)
    steps = np.empty((len(numbers), len(roots)))
    for i, (name, tops) in enumerate(roots.items()):
        there = [numbers[_CATEGORY + top] for top in tops if _CATEGORY + top in numbers]
        if not there:
            raise PteError(f"categories: there is no {' or '.join(tops)}, the top of {name}")
        steps[:, i] = csgraph.dijkstra(
            graph, indices=there, unweighted=True, limit=depth, min_only=True
        )
    return {name: steps[i] for name, i in numbers.items() if np.isfinite(steps[i]).any()}


def class_of_titles(
    subjects: Iterable[tuple[str, str]], steps: Mapping[str, Steps], counts: Counter[str]
) -> dict[str, str]:
    """Return the class of each article by its title.

    `subjects` has pairs of an article and one of its categories. An article is ambiguous, and is
    left out, if several classes are equally near. `counts` gets the number of labelled articles and
    the number of ambiguous articles.
    """
    found: dict[str, Steps] = {}
    for article, category in subjects:
        above = steps.get(category)
        if above is not None:
            title = unquote(article.removeprefix(_RESOURCE)).replace("_", " ")
            found[title] = np.minimum(above, found.get(title, above))
    names, labels = list(ROOTS), {}
    for title, each in found.items():
        nearest = np.flatnonzero(each == each.min())
        if nearest.size == 1:
            labels[title] = names[nearest[0]]
    counts["labelled articles"] += len(labels)
    counts["ambiguous articles"] += len(found) - len(labels)
    return labels


def drawn(labels: Mapping[str, str], per_class: int, seed: int) -> dict[str, str]:
    """Draw `per_class` articles of each class at random.

    Raises `PteError` if a class has fewer articles.
    """
    random = np.random.default_rng(seed)
    chosen: dict[str, str] = {}
    for name in sorted(set(labels.values())):
        titles = sorted(title for title, label in labels.items() if label == name)
        if len(titles) < per_class:
            raise PteError(f"per-class is {per_class}, but {name} has {len(titles)} articles")
        places = random.permutation(len(titles))[:per_class]
        chosen |= {titles[i]: name for i in sorted(places.tolist())}
    return chosen


def write_table(labels: Mapping[str, str], path: Path) -> None:
    """Write a table of the columns `title` and `class`, sorted by title, compressed by gzip."""
    lines = ["title\tclass", *(f"{title}\t{labels[title]}" for title in sorted(labels))]
    with atomic_file(path) as temporary:
        temporary.write_bytes(gzip.compress("\n".join([*lines, ""]).encode(), mtime=0))


def main(arguments: list[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(
        prog="python -m pte.corpora.dbpedia",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("articles", type=Path, help="article_categories of DBpedia")
    parser.add_argument("categories", type=Path, help="skos_categories of DBpedia")
    parser.add_argument("table", type=Path, help="the table that is written")
    parser.add_argument("--depth", type=int, default=3, help="steps up from an article, at most")
    parser.add_argument(
        "--per-class", type=int, help="draw so many of each class; 9000 in the paper"
    )
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    for name, least in (("depth", 1), ("per_class", 1), ("seed", 0)):
        if (given := getattr(asked, name)) is not None and given < least:
            parser.error(f"--{name.replace('_', '-')} is {given}; it must be at least {least}")
    counts: Counter[str] = Counter()
    try:
        steps = steps_below(read_pairs(asked.categories, BROADER), ROOTS, asked.depth - 1)
        subjects = read_pairs(asked.articles, SUBJECT)
        labels = class_of_titles(subjects, steps, counts)
        if asked.per_class is not None:
            labels = drawn(labels, asked.per_class, asked.seed)
        write_table(labels, asked.table)
    except PteError as error:
        sys.exit(f"error: {error}")
    print(dict(counts), dict(Counter(labels.values())), sep="\n")


if __name__ == "__main__":
    main()
