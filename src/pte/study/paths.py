"""The names of files: where the workflow puts what it makes."""

from collections.abc import Iterable

CORPUS = "resources/corpora/{corpus}"
NEIGHBOURS = "resources/neighbours/{corpus}.npz"
KERNELS = "resources/warm_up/{kernels}.json"
NETWORK = "resources/networks/{corpus}/{labels}/{network}"
CHOICE = "results/choices/{corpus}/{method}.json"
REPRESENTATION = "results/representations/{corpus}/{method}/seed{seed}"
SCORES = "results/scores/{corpus}/{method}/{setting}/seed{seed}"
SWEEP = "results/sensitivity/runs/{corpus}/{parameter}/{value}/seed{seed}"
MAP = "results/maps/{corpus}/{method}/seed{seed}"
COST = "results/costs"
"""The folder of cost files. A cost file has the name of the result that it belongs to."""

TABLE_KINDS = ("csv", "md", "html", "tex", "txt")
FIGURE_KINDS = ("pdf", "svg", "png")


def either(names: Iterable[str]) -> str:
    """A regular expression of the names, for a wildcard; it matches "none" if there are none."""
    return "|".join(names) or "none"


def corpus(name: str) -> str:
    """The folder of an encoded corpus, or of a subset of one."""
    return CORPUS.format(corpus=name)


def archive(file: str) -> str:
    """An archive, by its own name."""
    return f"resources/archives/{file}"


def kernels(name: str) -> str:
    """The file that shows that a set of kernels is compiled."""
    return KERNELS.format(kernels=name)


def representation(corpus: str, method: str, seed: int | str) -> str:
    """What a method learnt, without the ending: .npy is the array, .json what it took."""
    return REPRESENTATION.format(corpus=corpus, method=method, seed=seed)


def table(name: str) -> list[str]:
    """The files of a table of scores."""
    return [f"results/tables/{name}.{kind}" for kind in TABLE_KINDS]


def figure(name: str) -> list[str]:
    """The files of a figure."""
    return [f"results/figures/{name}.{kind}" for kind in FIGURE_KINDS]


def with_ending(stems: Iterable[str], ending: str) -> list[str]:
    """Names of files from names without their ending."""
    return [f"{stem}.{ending}" for stem in stems]


def cost(made: str) -> str:
    """Where a job writes what it took, by the name without ending of what it makes."""
    return f"{COST}/{made.removeprefix('results/').removeprefix('resources/')}.json"
