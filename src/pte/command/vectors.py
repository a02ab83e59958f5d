"""Commands about words and vectors: explain, transform, neighbours and export."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pte.classify import load
from pte.command.documents import learnt_from, read_to_predict
from pte.command.flags import OF_LABELS, OF_TEXTS, OUTPUT, PATH, keep_documents, keep_inputs, takes
from pte.command.predict import check_vectors
from pte.command.shown import say, show_facts, show_json, write_records
from pte.errors import PteError, called, shown
from pte.tables.documents import Documents

if TYPE_CHECKING:
    from pte.classify.base import TextEmbedding
    from pte.corpora.encoded import EncodedCorpus
    from pte.keyed_vectors import KeyedVectors


UNKNOWN = "(no known word)"  # in place of words for a document without a known word


@click.command()
@click.argument("model", type=PATH)
@takes(*OF_TEXTS, *OF_LABELS, "--unlabelled", "--vectors", "--class", "--top")
@click.option("--rows", metavar="IDS", help="Only these: ids or numbers of lines, with commas.")
@click.option("-o", "--output", type=OUTPUT, help="A file; .csv holds a table, .jsonl JSON.")
def explain(model: Path, file: str, output: Path | None, as_json: bool, **values: Any) -> None:
    """Print the words of each document of FILE that speak for and against its label.

    A line has the id, the label, its probability, a word, and how much the log-odds of the label
    fall when the word is left out. A negative number speaks against the label. With `--label`, only
    documents without a label are explained, unless `--rows` names some.

    \b
    Examples:
      echo "a late goal" | pte explain model.npz -
      pte explain model.npz reviews.csv --rows 26,31
    """
    keep_documents(output, file, values, model, as_json=as_json)
    classifier = load(model)
    if not hasattr(classifier, "explain"):
        raise PteError(f"{model}: this model was fitted without labels; fit one with --label")
    wanted, name, top = (values.pop(key) for key in ("rows", "name", "top"))
    unlabelled = values.pop("unlabelled")
    if wanted is not None:  # whoever names a row wants it, with a label or without
        unlabelled, values["label"] = False, None
    check_vectors(classifier, values["vectors"])
    documents = read_to_predict(file, values, unlabelled, learnt_from(model).columns)
    documents = _chosen(file, documents, wanted)
    header = (values["id"] or "document", "label", "probability", "word", "log-odds")
    write_records(header, _records(classifier, documents, name, top), output, as_json, named=True)


def _chosen(file: str, documents: Documents, wanted: str | None) -> Documents:
    if wanted is None:
        return documents
    names = [name.strip() for name in wanted.split(",") if name.strip()] or [wanted]
    if missing := [name for name in names if name not in documents.ids]:
        said = called(missing[0], documents.unit)
        there = f"they are {shown([str(each) for each in documents.ids], 2, quoted=False)}"
        raise PteError(f"{file}: no document {said} is there to explain; {there}")
    return documents.some([name in names for name in documents.ids])


def _records(
    classifier: Any, documents: Documents, name: str | None, top: int
) -> Iterator[tuple[Sequence[str], dict[str, Any]]]:
    names = [str(each) for each in classifier.classes_.tolist()]
    if name is not None and name not in names:
        raise PteError(f"--class: no label {name!r}; there are {', '.join(names)}")
    n = len(documents.ids)
    for i, identity in enumerate(documents.ids):
        text = documents.some([i == each for each in range(n)]).encoded(classifier)
        likely = classifier.predict_proba(text)[0]
        number = int(likely.argmax()) if name is None else names.index(name)
        label, probability = names[number], float(likely[number])
        same = {"id": identity, "label": label, "probability": probability}
        cells = (identity, label, f"{probability:.4f}")
        words = classifier.explain(text, label, top)
        if not words:
            yield (*cells, UNKNOWN, ""), {**same, "word": None, "log_odds": None}
        for word, adds in words:
            yield (*cells, word, f"{adds:+.3f}"), {**same, "word": word, "log_odds": adds}


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
        if name not in labels:
            raise PteError(f"{model}: no label {name!r}; there are {', '.join(labels)}")
        found = fitted.word_vectors_.nearest(labels[name], topn=top)
    else:
        raise PteError(f"{model}: a {type(fitted).__name__} has no vectors of classes")
    if as_json:
        show_json([{"word": word, "cosine": cosine} for word, cosine in found])
        return
    from pte.classify.advice import table

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
    from pte.classify.compiling import noted_compiling

    with noted_compiling():
        encoded = documents.encoded(model)
    known = model.count_known(encoded)
    strange = [name for name, n in zip(documents.ids, known, strict=True) if not n]
    if strange:
        what = f"{len(strange):,} of {known.size:,} documents hold no word that the model knows"
        click.echo(f"Warning: {what}; the first is {strange[0]}", err=True)
    return encoded
