"""Commands before learning: check says what a file holds, evaluate compares methods on it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pte.command.documents import (
    FORMAT,
    check_documents,
    keep,
    kept_of,
    noted,
    vectors_of,
    with_reviews,
)
from pte.command.flags import (
    OF_A_TRAINING,
    OF_LABELS,
    OF_MERGES,
    OF_TEXTS,
    OF_TRAININGS,
    OUTPUT,
    POSITIVE,
    Number,
    Training,
    command_line,
    keep_documents,
    no_option,
    same_file,
    takes,
    typed,
    words_of,
)
from pte.command.shown import plain, say, show_facts, show_json, write_records
from pte.errors import PteError
from pte.tables.documents import Documents, Finding, read_labelled, sha256_of_text, stem_of
from pte.tables.formats import called, readable

if TYPE_CHECKING:
    from pte.classify.race import Race
    from pte.classify.result import Contest
    from pte.classify.trial import Trials


@click.command()
@takes(*OF_TEXTS, *OF_LABELS, *OF_MERGES, "--split", "--group", "--tokenizer")
@click.pass_context
def check(
    context: click.Context, /, file: str, tokenizer: str, as_json: bool, **values: Any
) -> None:
    """Say what FILE holds: how it is written, its columns, its classes, and what is suspicious.

    `pte evaluate` and `pte fit` check the same, and print what is suspicious. The exit code is 1 if
    nothing can be learnt from the file. Of a model of `pte fit`, it says how it was made: the code,
    versions, seeds, machine and corpus.

    \b
    Examples:
      pte check reviews.csv --text review --label stars
      pte check model.npz
    """
    if facts := _facts_of_model(file):
        show_json(facts) if as_json else _say_nested(facts)
        return
    from pte.tables.checks import check as checks_of

    documents = _read(file, values)
    refused = any(each.refuse for each in documents.findings)
    checked = checks_of(documents, tokenizer, needs_labels=not refused)
    found = {"file": file, **documents.facts, **checked.to_mapping()}
    if as_json:
        show_json(found)
    else:
        show_facts({key: value for key, value in found.items() if key != "findings"}, False)
        for finding in found["findings"]:
            say(f"{'refused' if finding['refuse'] else 'suspicious'}: {finding['message']}")
    context.exit(int(not checked.is_usable))


def _facts_of_model(file: str) -> dict[str, Any] | None:
    """Return what is known of a model file; None for any other file."""
    from pte.classify.model_file import facts_of
    from pte.files import sha256_of

    facts = facts_of(file)
    return facts and {"file": file, "sha256": sha256_of(Path(file)), "kind": "model", **facts}


def _say_nested(facts: Mapping[str, Any], indent: str = "") -> None:
    for name, value in facts.items():
        if isinstance(value, Mapping) and value:
            say(f"{indent}{name}:")
            _say_nested(value, f"{indent}  ")
        else:
            say(f"{indent}{name}: {'none' if value in (None, [], {}) else plain(value)}")


def _read(file: str, values: dict[str, Any]) -> Documents:
    """Read documents; where nothing says which labels they have, read their texts."""
    documents = read_labelled(file, values, may_lack=True)
    if not (fault := documents.no_labels):
        return documents
    said = str(fault).removeprefix(f"{called(file)}: ")
    unknown = Finding("no_label_column", said, refuse=True)
    return replace(documents, findings=(unknown, *documents.findings))


@click.command()
@takes(
    *(*OF_TEXTS, *OF_LABELS, *OF_MERGES, "--reviewed", "--split", "--group", *OF_TRAININGS),
    *("--encoder", "--vectors"),
)
@click.option("--folds", type=click.IntRange(2), default=5, show_default=True, help="Folds.")
@click.option(
    "--method",
    "methods",
    multiple=True,
    metavar="NAME",
    help="A method to test on all rows, in place of the likeliest, with the encoder if it can "
    "join; may be repeated.",
)
@click.option(
    "--minutes",
    type=Number(0, min_open=True),
    default=2.0,
    show_default=True,
    help="About how long it may take; the less likely methods that do not fit are left out.",
)
@click.option("--all", "every", is_flag=True, help="Test all methods on all rows, however long.")
@click.option("--jobs", type=POSITIVE, help="Tests that run at once; left out, as many as cores.")
@click.option(
    "--predictions",
    type=OUTPUT,
    help="A table to write: what is predicted for each document, in the first of repeated folds.",
)
@click.option(
    "--page", type=OUTPUT, help="Write a page about the result: a file that ends in .html."
)
def evaluate(
    file: str, folds: int, predictions: Path | None, page: Path | None, as_json: bool, **values: Any
) -> None:
    """Say which method predicts the labels of FILE best, and how to learn it.

    Labelled documents are tested by methods that have not seen them, in folds or as `--split`
    says; others train as well. The likeliest methods are tested on a part, those that cannot win
    are dropped, and the best three are tested on all documents. The advice is the cheapest of the
    methods that may be as good as the best. FILE.contest.json keeps the result for `pte fit`.
    Ctrl-C shows what there is.

    \b
    Examples:
      pte evaluate reviews.csv --text review --label stars
      pte evaluate reviews.csv --text review --label stars --method bow --method pte-joint
    """
    from pte.classify.trial import LostProcess
    from pte.machine import cores

    _check_outputs(page, predictions, file, values)
    command = command_line(["pte", "fit", file, *words_of(typed())])
    processes = values.pop("jobs") or cores()
    training, sha256 = Training.of(values), sha256_of_text(file)
    encoding = {name: values.pop(name) for name in ("encoder", "vectors")}
    asked = {name: values.pop(name) for name in ("methods", "minutes", "every")}
    reviewed = values.pop("reviewed")
    documents = with_reviews(read_labelled(file, values), reviewed)
    warnings = check_documents(file, documents, training.tokenizer)
    vectors = vectors_of(documents.texts, **encoding)
    with _naming(file):
        trials = _trials(documents, training, folds, vectors)
        trials.model.set_params(encoder=encoding["encoder"])  # which may read names of classes
        race = _planned(file, trials, processes, **asked)
        planned = race.lineup
        contest, ended = race.hold(processes)
        if ended and not contest.scored():
            raise ended
    if isinstance(ended, LostProcess):
        contest.give_up(planned.methods, str(ended))
        click.echo(f"Warning: {file}: {ended}; what follows was scored before", err=True)
    with _naming(file):
        found = contest.result(planned, ended is not None)
    if not found["several_labels"]:
        found["advice"]["review"] = _review(file)
    found["advice"]["command"] = _next(found["advice"]["method"], file, command, encoding)
    result = {"format": FORMAT, "file": readable(file), "sha256": sha256, "seed": training.seed}
    result |= {"training": {name: getattr(training, name) for name in OF_A_TRAINING}, **found}
    result |= {"merged_labels": dict(documents.merges), **noted(documents.columns)}
    result |= {"group": documents.columns.get("group"), "warnings": list(warnings)}
    if not contest.unfinished(planned.methods):
        keep(result, file)
    try:
        _write(contest, result, predictions, page)
    finally:  # a full disk must not cost what the tests have found
        _show(result, as_json)
    if isinstance(ended, KeyboardInterrupt):
        raise ended


def _check_outputs(
    page: Path | None, predictions: Path | None, file: str, values: Mapping[str, Any]
) -> None:
    for output in (page, predictions):
        keep_documents(output, file, values, kept_of(file))
    if page is not None and predictions is not None and same_file(page, predictions):
        raise click.UsageError(f"--page and --predictions are both {page}; name two files")


@contextmanager
def _naming(file: str) -> Iterator[None]:
    try:
        yield
    except PteError as error:
        raise PteError(f"{file}: {error}") from None


def _trials(documents: Documents, training: Training, n_folds: int, vectors: Any) -> "Trials":
    import numpy as np

    from pte.classify.folds import Collection
    from pte.classify.given import read_labels
    from pte.classify.text_classifier import TextClassifier
    from pte.classify.trial import Trials

    labels = read_labels(documents.labels, len(documents.texts))
    assert labels is not None
    collection = Collection(
        documents.texts,
        labels,
        documents.ids,
        documents.groups or [None] * len(documents.texts),
        None if documents.tests is None else np.array(documents.tests, np.bool_),
        documents.unit,
        vectors,
        documents.chosen,
    )
    folds, model = collection.folds(n_folds, training.seed), TextClassifier(**training.parameters())
    if isinstance(model.names, dict):  # a class without a labelled document cannot be tested
        known = {*documents.classes}
        model.names = {name: words for name, words in model.names.items() if name in known} or None
    return Trials(collection, folds, model)


def _planned(
    file: str, trials: "Trials", processes: int, methods: Sequence[str], minutes: float, every: bool
) -> "Race":
    """Choose the methods to test, and warn if there is an encoder that none of them uses."""
    from pte.classify.race import Race
    from pte.classify.registry import method_named

    encoded = trials.collection.vectors is not None
    wanted = _with_encoder(methods) if encoded else methods
    race = Race.of(trials, minutes, processes, wanted, every)
    if encoded and not any(method_named(name).encoded for name in race.lineup.methods):
        click.echo(f"Warning: {file}: no method that is tested uses the encoder", err=True)
    return race


def _next(method: str, file: str, command: str, encoding: Mapping[str, Any]) -> str:
    """Return the command that learns the winner, which `command` begins."""
    from pte.classify.registry import method_named

    given = {key: value for key, value in encoding.items() if value is not None}
    encodes = words_of(given) if method_named(method).encoded else []
    output = no_option(f"{stem_of(file) or 'model'}.npz")
    return f"{command} {command_line([*encodes, '--method', method, '--output', output])}"


def _review(file: str) -> str:
    """Return the command that lists doubtful labels, and the texts to label next."""
    output = no_option(f"{stem_of(file) or 'texts'}-review.csv")
    return command_line(["pte", "review", file, *words_of(typed()), "--output", output])


def _write(
    contest: "Contest", result: Mapping[str, Any], predictions: Path | None, page: Path | None
) -> None:
    if predictions is not None:
        header, *rows = contest.predictions()
        cells = ((row, dict(zip(header, row, strict=True))) for row in rows)
        write_records(header, cells, predictions, as_json=False, named=True)
    if page is not None:
        from pte.classify.page import write_page

        write_page(result, page)
    for written in filter(None, (predictions, page)):
        click.echo(f"{written}: written", err=True)


def _show(result: Mapping[str, Any], as_json: bool) -> None:
    from pte.classify.advice import summary

    if as_json:
        show_json(result)
    else:
        for line in summary(result):
            say(line)


def _with_encoder(methods: Sequence[str]) -> list[str]:
    """Return wanted methods as an encoder joins them, unless the joined method is wanted, too."""
    from pte.classify.registry import method_named
    from pte.classify.text_classifier import with_encoder

    names = [method_named(name).name for name in methods]
    others = {name: with_encoder(name).name for name in names}
    return [name if others[name] in names else others[name] for name in names]
