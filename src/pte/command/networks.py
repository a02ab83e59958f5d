"""Commands that build the networks of a text, describe them, and export them."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pte.command.documents import read_to_learn, warn_of
from pte.command.flags import (
    NO_LABELS,
    OUTPUT,
    PATH,
    TOKENIZER,
    WINDOW,
    common,
    keep_documents,
    keep_inputs,
    reads_labels,
    reads_texts,
)
from pte.command.shown import say, show_facts, show_json
from pte.errors import PteError

if TYPE_CHECKING:
    from pte.networks.bipartite import Network

NAMES = "names.json"
TYPES = {"ww": "w", "wd": "d", "wl": "l"}
"""The networks that are built, and their types in the format of the authors' program."""


@click.group()
def networks() -> None:
    """Build the networks of words, documents and labels; describe and export them."""


@networks.command()
@reads_texts
@reads_labels
@NO_LABELS
@click.argument("folder", type=PATH)
@WINDOW
@TOKENIZER
@common
def build(
    file: str,
    no_labels: bool,
    folder: Path,
    window: int,
    tokenizer: str,
    as_json: bool,
    **values: Any,
) -> None:
    """Build the networks of FILE's documents in a new FOLDER.

    Without labels, there is no network of words and labels; where the order of words is lost, none
    of words and words.

    \b
    Example:
      pte networks build reviews.csv networks --text review --label stars
    """
    from pte.classify.labels import read_labels
    from pte.classify.texts import tokeniser_of
    from pte.corpora.texts import training_corpus
    from pte.files import atomic_directory, write_json
    from pte.networks import named

    if folder.exists():
        raise PteError(f"{folder}: it exists already; delete it, or name another folder")
    keep_documents(folder / NAMES, file, values)
    documents = read_to_learn(file, values.pop("format"), values, no_labels)
    warn_of(file, documents.findings)
    texts = documents.texts
    labels = read_labels(documents.labels, len(texts))
    corpus = training_corpus(texts, labels, tokeniser_of(documents.tokeniser(tokenizer)))
    names = {
        "ww": [word.decode("utf-8", "backslashreplace") for word in corpus.words],
        "wd": documents.ids,
    }
    if labels is not None:
        names["wl"] = list(corpus.classes)
    with atomic_directory(folder) as temporary:
        for network in (name for name in names if name != "ww" or not documents.order_lost):
            named.build(network, corpus, window).save(temporary / network)
        write_json(temporary / NAMES, names)
    show_facts({"folder": str(folder)} | _sizes(read_networks(folder)), as_json)


@networks.command()
@click.argument("folder", type=PATH)
@common
def inspect(folder: Path, as_json: bool) -> None:
    """Print the sizes and the degrees of the networks in FOLDER.

    \b
    Example:
      pte networks inspect networks
    """
    from pte.networks.statistics import statistics

    found = {name: statistics(network) for name, network in read_networks(folder).items()}
    if as_json:
        show_json(found)
        return
    for name, facts in found.items():
        say(f"{name}: {facts['edges']:,} directed edges of weight {facts['weight']:,.0f}")
        for side in ("sources", "targets"):
            nodes, degrees = facts[side], facts[side]["degree_quantiles"]
            shown = ", ".join(f"{100 * float(q):g} % {value:,.0f}" for q, value in degrees.items())
            say(f"  {nodes['linked']:,} of {nodes['nodes']:,} {side}; degrees: {shown}")


@networks.command("export")
@click.argument("folder", type=PATH)
@click.argument("output", type=OUTPUT)
@common
def export_edges(folder: Path, output: Path, as_json: bool) -> None:
    """Write the networks in FOLDER to one file, as the authors' program reads them.

    A line has a source, a word, a weight and the type w, d or l, with tabs between them. Names of
    classes and documents have an underscore in place of each space.

    \b
    Example:
      pte networks export networks edges.txt
    """
    from pte.files import output_file, read_json
    from pte.networks.exchange import without_spaces, write_edges

    keep_inputs(output, *_files_of(folder))
    found = read_networks(folder)
    names = read_json(folder / NAMES, "ww", *found)
    raw = {n: without_spaces([text.encode() for text in names[n]]) for n in {"ww", *found}}
    typed = {TYPES[name]: network for name, network in found.items()}
    with output_file(output) as temporary:
        write_edges(temporary, typed, {TYPES[name]: raw[name] for name in found}, raw["ww"])
    show_facts({"file": str(output)} | _sizes(found), as_json)


def read_networks(folder: Path) -> "dict[str, Network]":
    """Return the networks in a folder of `build`, or the network in a folder of the workflow.

    Raises `PteError` when the folder holds no network.
    """
    from pte.networks.bipartite import Network

    if (folder / "network.json").is_file():
        return {folder.name: Network.load(folder)}
    found = [name for name in TYPES if (folder / name / "network.json").is_file()]
    if not found:
        raise PteError(f"{folder}: it holds no network; `pte networks build` makes some")
    return {name: Network.load(folder / name) for name in found}


def _files_of(folder: Path) -> list[Path]:
    """Return the files of the networks in a folder, or of the network that a folder holds."""
    rooms = [folder, *(folder / name for name in TYPES)]
    arrays = [array for room in rooms for array in room.glob("*.npy")]
    return [folder / NAMES, *(room / "network.json" for room in rooms), *arrays]


def _sizes(found: "dict[str, Network]") -> dict[str, int]:
    return {f"edges of {name}": network.n_edges for name, network in found.items()}
