"""The command that learns from documents and writes a model."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from pte.command.documents import (
    MERGED,
    check_documents,
    is_about,
    kept_of,
    kept_result,
    names_of,
    noted,
    read_to_learn,
    vectors_of,
    with_reviews,
)
from pte.command.flags import (
    OF_A_FILE,
    OF_A_TRAINING,
    OF_LABELS,
    OF_MERGES,
    OF_TEXTS,
    OF_TRAININGS,
    OUTPUT,
    Training,
    command_line,
    keep_documents,
    no_option,
    takes,
    typed,
    words_of,
)
from pte.command.shown import say, show_facts
from pte.corpora.compressed import by_name, uncompressed
from pte.errors import PteError
from pte.tables.documents import Documents, sha256_of_text, stem_of
from pte.tables.formats import TABLES, format_of_name, readable

USUAL, OF_SEVERAL = "pte_auto", "pte_joint"  # learnt where nothing says which: one label, several


@click.command()
@takes(
    *(*OF_TEXTS, *OF_LABELS, *OF_MERGES, "--reviewed", "--group", *OF_TRAININGS, "--threads"),
    *("--no-labels", "--encoder", "--vectors"),
)
@click.option(
    "--method",
    metavar="NAME",
    help="The method; if left out, what `pte evaluate` advised for FILE, or PTE(auto), or for "
    "several labels PTE(joint).",
)
@click.option("-o", "--output", type=OUTPUT, required=True, help="The file of the model.")
def fit(
    file: str, no_labels: bool, method: str | None, output: Path, as_json: bool, **values: Any
) -> None:
    """Learn from the documents of FILE, and write a model.

    The model classifies: by the method that `pte evaluate` advised for FILE, or by `--method`. It
    is the model that the contest has scored, unless `--encoder` or `--vectors` joins only now. With
    `--no-labels` it has vectors of words only. Documents without a label train as well.

    \b
    Examples:
      pte fit reviews.csv --text review --label stars --output model.npz
      pte fit reviews.csv --text review --label stars --method bow --output model.npz
      pte fit texts.txt --no-labels --output vectors.npz
    """
    import pte
    from pte.classify.compiling import noted_compiling
    from pte.classify.registry import method_named

    _check_output(output, file, values)
    training, sha256 = Training.of(values), sha256_of_text(file)
    encoding = {name: values.pop(name) for name in ("encoder", "vectors")}
    if no_labels and {method, training.names, *encoding.values()} != {None}:
        what = "--no-labels trains PTE; leave --method, --names, --encoder and --vectors out"
        raise click.UsageError(what)
    kept = None if no_labels else kept_result(file)
    same = kept if kept and kept["sha256"] == sha256 else None
    named = isinstance(names_of(training.names), dict)  # then no document needs a label
    documents, contest = _read(file, values, no_labels, same, named)
    if contest:
        training = _as_in(contest, training, file)
    check_documents(file, documents, training.tokenizer, needs_labels=not (no_labels or named))
    model: Any
    if no_labels:
        model = pte.PTE(**training.parameters())
    else:
        if method is None:
            method = _advised(file, contest, encoding) if contest else _usual(documents)
            if kept and not contest:
                what = "it is of other texts or labels, so nothing is taken from there"
                click.echo(f"Warning: {kept_of(file)}: {what}; learning {method}", err=True)
        name = method_named(method).name
        model = pte.TextClassifier(method=name, **training.parameters())
    more: dict[str, Any] = {"groups": documents.groups} if documents.groups else {}
    if {*encoding.values()} != {None}:
        model.set_params(encoder=encoding["encoder"])
        more["vectors"] = vectors_of(documents.texts, **encoding)
    model.set_params(verbose=int(sys.stderr.isatty()))
    with noted_compiling(not sys.stderr.isatty()):
        model.fit(documents.texts, None if no_labels else documents.labels, **more)
    notes = {"file": readable(file), "sha256": sha256, **noted(documents.columns)}
    notes |= {MERGED: documents.merges} if documents.merges else {}
    model.set_params(verbose=0).save(output, notes)
    _show(file, output, documents, model, as_json)


def _check_output(output: Path, file: str, values: Mapping[str, Any]) -> None:
    """Refuse a name for the model that is an input's, or that says that it is compressed."""
    keep_documents(output, file, values, kept_of(file))
    if kind := by_name(output):
        raise PteError(f"{output}: a model is not compressed; leave {kind.ending} out")


def _show(file: str, output: Path, documents: Documents, model: Any, as_json: bool) -> None:
    from pte.classify.advice import told

    chosen = model.chosen_
    facts: dict[str, Any] = {
        "model": str(output),
        "method": getattr(model, "method", type(model).__name__),
        "documents": len(documents.texts),
        "labelled": sum(map(bool, documents.named)),
        "classes": [str(each) for each in model.classes_.tolist()],
        "chosen": chosen if as_json else told(chosen),
    }
    if judged := getattr(model, "judged_", None):
        facts["held-out documents"] = judged._asdict() if as_json else str(judged)
    show_facts(facts, as_json)
    if facts["classes"] and not as_json:
        say("\nNext:")
        say(f"  {_next(file, output)}")


def _next(file: str, model: Path) -> str:
    path, options = Path(file), words_of(typed((*OF_A_FILE, "id", "reviewed", "vectors")))
    ending = Path(uncompressed(path.name)).suffix
    ending = ending if ending and format_of_name(path.name) in TABLES else ".csv"
    output = no_option(f"{stem_of(file)}_filled{ending}".removeprefix("_"))
    words = ["pte", "predict", no_option(str(model)), file, *options, "--output", output]
    return command_line(words)


def _read(
    file: str, values: dict[str, Any], no_labels: bool, kept: dict[str, Any] | None, named: bool
) -> tuple[Documents, dict[str, Any] | None]:
    """Read documents, and return the `kept` contest, too, if it is about their texts and labels."""
    merges, group = dict[str, str](), None
    if not (values["same"] or values["ignore_case"] or no_labels):
        merges = (kept or {}).get(MERGED, {})
    if kept and not values["group"]:
        group = values["group"] = kept["group"]
    reviewed = values.pop("reviewed")
    documents = with_reviews(read_to_learn(file, values, no_labels, named), reviewed)
    names = sorted({merges.get(name, name) for name in documents.classes})
    contest = kept if kept and is_about(kept, documents.columns, names) else None
    if group and contest:
        click.echo(f"{file}: groups in column {group!r}, as {kept_of(file)} says", err=True)
    elif group:
        documents = documents.ungrouped()
    if merges and contest:
        documents = documents.with_merges(file, merges)
    return documents, contest


def _as_in(contest: Mapping[str, Any], given: Training, file: str) -> Training:
    """Return the options of a training, those of a contest where the user typed none."""
    free = set(OF_A_TRAINING) - typed(OF_A_TRAINING).keys()
    known = contest["training"].items()
    taken = {name: it for name, it in known if name in free and it != getattr(given, name)}
    if taken:
        said = command_line(words_of(taken))
        click.echo(f"{file}: {said}, as {kept_of(file)} says", err=True)
    return given._replace(**taken)


def _usual(documents: Documents) -> str:
    return OF_SEVERAL if any(len(labels) > 1 for labels in documents.named) else USUAL


def _advised(file: str, contest: Mapping[str, Any], encoding: Mapping[str, Any]) -> str:
    """Return the method that a contest advised, which must have a use for what the user gave."""
    from pte.classify.registry import method_named
    from pte.classify.text_classifier import with_encoder

    name, label = str(contest["advice"]["method"]), contest["advice"]["label"]
    encodes = [key for key, given in encoding.items() if given is not None]
    learnt = with_encoder(name) if encodes else method_named(name)
    if encodes and not learnt.encoded:
        raise PteError(
            f"--{encodes[0]}: {label}, which {kept_of(file)} advises, has no use for it; leave it "
            "out, or give --method encoder or pte-auto-encoder"
        )
    why = f"as {kept_of(file)} says"
    if learnt.name != name:
        why = f"because {kept_of(file)} advises {label}"
    click.echo(f"{file}: learning {learnt.label}, {why}", err=True)
    return name
