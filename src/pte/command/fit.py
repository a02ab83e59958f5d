"""The command that learns from documents and writes a model."""

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from pte.command.contests import kept_advice, kept_of
from pte.command.documents import (
    Documents,
    check_documents,
    is_stream,
    read_to_learn,
    sha256_of_text,
    vectors_of,
)
from pte.command.flags import (
    GROUP,
    NO_LABELS,
    OF_A_FILE,
    OUTPUT,
    PATH,
    Training,
    common,
    encodes,
    keep_inputs,
    merges_labels,
    reads_labels,
    reads_texts,
    trains,
    typed_options,
)
from pte.command.learnt import noted
from pte.command.predict import COME_BACK
from pte.command.shown import has_terminal, say, show_facts
from pte.corpora.compressed import by_name, uncompressed
from pte.corpora.own import FORMATS
from pte.corpora.text_files import readable
from pte.errors import PteError

USUAL, OF_SEVERAL = "pte_auto", "pte_joint"
"""The methods that are learnt where nothing says which, for one label and for several labels."""

ENDINGS = {ending for kind in COME_BACK for ending in FORMATS[kind].endings}
"""The ends of names of files that come back with predictions in them."""


@click.command()
@reads_texts
@reads_labels
@merges_labels
@GROUP
@trains
@NO_LABELS
@click.option(
    "--method",
    metavar="NAME",
    help="The method; if left out, what `pte evaluate` advised for FILE, or PTE(auto).",
)
@encodes
@click.option("--from", "known", type=PATH, metavar="MODEL", help="Go on from this model.")
@click.option("-o", "--output", type=OUTPUT, required=True, help="The file of the model.")
@common
def fit(
    file: str,
    no_labels: bool,
    method: str | None,
    known: Path | None,
    output: Path,
    as_json: bool,
    **values: Any,
) -> None:
    """Learn from the documents of FILE, and write a model.

    The model classifies: by the method that `pte evaluate` advised for FILE, or by `--method`. It
    is the model that the contest has scored. With `--no-labels` it has vectors of words only.
    Documents without a label train as well. With `--from`, training of PTE goes on from a model:
    words that the model knows begin with their vectors, and options that you leave out are those of
    the model.

    \b
    Examples:
      pte fit reviews.csv --text review --label stars --output model.npz
      pte fit reviews.csv --text review --label stars --method bow --output model.npz
      pte fit texts.txt --no-labels --output vectors.npz
      pte fit more.csv --from model.npz --samples 1000000 --output model.npz
    """
    from pte.estimators.progress import noted_compiling

    _check_output(output, file, values["vectors"])
    training = Training.of(values)
    encoder, vectors = values.pop("encoder"), values.pop("vectors")
    if (no_labels or known) and {method, encoder, vectors} != {None}:
        given = "--no-labels" if no_labels else "--from"
        raise click.UsageError(f"{given} trains PTE; leave --method, --encoder and --vectors out")
    values |= {} if no_labels else _remembered(file, values)
    documents = read_to_learn(file, values.pop("format"), values, no_labels)
    needs_labels = not (no_labels or known)
    kept = kept_advice(file) if needs_labels else None
    told = kept.warnings if kept and kept.sha256 == sha256_of_text(file) else ()
    check_documents(file, documents, training.tokenizer, needs_labels, told)
    model = _model(file, documents, training, method, known)
    model.set_params(verbose=int(has_terminal()))
    more: dict[str, Any] = {"groups": documents.groups} if documents.groups else {}
    if encoder is not None or vectors is not None:
        if not hasattr(model, "encoder"):
            raise PteError("--encoder needs labels; name their column with --label")
        model.set_params(encoder=encoder)
        more["vectors"] = vectors_of(documents, encoder, vectors)
    with noted_compiling(not has_terminal()):
        model.fit(documents.texts, documents.labels, **more)
    notes = {"file": readable(file), "sha256": sha256_of_text(file), **noted(documents.columns)}
    notes |= {"merged_labels": documents.merges} if documents.merges else {}
    model.set_params(verbose=0).save(output, notes)
    _show(file, output, documents, model, as_json)


def _check_output(output: Path, file: str, vectors: str | None) -> None:
    """Refuse a name for the model that is an input's, or that says that it is compressed."""
    keep_inputs(output, file, vectors, kept_of(file))
    if kind := by_name(output):
        raise PteError(f"{output}: a model is not {kind.title}; leave {kind.ending} out")


def _show(file: str, output: Path, documents: Documents, model: Any, as_json: bool) -> None:
    """Print what was learnt, and to people the command that predicts."""
    from pte.contest.chosen import readable

    chosen = model.chosen_
    facts: dict[str, Any] = {
        "model": str(output),
        "method": getattr(model, "method", type(model).__name__),
        "documents": len(documents.found),
        "labelled": sum(document.label is not None for document in documents.found),
        "classes": documents.classes,
        "chosen": chosen if as_json else readable(chosen),
    }
    if judged := getattr(model, "judged_", None):
        facts["held-out documents"] = judged._asdict() if as_json else str(judged)
    show_facts(facts, as_json)
    if documents.classes and not as_json:
        say("\nNext:")
        say(f"  {_next(file, output)}")


def _next(file: str, model: Path) -> str:
    """Return the command that fills in the labels of a file."""
    path, options = Path(file), typed_options((*OF_A_FILE, "vectors"))
    ending = Path(uncompressed(path.name)).suffix
    ending = ending if ending.lower() in ENDINGS else ".csv"
    name = "" if is_stream(file) else path.name.partition(".")[0]
    output = f"{name}_filled{ending}".removeprefix("_")
    return shlex.join(["pte", "predict", str(model), file, *options, "--output", output])


def _model(
    file: str, documents: Documents, training: Training, method: str | None, known: Path | None
) -> Any:
    """Return the estimator to fit."""
    import pte
    from pte.contest.registry import method_named

    if known:
        return _going_on(known, training)
    shared = training.of_networks() | {"threads": training.threads or 1}
    if not documents.classes:
        return pte.PTE(**shared)
    name = method_named(_advised(file, documents) if method is None else method).name
    shared["tokenizer"] = documents.tokeniser(training.tokenizer)
    return pte.TextClassifier(method=name, order_lost=documents.order_lost, **shared)


def _advised(file: str, documents: Documents) -> str:
    """Return the method that the last contest on the text advised, or the usual method."""
    usual = OF_SEVERAL if any(each.more_labels for each in documents.found) else USUAL
    if (kept := kept_advice(file)) is None:
        return usual
    if kept.sha256 != sha256_of_text(file) or kept.classes != documents.classes:
        what = f"{kept_of(file)} is of another state of {file}, or of other labels"
        from pte.contest.registry import method_named

        alone = f"so {method_named(usual).label} is learnt, and nothing is taken from there"
        click.echo(f"Warning: {what}, {alone}; `pte evaluate` makes it again", err=True)
        return usual
    click.echo(f"{file}: learning {kept.label}, as {kept_of(file)} says", err=True)
    return kept.method


def _remembered(file: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the equal labels and the groups of the last contest, if the user says nothing else."""
    kept, found = kept_advice(file), dict[str, Any]()
    if kept is None or kept.sha256 != sha256_of_text(file):
        return {}
    if kept.merged and not (values["same"] or values["ignore_case"]):
        found["same"] = [f"{old}={new}" for old, new in kept.merged.items()]
    if kept.group and not values["group"]:
        found["group"] = kept.group
        click.echo(f"{file}: groups in column {kept.group!r}, as {kept_of(file)} says", err=True)
    return found


def _going_on(path: Path, training: Training) -> Any:
    """Return the model of a file, ready to be fitted further."""
    import pte

    model = pte.load(path)
    if isinstance(model, pte.TextClassifier) and model.method == OF_SEVERAL:
        model = model.as_pte()
    if not hasattr(model, "warm_start"):
        raise PteError(
            f"{path}: this model cannot go on; leave --from out to learn afresh, or name a model "
            "that `pte fit` wrote with --method pte-joint or --no-labels"
        )
    typed, dim = training.typed(), model.word_vectors_.dim
    if typed.get("dim", dim) != dim:
        raise PteError(
            f"{path}: its vectors have {dim} numbers, not {typed['dim']}; leave --dim out"
        )
    return model.set_params(warm_start=True, **typed)
