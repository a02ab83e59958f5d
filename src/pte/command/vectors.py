"""Commands that show or write the vectors of a model: neighbours, export."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pte.classify import load
from pte.command.flags import OUTPUT, PATH, keep_inputs, takes
from pte.command.shown import say, show_facts, show_json
from pte.errors import PteError

if TYPE_CHECKING:
    from pte.keyed_vectors import KeyedVectors


@click.command()
@click.argument("model", type=PATH)
@click.argument("words", nargs=-1)
@click.option("--minus", multiple=True, metavar="WORD", help="A word to be far from.")
@takes("--class", "--top", file=False)
def neighbours(
    model: Path,
    words: tuple[str, ...],
    minus: tuple[str, ...],
    name: str | None,
    top: int,
    as_json: bool,
) -> None:
    """Print the words nearest to WORDS, or to a class, with their cosines.

    \b
    Examples:
      pte neighbours model.npz goal
      pte neighbours model.npz --class sport
    """
    if bool(words or minus) == (name is not None):
        raise click.UsageError("give either words or a class (--class)")
    fitted = load(model)
    if name is None:
        found = fitted.word_vectors_.most_similar(words, minus, topn=top)
    elif labels := getattr(fitted, "label_vectors_", None):
        found = fitted.word_vectors_.nearest(labels[name], topn=top)
    else:
        raise PteError(f"{model}: a {type(fitted).__name__} has no vectors of classes")
    if as_json:
        show_json([{"word": word, "cosine": cosine} for word, cosine in found])
        return
    from pte.classify.summary import table

    for line in table([("word", "cosine"), *((word, f"{x:.3f}") for word, x in found)]):
        say(line)


@click.command()
@click.argument("model", type=PATH)
@click.argument("output", type=OUTPUT)
@click.option("--binary", is_flag=True, help="The binary format instead of text.")
@click.option("--labels", is_flag=True, help="The vectors of the labels, not of the words.")
@takes(file=False)
def export(model: Path, output: Path, binary: bool, labels: bool, as_json: bool) -> None:
    """Write the vectors of a model to OUTPUT, in word2vec's format.

    \b
    Example:
      pte export model.npz words.txt
    """
    keep_inputs(output, model)
    fitted = load(model)
    vectors: KeyedVectors | None = fitted.word_vectors_
    if labels:
        vectors = getattr(fitted, "label_vectors_", None)
    if vectors is None:
        raise PteError(f"{model}: it has no vectors of labels; fit it with labels")
    vectors.to_word2vec(output, binary=binary)
    show_facts({"file": str(output), "vectors": len(vectors), "dim": vectors.dim}, as_json)
