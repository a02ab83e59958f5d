"""The names of the files that the workflow makes or reads; those in capitals have wildcards.

Most results have no ending, as a table or a figure is several files; `with_ending` adds it."""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path


def in_checkout(name: str) -> str:
    """Return a file of the checkout, by its whole path if this runs in another folder."""
    return name if Path(name).is_file() else str(Path(__file__).parents[2] / name)


ARCHIVE = "resources/archives/{file}"
CORPUS = "resources/corpora/{corpus}"
NEIGHBOURS = "resources/neighbours/{corpus}.npz"
KERNELS = "resources/warm_up.done"
NETWORK = "resources/networks/{corpus}/{labels}/{network}"
ENCODED = "resources/encoded/{corpus}.npy"
CHOICE = "results/choices/{corpus}/{method}.json"
REPRESENTATION = "results/representations/{corpus}/{method}/{protocol}/seed{seed}"
CLASSIFIER = "results/classifiers/{corpus}/{method}/{protocol}.json"
SCORES = "results/scores/{corpus}/{method}/{protocol}/seed{seed}"
SENSITIVITY_RUN = "results/sensitivity/runs/{corpus}/{parameter}/{value}/seed{seed}"
PLACES = "results/maps/{corpus}/{method}/seed{seed}"
COST = "results/costs"  # a cost file has its result's name
CLAIMS = "results/claims/claims"
TIMED = "results/claims/timed/{corpus}/{method}/seed{seed}"  # trained with all threads
BY_NEIGHBOURS = "results/claims/neighbours/{corpus}/{method}/seed{seed}"  # for test documents
IN_TRAINING = "results/claims/training_neighbours/{corpus}/{method}/seed{seed}"
"""Of which training documents the vote of their neighbours is right."""
BESIDE = {"seconds": TIMED, "neighbours": BY_NEIGHBOURS, "training neighbours": IN_TRAINING}
RUNS = {"scores": SCORES, "training": SENSITIVITY_RUN, **BESIDE}
"""The names of runs, by their kinds."""

PUBLISHED = "results/published"
PUBLISHED_CLAIMS = f"{PUBLISHED}/claims"
PROVENANCE = f"{PUBLISHED}/provenance"
LEADS = f"{PUBLISHED}/leads"
ALL_SCORES = f"{PUBLISHED}/scores"  # the long tables
PUBLISHED_RUNS = f"{PUBLISHED}/runs"
PUBLISHED_RUN = f"{PUBLISHED_RUNS}/{{corpus}}.npz"  # a corpus and its subsets
README = "README.md"
PAPER_SCORES = "workflow/registry/paper_results.csv"
OTHERS_SCORES = "workflow/registry/third_party_results.csv"
PAPER_CORPORA = "workflow/registry/paper_datasets.csv"

TEXT_KINDS = ("csv", "md")
FIGURE_KINDS = ("pdf", "svg", "png")


def either(names: Iterable[str]) -> str:
    """Return a regular expression that matches each name; without names, it matches "none"."""
    return "|".join(names) or "none"


def corpus(name: str) -> str:
    return CORPUS.format(corpus=name)


def archive(file: str) -> str:
    return ARCHIVE.format(file=file)


def wildcards_of(pattern: str, file: str) -> dict[str, str] | None:
    """Return the values of a pattern's wildcards in a file's name; None if it does not match."""
    found = _expression(pattern).fullmatch(file)
    return found and found.groupdict()


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", re.escape(pattern)))


def with_ending(stems: Iterable[str], ending: str) -> list[str]:
    return [f"{stem}.{ending}" for stem in stems]


def cost(made: str) -> str:
    name = made.removesuffix(".json").removesuffix(".npz").removesuffix(".npy")
    return f"{COST}/{name.removeprefix('results/').removeprefix('resources/')}.json"


def anchor(text: str) -> str:
    """Make a name for a link, or for a class, from a title."""
    return re.sub(r"[\W_]+", "-", text.lower()).strip("-")
