"""The command that learns from documents and writes a model."""

from pathlib import Path
from typing import Any

import click

from pte.command.documents import STANDARD_INPUT, check_documents, read_to_learn
from pte.command.flags import (
    NO_LABELS,
    OUTPUT,
    Training,
    common,
    keep_inputs,
    reads_labels,
    reads_texts,
    trains,
)
from pte.command.model_files import PATH, load_model
from pte.command.shown import has_terminal, show_facts
from pte.errors import PteError


@click.command()
@reads_texts
@reads_labels
@trains
@NO_LABELS
@click.option("--auto", is_flag=True, help="PTE(auto): usually better, and often slower.")
@click.option("--from", "known", type=PATH, metavar="MODEL", help="Go on from this model.")
@click.option("-o", "--output", type=OUTPUT, required=True, help="The file of the model.")
@common
def fit(
    file: str,
    no_labels: bool,
    auto: bool,
    known: Path | None,
    output: Path,
    as_json: bool,
    **values: Any,
) -> None:
    """Learn from the documents of FILE, and write a model.

    With labels of two classes or more, the model classifies. With `--no-labels` it only has
    vectors. Documents without a label train as well. PTE(auto), by `--auto`, also looks at the
    words themselves, finds T itself, and takes one label for a document, not several. With
    `--from`, training goes on from a model: words that the model knows begin with their vectors,
    and options that you leave out are those of the model.

    \b
    Examples:
      pte fit reviews.csv --text review --label stars --output model.npz
      pte fit reviews.csv --text review --label stars --auto --output model.npz
      pte fit texts.txt --no-labels --output vectors.npz
      pte fit more.csv --from model.npz --samples 1000000 --output model.npz
    """
    from pte.estimators.progress import noted_compiling

    keep_inputs(output, file)
    training = Training.of(values)
    if auto:
        _check_auto(training, no_labels, known)
    documents, notes = read_to_learn(file, values.pop("format"), values, no_labels), _notes(file)
    check_documents(file, documents, needs_labels=False)
    if auto and any(document.more_labels for document in documents.found):
        raise PteError(
            f"{file}: documents have several labels; --auto learns one each: leave it out"
        )
    model = _model(training, bool(documents.classes), auto, known)
    model.set_params(verbose=int(has_terminal()))
    with noted_compiling(not has_terminal()):
        model.fit(documents.texts, documents.labels)
    model.set_params(verbose=0).save(output, notes)
    show_facts(
        {
            "model": str(output),
            "estimator": type(model).__name__,
            "documents": len(documents.found),
            "labelled": sum(document.label is not None for document in documents.found),
            "classes": documents.classes,
            "words": len(model.word_vectors_),
            "samples": model.samples_,
        },
        as_json,
    )


def _notes(file: str) -> dict[str, Any]:
    """Return facts of the text for the model file: the name, and the hash if it is a file."""
    from pte.files import sha256_of

    if file == STANDARD_INPUT:
        return {"file": "standard input"}
    return {"file": file} | ({"sha256": sha256_of(Path(file))} if Path(file).is_file() else {})


def _model(training: Training, is_labelled: bool, auto: bool, known: Path | None) -> Any:
    """Return the estimator to fit."""
    import pte

    if auto:
        if not is_labelled:
            raise PteError("--auto needs labels; leave it out, or name their column: --label")
        return pte.PTEAuto(**training.shared())
    if known:
        return _going_on(known, training)
    return (pte.PTEClassifier if is_labelled else pte.PTE)(**training.of_networks())


def _check_auto(training: Training, no_labels: bool, known: Path | None) -> None:
    """Raise `UsageError` for options that do not go with `--auto`."""
    if training.samples != "chosen":
        raise click.UsageError("--auto finds T itself; leave --samples out")
    if known:
        raise click.UsageError("--auto learns afresh; leave --from out")
    if no_labels:
        raise click.UsageError("--auto needs labels; leave --no-labels out, or --auto")


def _going_on(path: Path, training: Training) -> Any:
    """Return the model of a file, ready to be fitted further."""
    model = load_model(path)
    if not hasattr(model, "warm_start"):
        raise PteError(
            f"{path}: a {type(model).__name__} cannot go on; leave --from out to learn afresh, or "
            "name a model that `pte fit` wrote without --auto"
        )
    typed, dim = training.typed(), model.word_vectors_.dim
    if typed.get("dim", dim) != dim:
        raise PteError(
            f"{path}: its vectors have {dim} numbers, not {typed['dim']}; leave --dim out"
        )
    return model.set_params(warm_start=True, **typed)
