"""A contest on a file: what `pte evaluate` and the jobs of `snakemake own` have in common."""

import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from pte.command.documents import (
    Documents,
    check_documents,
    is_stream,
    read_labelled,
    sha256_of_text,
    vectors_of,
)
from pte.command.flags import Training
from pte.errors import PteError

if TYPE_CHECKING:
    from pte.contest.entrants import Lineup, TextFacts
    from pte.contest.result import Facts
    from pte.contest.trial import Trials

KEPT = ".contest.json"
"""The end of the name of the file that keeps a result beside the text."""


class Contested(NamedTuple):
    """A file, its documents, and the trials on them."""

    file: str
    documents: Documents
    trials: "Trials"
    warnings: Sequence[str] = ()
    """What is suspicious in the documents."""

    @classmethod
    def read(
        cls, file: str, values: Mapping[str, Any], training: Training, n_folds: int
    ) -> "Contested":
        """Read a file of which some documents have labels, and divide it into folds.

        `values` has the format, the columns and the dialect. Raises `PteError` for a file that
        nothing can be learnt from.
        """
        from pte.contest.trial import Trials

        given = dict(values)
        encoder, vectors = given.pop("encoder", None), given.pop("vectors", None)
        documents = read_labelled(file, given.pop("format", None), given)
        warnings = check_documents(file, documents, training.tokenizer)
        rows = vectors_of(documents, encoder, vectors)
        collection = documents.collection()._replace(vectors=rows)
        folds = collection.folds(n_folds, training.seed)
        tokeniser = documents.tokeniser(training.tokenizer)
        trials = Trials(collection, folds, training.settings(), tokeniser)
        return cls(file, documents, trials, warnings)

    def text(self) -> "TextFacts":
        """Return what decides which methods take part."""
        from pte.contest.entrants import TextFacts, size_of_text

        file, collection, folds = self.file, self.trials.collection, self.trials.folds
        return TextFacts(
            size=sum(map(len, collection.texts)) if is_stream(file) else size_of_text(Path(file)),
            trials=len(folds),
            several=collection.labels.several,
            order_lost=collection.order_lost,
            encoded=collection.vectors is not None,
            repeats=1 + max(fold.repeat for fold in folds),
        )

    def facts(
        self,
        command: str,
        lineup: "Lineup",
        unfinished: Mapping[str, str] | None = None,
        interrupted: bool = False,
    ) -> "Facts":
        """Return the facts of a contest; `command` begins the command that learns its winner.

        `unfinished` has the methods that were interrupted.
        """
        from pte.contest.result import Facts
        from pte.corpora.text_files import readable

        name = readable(Path(self.file).name)
        return Facts(
            file=readable(self.file),
            sha256=sha256_of_text(self.file),
            seed=self.trials.settings.seed,
            command=readable(command),
            output=shlex.quote(f"{name.partition('.')[0] or 'model'}.npz"),
            not_run={**lineup.not_run, **(unfinished or {})},
            minutes=lineup.minutes,
            interrupted=interrupted,
            warnings=self.warnings,
            merged=self.documents.merges,
            group=self.documents.columns.get("group"),
        )


def kept_of(file: str) -> Path:
    """Return the file that keeps the result of a contest on a text."""
    path = Path(file)
    if path.name in ("", ".."):
        path = path.resolve()
    return path.with_name(path.name + KEPT)


class KeptAdvice(NamedTuple):
    """The method that a contest advised, its label, and the text and the classes it was for.

    `merged` has the labels that were replaced by others, `group` the column of groups, and
    `warnings` what was suspicious.
    """

    method: str
    label: str
    sha256: str
    classes: list[str]
    n_methods: int
    merged: dict[str, str]
    group: str | None
    warnings: list[str]


def kept_advice(file: str) -> KeptAdvice | None:
    """Return what is kept beside a text; None if there is nothing that this version can read."""
    from pte.array_file import parsed
    from pte.contest.result import FORMAT

    if is_stream(file):
        return None
    try:
        if not kept_of(file).is_file():  # a pipe would be waited for
            return None
        found = parsed(kept_of(file).read_bytes())
        advice, classes = found["advice"], [each["class"] for each in found["classes"]]
        kept = KeptAdvice(
            method=str(advice["method"]),
            label=advice["label"],
            sha256=found["sha256"],
            classes=classes,
            n_methods=len(found["methods"]),
            merged=dict(found.get("merged_labels", {})),
            group=found.get("group"),
            warnings=list(found.get("warnings", ())),
        )
    except (OSError, ValueError, LookupError, TypeError):
        return None
    return kept if found.get("format") == FORMAT else None


def keep(result: Mapping[str, Any], file: str) -> None:
    """Write a result beside the text, if the text is a file or a folder, and can be written.

    A contest of fewer methods does not replace a larger one of the same text.
    """
    from pte.outputs import output_file

    if is_stream(file):
        return
    before = kept_advice(file)
    is_same = before is not None and before.sha256 == result["sha256"]
    if before is not None and is_same and before.n_methods > len(result["methods"]):
        what = f"keeps the contest of {before.n_methods} methods, which advises {before.label}"
        what += "; delete the file to keep a smaller one"
        click.echo(f"{kept_of(file)}: {what}", err=True)
        return
    try:
        with output_file(kept_of(file)) as temporary:
            temporary.write_text(json.dumps(result, ensure_ascii=False), "utf-8")
        click.echo(f"{kept_of(file)}: kept here, for `pte fit`", err=True)
    except (OSError, PteError) as error:  # the folder of a text may be another's
        why = error.strerror if isinstance(error, OSError) else error
        click.echo(f"Warning: {kept_of(file)}: not written: {why}", err=True)
