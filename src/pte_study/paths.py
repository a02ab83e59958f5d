"""The names of the files that the workflow makes or reads.

Most names in capitals are patterns with wildcards. Most patterns of results have no ending, because
a table or a figure is several files. `with_ending` adds the ending.
"""

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
KERNELS = "resources/warm_up/{kernels}.json"
NETWORK = "resources/networks/{corpus}/{labels}/{network}"
ENCODED = "resources/encoded/{corpus}.npy"
"""The vectors that an encoder makes of the texts of a corpus."""
CHOICE = "results/choices/{corpus}/{method}.json"
REPRESENTATION = "results/representations/{corpus}/{method}/{protocol}/seed{seed}"
"""The fit of a method: with the ending .npy its array, with .json the record of its training."""
CLASSIFIER = "results/classifiers/{corpus}/{method}/{protocol}.json"
"""The classifier that was chosen for a method."""
SCORES = "results/scores/{corpus}/{method}/{protocol}/seed{seed}"
SENSITIVITY_RUN = "results/sensitivity/runs/{corpus}/{parameter}/{value}/seed{seed}"
PLACES = "results/maps/{corpus}/{method}/seed{seed}"
COST = "results/costs"
"""The folder of cost files. A cost file has the name of the result that it belongs to."""

CLAIMS = "results/claims/claims"
CLAIM = "results/claims/alone/{claim}"
"""The verdicts on one claim alone; `CLAIMS` has the verdicts on all claims."""
TIMED = "results/claims/timed/{corpus}/{method}/seed{seed}"
"""A training with all threads, which is made to measure its seconds."""
BY_NEIGHBOURS = "results/claims/neighbours/{corpus}/{method}/seed{seed}"
"""The most frequent class among the nearest documents of each test document."""
IN_TRAINING = "results/claims/training_neighbours/{corpus}/{method}/seed{seed}"
"""Of which training documents this class is right, and not that of other training documents."""
NEIGHBOURS_VOTE = (BY_NEIGHBOURS, IN_TRAINING)
"""What the nearest documents say; no training is timed for it."""
BESIDE = {"seconds": TIMED, "neighbours": BY_NEIGHBOURS, "training neighbours": IN_TRAINING}
"""The results that claims compare beside scores, by the name of the measure."""

PAGE = "results/{page}.html"

PUBLISHED = "results/published"
PUBLISHED_CLAIMS = f"{PUBLISHED}/claims"
PROVENANCE = f"{PUBLISHED}/provenance"
HOURS = f"{PUBLISHED}/hours"
SEARCHES = f"{PUBLISHED}/searches"
LEADS = f"{PUBLISHED}/leads"
ALL_SCORES = f"{PUBLISHED}/scores"
"""The long tables of micro-F1, of which the README has ten rows."""
PUBLISHED_RUNS = f"{PUBLISHED}/runs"
PUBLISHED_RUN = f"{PUBLISHED_RUNS}/{{corpus}}.npz"
"""The published runs on a corpus and on its subsets."""
README = "README.md"
PAPER_SCORES = "workflow/registry/paper_results.csv"
OTHERS_SCORES = "workflow/registry/third_party_results.csv"
PAPER_CORPORA = "workflow/registry/paper_datasets.csv"

TEXT_KINDS = ("csv", "md", "tex")
FIGURE_KINDS = ("pdf", "svg", "png")


def either(names: Iterable[str]) -> str:
    """Return a regular expression that matches each name; without names, it matches "none"."""
    return "|".join(names) or "none"


def corpus(name: str) -> str:
    """Return the folder of an encoded corpus, or of a subset of a corpus."""
    return CORPUS.format(corpus=name)


def archive(file: str) -> str:
    """Return the path of an archive whose file has this name."""
    return ARCHIVE.format(file=file)


def kernels(name: str) -> str:
    """Return the file that shows that a set of kernels is compiled."""
    return KERNELS.format(kernels=name)


def wildcards_of(pattern: str, file: str) -> dict[str, str] | None:
    """Return the values of a pattern's wildcards in a file's name; None if it does not match."""
    found = _expression(pattern).fullmatch(file)
    return found and found.groupdict()


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", re.escape(pattern)))


def with_ending(stems: Iterable[str], ending: str) -> list[str]:
    """Return the names of files, from names without ending."""
    return [f"{stem}.{ending}" for stem in stems]


def cost(made: str) -> str:
    """Return the cost file of a job that makes the result `made`."""
    name = made.removesuffix(".json").removesuffix(".npz").removesuffix(".npy")
    return f"{COST}/{name.removeprefix('results/').removeprefix('resources/')}.json"


def anchor(text: str) -> str:
    """Make a name for a link, or for a class, from a title."""
    return re.sub(r"[\W_]+", "-", text.lower()).strip("-")
