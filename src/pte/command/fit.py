"""The command that learns from documents and writes a model."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from pte.command.contests import is_about, kept_of, kept_result
from pte.command.documents import check_documents, read_to_learn, vectors_of
from pte.command.flags import (
    OF_A_FILE,
    OF_A_TRAINING,
    OF_LABELS,
    OF_MERGES,
    OF_TEXTS,
    OF_TRAININGS,
    OUTPUT,
    PATH,
    Training,
    command_line,
    keep_documents,
    keep_inputs,
    no_option,
    takes,
    typed,
    words_of,
)
from pte.command.learnt import LearntFrom, learnt_from, noted
from pte.command.shown import say, show_facts
from pte.corpora.compressed import by_name, uncompressed
from pte.errors import PteError
from pte.tables.documents import Documents, sha256_of_text, stem_of
from pte.tables.formats import TABLES, format_of_name
from pte.tables.text import readable

USUAL, OF_SEVERAL = "pte_auto", "pte_joint"
"""The methods that are learnt where nothing says which, for one label and for several labels."""


@click.command()
@takes(
    *(*OF_TEXTS, *OF_LABELS, *OF_MERGES, "--group", *OF_TRAININGS, "--threads"),
    *("--no-labels", "--encoder", "--vectors"),
)
@click.option(
    "--method",
    metavar="NAME",
    help="The method; if left out, what `pte evaluate` advised for FILE, or PTE(auto), or for "
    "several labels PTE(joint).",
)
@click.option("--from", "known", type=PATH, metavar="MODEL", help="Go on from this model.")
@click.option("-o", "--output", type=OUTPUT, required=True, help="The file of the model.")
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
    is the model that the contest has scored, unless `--encoder` or `--vectors` joins only now. With
    `--no-labels` it has vectors of words only. Documents without a label train as well. With
    `--from`, training of PTE goes on from a model: words that the model knows begin with their
    vectors, and options that you leave out are those of the model.

    \b
    Examples:
      pte fit reviews.csv --text review --label stars --output model.npz
      pte fit reviews.csv --text review --label stars --method bow --output model.npz
      pte fit texts.txt --no-labels --output vectors.npz
      pte fit more.csv --from model.npz --samples 1000000 --output model.npz
    """
    from pte.classify.progress import noted_compiling

    _check_output(output, file, values)
    training = Training.of(values)
    encoder, vectors = values.pop("encoder"), values.pop("vectors")
    if (no_labels or known) and {method, encoder, vectors} != {None}:
        given = "--no-labels" if no_labels else "--from"
        raise click.UsageError(f"{given} trains PTE; leave --method, --encoder and --vectors out")
    encodes = [f"--{name}" for name, it in (("encoder", encoder), ("vectors", vectors)) if it]
    kept = _Kept(file, None if no_labels else kept_result(file), sha256_of_text(file), encodes)
    documents = kept.read(values, no_labels, learnt_from(known) if known else None)
    needs_labels, contest = not (no_labels or known), kept.about(documents)
    training = training if known else kept.training(training, documents)
    told = contest["warnings"] if contest and needs_labels else ()
    check_documents(file, documents, training.tokenizer, needs_labels, told)
    model = _model(kept, documents, training, method, known)
    model.set_params(verbose=int(sys.stderr.isatty()))
    more: dict[str, Any] = {"groups": documents.groups} if documents.groups else {}
    if encoder is not None or vectors is not None:
        model.set_params(encoder=encoder)
        more["vectors"] = vectors_of(documents, encoder, vectors)
    with noted_compiling(not sys.stderr.isatty()):
        model.fit(documents.texts, documents.labels, **more)
    notes = {"file": readable(file), "sha256": kept.sha256, **noted(documents.columns)}
    notes |= {"merged_labels": documents.merges} if documents.merges else {}
    model.set_params(verbose=0).save(output, notes)
    _show(file, output, documents, model, as_json)


def _check_output(output: Path, file: str, values: Mapping[str, Any]) -> None:
    """Refuse a name for the model that is an input's, or that says that it is compressed."""
    keep_inputs(output, kept_of(file))
    keep_documents(output, file, values)
    if kind := by_name(output):
        raise PteError(f"{output}: a model is not {kind.title}; leave {kind.ending} out")


def _show(file: str, output: Path, documents: Documents, model: Any, as_json: bool) -> None:
    """Print what was learnt, and to people the command that predicts."""
    from pte.classify.summary import told

    chosen = model.chosen_
    facts: dict[str, Any] = {
        "model": str(output),
        "method": getattr(model, "method", type(model).__name__),
        "documents": len(documents.texts),
        "labelled": sum(map(bool, documents.named)),
        "classes": documents.classes,
        "chosen": chosen if as_json else told(chosen),
    }
    if judged := getattr(model, "judged_", None):
        facts["held-out documents"] = judged._asdict() if as_json else str(judged)
    show_facts(facts, as_json)
    if documents.classes and not as_json:
        say("\nNext:")
        say(f"  {_next(file, output)}")


def _next(file: str, model: Path) -> str:
    """Return the command that fills in the labels of a file."""
    path, options = Path(file), words_of(typed((*OF_A_FILE, "vectors")))
    ending = Path(uncompressed(path.name)).suffix
    ending = ending if ending and format_of_name(path.name) in TABLES else ".csv"
    output = no_option(f"{stem_of(file)}_filled{ending}".removeprefix("_"))
    words = ["pte", "predict", no_option(str(model)), file, *options, "--output", output]
    return command_line(words)


class _Kept(NamedTuple):
    """What is kept of a contest beside a file, and the hash of the file now."""

    file: str
    result: dict[str, Any] | None
    sha256: str
    encodes: Sequence[str] = ()
    """The options that the user gave for an encoder or vectors."""

    @property
    def same(self) -> dict[str, Any] | None:
        """The result, if the file is the same as it was then."""
        is_same = self.result is not None and self.result["sha256"] == self.sha256
        return self.result if is_same else None

    def about(
        self, documents: Documents, merges: Mapping[str, str] | None = None
    ) -> dict[str, Any] | None:
        """Return the result, if the file is the same, and so are the texts and the labels.

        `merges` are labels of the documents that are yet to be replaced.
        """
        kept, new = self.same, merges or {}
        names = sorted({new.get(name, name) for name in documents.classes})
        return kept if kept and is_about(kept, documents.columns, names) else None

    def read(self, values: dict[str, Any], no_labels: bool, learnt: LearntFrom | None) -> Documents:
        """Read the documents, with the groups and the equal labels of a contest that is about them.

        `learnt` is what a model that goes on was learnt from; its columns and equal labels count
        more than those of the contest, and what the user says of these counts most.
        """
        file, kept, merges = self.file, self.same or {}, dict[str, str]()
        if not (values["same"] or values["ignore_case"] or no_labels):
            merges = dict(learnt.merges) if learnt else kept.get("merged_labels", {})
        group = None if values["group"] else kept.get("group")
        values["group"] = values["group"] or group
        columns = learnt.columns if learnt else None
        documents = read_to_learn(file, values, no_labels, columns)
        is_same = self.about(documents, merges) is not None
        if group and is_same:
            said = f"groups in column {group!r}"
            click.echo(f"{file}: {said}, as {kept_of(file)} says", err=True)
        elif group:
            documents = documents.ungrouped()
        if merges and (learnt or is_same):
            return documents.with_merges(file, merges)
        return documents

    def training(self, given: Training, documents: Documents) -> Training:
        """Return the `given` options of a training, with the contest's where the user typed none.

        Those are taken only if the contest is about the documents, and differ from `given`.
        """
        kept, free = self.about(documents), set(OF_A_TRAINING) - typed(OF_A_TRAINING).keys()
        known: Mapping[str, Any] = (kept and kept["training"]) or {}
        taken = {n: it for n, it in known.items() if n in free and it != getattr(given, n)}
        if taken:
            said = command_line(words_of(taken))
            click.echo(f"{self.file}: {said}, as {kept_of(self.file)} says", err=True)
        return given._replace(**taken)

    def advised(self, documents: Documents) -> str:
        """Return the method that the contest advised, or the usual method.

        Raises `PteError` if the user gave an encoder or vectors, and the method has no use for it.
        """
        from pte.classify.learning_classifier import with_encoder
        from pte.classify.registry import method_named

        usual = OF_SEVERAL if any(len(labels) > 1 for labels in documents.named) else USUAL
        if self.result is None:
            return usual
        file, advice = self.file, self.result["advice"]
        if self.about(documents) is None:
            what = f"{kept_of(file)} is of another state of {file}, of other texts or labels"
            alone = f"so {method_named(usual).label} is learnt, and nothing is taken from there"
            click.echo(f"Warning: {what}, {alone}; `pte evaluate` makes it again", err=True)
            return usual
        name = str(advice["method"])
        learnt = with_encoder(name) if self.encodes else method_named(name)
        if self.encodes and not learnt.encoded:
            raise PteError(
                f"{self.encodes[0]}: {advice['label']}, which {kept_of(file)} advises, has no use "
                "for it; leave it out, or give --method encoder or pte-auto-encoder"
            )
        why = f"as {kept_of(file)} says"
        if learnt.name != name:
            why = f"because {kept_of(file)} advises {advice['label']}"
        click.echo(f"{file}: learning {learnt.label}, {why}", err=True)
        return name


def _model(
    kept: _Kept, documents: Documents, training: Training, method: str | None, known: Path | None
) -> Any:
    """Return the estimator to fit."""
    import pte
    from pte.classify.registry import method_named

    # Words of a file that has lost their order are no neighbours.
    networks: dict[str, Any] = {"networks": ("wd", "wl")} if documents.order_lost else {}
    if known:
        return _going_on(known).set_params(**networks)
    shared = training.parameters() | {"tokenizer": documents.tokeniser(training.tokenizer)}
    if not documents.classes:
        return pte.PTE(**shared, **networks)
    name = method_named(kept.advised(documents) if method is None else method).name
    return pte.TextClassifier(method=name, order_lost=documents.order_lost, **shared)


def _going_on(path: Path) -> Any:
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
    given = {"random_state" if n == "seed" else n: v for n, v in typed(Training._fields).items()}
    dim = model.word_vectors_.dim
    if given.get("dim", dim) != dim:
        raise PteError(
            f"{path}: its vectors have {dim} numbers, not {given['dim']}; leave --dim out"
        )
    return model.set_params(warm_start=True, **given)
