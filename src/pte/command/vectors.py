"""Commands about vectors: of documents (transform), of words and labels (neighbours, export)."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pte.classify import load
from pte.command.documents import read_to_predict
from pte.command.flags import (
    OF_TEXTS,
    OUTPUT,
    PATH,
    keep_documents,
    keep_inputs,
    takes,
)
from pte.command.kept import learnt_from
from pte.command.predict import check_vectors
from pte.command.shown import say, show_facts, show_json, write_records
from pte.errors import PteError
from pte.tables.documents import Documents

if TYPE_CHECKING:
    from pte.classify.base import TextEmbedding
    from pte.corpora.encoded import EncodedCorpus
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


@click.command()
@click.argument("model", type=PATH)
@takes(*OF_TEXTS, "--vectors")
@click.option(
    "-o",
    "--output",
    type=OUTPUT,
    help="A file: .npy holds an array, .csv and .tsv a table, .jsonl and .json JSON, others tabs.",
)
def transform(model: Path, file: str, output: Path | None, as_json: bool, **values: Any) -> None:
    """Print the vector of each document of FILE: its id, then the numbers.

    An output file that ends in .npy gets a float32 array instead, with a row for each document.

    \b
    Example:
      echo "a late goal" | pte transform model.npz -
    """
    keep_documents(output, file, values, model, as_json=as_json)
    as_array = output is not None and output.suffix.lower() == ".npy"
    fitted = load(model)
    check_vectors(fitted, values["vectors"])
    documents = read_to_predict(file, values, False, learnt_from(model).columns)
    found = fitted.transform(_encoded(fitted, documents))
    if output is not None and as_array:
        import numpy as np

        from pte.files import output_file

        with output_file(output) as temporary, temporary.open("wb") as target:
            np.save(target, found)
        return
    head = (values["id"] or "document", *map(str, range(1, found.shape[1] + 1)))
    records = (
        ((name, *(f"{x:.9g}" for x in row)), {"id": name, "vector": row})
        for name, row in zip(documents.ids, found.tolist(), strict=True)
    )
    write_records(head, records, output, as_json)


def _encoded(model: "TextEmbedding", documents: Documents) -> "EncodedCorpus":
    """Encode documents in the words of a model; warn of documents without any of them."""
    from pte.classify.base import noted_compiling

    with noted_compiling():
        encoded = documents.encoded(model)
    known = model.count_known(encoded)
    strange = [name for name, n in zip(documents.ids, known, strict=True) if not n]
    if strange:
        what = f"{len(strange):,} of {known.size:,} documents hold no word that the model knows"
        click.echo(f"Warning: {what}; the first is {strange[0]}", err=True)
    return encoded
