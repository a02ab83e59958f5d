"""The names of files: where the workflow puts what it makes, and what it reads.

Names in capitals are patterns with wildcards. Those of results have no ending, because a table or a
figure is several files; `with_ending` and `of_kinds` add it.
"""

import re
from collections.abc import Iterable
from functools import cache
from itertools import chain, zip_longest

ARCHIVE = "resources/archives/{file}"
CORPUS = "resources/corpora/{corpus}"
NEIGHBOURS = "resources/neighbours/{corpus}.npz"
KERNELS = "resources/warm_up/{kernels}.json"
NETWORK = "resources/networks/{corpus}/{labels}/{network}"
DOCUMENTS = "resources/documents/{corpus}"
"""What is read of a corpus that is encoded in shards."""
SHARD = "resources/shards/{corpus}/{scatteritem}"
"""A shard of an encoded corpus, with word numbers of its own."""
NETWORK_SHARD = "resources/network_shards/{corpus}/{labels}/{network}/{scatteritem}"

NODE = "resources/rounds/{corpus}/{method}/{protocol}/seed{seed}/node{node}/{round}"
"""What a node learns in a round, of a method that several train together."""
ROWS = "resources/rounds/{corpus}/{method}/{protocol}/seed{seed}/rows/{round}.npy"
"""What its nodes have joined after a round."""

CHOICE = "results/choices/{corpus}/{method}.json"
REPRESENTATION = "results/representations/{corpus}/{method}/{protocol}/seed{seed}"
CLASSIFIER = "results/classifiers/{corpus}/{method}/{protocol}.json"
"""The classifier that was chosen for a method."""
SCORES = "results/scores/{corpus}/{method}/{protocol}/seed{seed}"
SENSITIVITY_RUN = "results/sensitivity/runs/{corpus}/{parameter}/{value}/seed{seed}"
PLACES = "results/maps/{corpus}/{method}/seed{seed}"
COST = "results/costs"
"""The folder of cost files. A cost file has the name of the result that it belongs to."""

TIDY = "results/tidy/{table}.csv"
TIDY_CURVE = "results/tidy/curves/{curve}.csv"
TABLE = "results/tables/{table}"
TABLE1 = "results/tables/table1"
TIMES = "results/times/{table}"
CURVE = "results/curves/{curve}"
SENSITIVITY = "results/sensitivity/{parameter}"
MAP = "results/maps/{corpus}"
CLAIMS = "results/claims/claims"
CLAIM = "results/claims/alone/{claim}"
"""Verdicts on one claim alone; the one above is of all claims."""
TIMED = "results/claims/timed/{corpus}/{method}/seed{seed}"
"""A training with all threads, for its seconds."""
BY_NEIGHBOURS = "results/claims/neighbours/{corpus}/{method}/seed{seed}"
"""The class that most of the nearest documents of a test document have."""
BESIDE = {"seconds": TIMED, "neighbours": BY_NEIGHBOURS}
"""What claims are about beside scores, by the name of the measure."""

FIGURE = "results/figures/{table}"
TIMES_FIGURE = "results/figures/times/{table}"
CURVE_FIGURE = "results/figures/curves/{curve}"
SENSITIVITY_FIGURE = "results/figures/sensitivity/{parameter}"
MAP_FIGURE = "results/figures/maps/{corpus}"
NETWORK_FIGURE = "results/figures/network"

PAGE = "results/{page}.html"
OWN = "results/own/{own}"
"""The folder of what is made of a text of the user's own."""

VERIFIED = "results/verify/runs"
"""Published runs beside the same runs here."""

PUBLISHED = "results/published"
PUBLISHED_CLAIMS = f"{PUBLISHED}/claims"
PROVENANCE = f"{PUBLISHED}/provenance"
HOURS = f"{PUBLISHED}/hours"
SEARCHES = f"{PUBLISHED}/searches"
PUBLISHED_RUNS = f"{PUBLISHED}/runs"
PUBLISHED_RUN = f"{PUBLISHED_RUNS}/{{corpus}}.npz"
"""The published runs on a corpus, and on subsets of it."""
README = "README.md"
PAPER_SCORES = "workflow/registry/paper_results.csv"
OTHERS_SCORES = "workflow/registry/third_party_results.csv"
PAPER_CORPORA = "workflow/registry/paper_datasets.csv"

TABLE_KINDS = ("csv", "md", "html", "tex", "txt")
TEXT_KINDS = ("csv", "md", "tex")
FIGURE_KINDS = ("pdf", "svg", "png")


def either(names: Iterable[str]) -> str:
    """A regular expression of the names, for a wildcard; it matches "none" if there are none."""
    return "|".join(names) or "none"


def corpus(name: str) -> str:
    """The folder of an encoded corpus, or of a subset of one."""
    return CORPUS.format(corpus=name)


def archive(file: str) -> str:
    """An archive, by its own name."""
    return ARCHIVE.format(file=file)


def kernels(name: str) -> str:
    """The file that shows that a set of kernels is compiled."""
    return KERNELS.format(kernels=name)


def representation(corpus: str, method: str, protocol: str, seed: int | str) -> str:
    """What a method learnt, without the ending: .npy is the array, .json what it took."""
    return REPRESENTATION.format(corpus=corpus, method=method, protocol=protocol, seed=seed)


def table(name: str) -> list[str]:
    """The files of a table of scores."""
    return of_kinds(TABLE.format(table=name), TABLE_KINDS)


def figure(name: str) -> list[str]:
    """The files of a figure."""
    return of_kinds(FIGURE.format(table=name), FIGURE_KINDS)


def each(pattern: str, ending: str, wildcard: str, names: Iterable[str]) -> list[str]:
    """A file for each of the names that the wildcard of a pattern stands for."""
    return with_ending((pattern.format_map({wildcard: name}) for name in names), ending)


def gathered(pattern: str) -> str:
    """A pattern of which only the number of a shard is to be filled in."""
    return pattern.replace("{", "{{").replace("}", "}}").replace("{{scatteritem}}", "{scatteritem}")


def wildcards_of(pattern: str, file: str) -> dict[str, str] | None:
    """What the wildcards of a pattern stand for in a file's name; None if it does not match."""
    found = _expression(pattern).fullmatch(file)
    return found and found.groupdict()


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    texts, names = re.split(r"{\w+}", pattern), re.findall(r"{(\w+)}", pattern)
    groups = [f"(?P<{name}>[^/]+)" for name in names]
    return re.compile("".join(chain(*zip_longest(map(re.escape, texts), groups, fillvalue=""))))


def with_ending(stems: Iterable[str], ending: str) -> list[str]:
    """Names of files from names without their ending."""
    return [f"{stem}.{ending}" for stem in stems]


def without_ending(files: Iterable[str]) -> list[str]:
    """What `with_ending` was given."""
    return [file.rpartition(".")[0] for file in files]


def of_kinds(stem: str, kinds: Iterable[str]) -> list[str]:
    """The files of one name with several endings."""
    return [f"{stem}.{kind}" for kind in kinds]


def cost(made: str) -> str:
    """Where a job writes what it took, by the name of what it makes."""
    name = made.removesuffix(".json").removesuffix(".npz")
    return f"{COST}/{name.removeprefix('results/').removeprefix('resources/')}.json"
