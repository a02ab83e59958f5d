"""A contest on a file, as `pte evaluate` runs it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from pte.command.documents import (
    Documents,
    check_documents,
    is_stream,
    read_labelled,
    sha256_of_text,
    stem_of,
    vectors_of,
)
from pte.command.flags import OF_A_TRAINING, Training, command_line, no_option, words_of
from pte.command.learnt import NOTED, noted
from pte.command.shown import json_text
from pte.errors import PteError

if TYPE_CHECKING:
    from pte.classify.entrants import Lineup, TextFacts
    from pte.classify.result import Contest
    from pte.classify.trial import Trials

KEPT = ".contest.json"
"""The end of the name of the file that keeps a result beside the text."""

FORMAT = 1
"""The version of the format of results. It grows when an older program could not read a new one."""

_TRAINING = {"dim": int, "samples": (int, str), "window": int, "tokenizer": str, "seed": int}
"""The options of a training in a result; older versions did not keep them."""

_KEPT = {
    "format": range(FORMAT, FORMAT + 1),
    "sha256": str,
    "classes": [{"class": str}],
    "methods": [dict],
    "advice": {"method": str, "label": str},
    "columns": dict,
    "group": (str, None),
    "training": (None, _TRAINING),
    "warnings": [str],
}
"""What `pte fit` takes from a result, in a form of `pte.array_file.has_form`."""


@contextmanager
def naming_text(file: str) -> Iterator[None]:
    """Put the name of a text before the message of a `PteError` of the block."""
    try:
        yield
    except PteError as error:
        raise PteError(f"{file}: {error}") from None


class Contested(NamedTuple):
    """A file, its documents, and the trials on them."""

    file: str
    documents: Documents
    trials: "Trials"
    training: Training
    sha256: str
    """The hash of the file before it was read."""
    warnings: Sequence[str] = ()
    """What is suspicious in the documents."""
    encodes: Sequence[str] = ()
    """The options that say how the documents are encoded, as words of a command line."""

    @classmethod
    def read(
        cls, file: str, values: Mapping[str, Any], training: Training, n_folds: int
    ) -> "Contested":
        """Read a file of which some documents have labels, and divide it into folds.

        `values` has the format, the columns and the dialect. Raises `PteError` for a file that
        nothing can be learnt from.
        """
        from pte.classify.trial import Trials

        given = dict(values)
        encoder, vectors = given.pop("encoder", None), given.pop("vectors", None)
        both = {"encoder": encoder, "vectors": vectors}
        encodes = words_of({key: value for key, value in both.items() if value is not None})
        sha256 = sha256_of_text(file)
        documents = read_labelled(file, given.pop("format", None), given)
        warnings = check_documents(file, documents, training.tokenizer)
        rows = vectors_of(documents, encoder, vectors)
        collection = documents.collection()._replace(vectors=rows)
        with naming_text(file):
            folds = collection.folds(n_folds, training.seed)
        tokeniser = documents.tokeniser(training.tokenizer)
        trials = Trials(collection, folds, training.settings(), tokeniser)
        return cls(file, documents, trials, training, sha256, warnings, encodes)

    def text(self) -> "TextFacts":
        """Return what decides which methods take part."""
        from pte.classify.entrants import TextFacts

        collection, folds = self.trials.collection, self.trials.folds
        return TextFacts(
            size=sum(map(len, collection.texts)),
            trials=len(folds),
            several=collection.labels.several,
            order_lost=collection.order_lost,
            encoded=collection.vectors is not None,
            repeats=1 + max(fold.repeat for fold in folds),
        )

    def result(
        self, contest: "Contest", lineup: "Lineup", command: str, interrupted: bool = False
    ) -> dict[str, Any]:
        """Return the result of a contest; `command` begins the command that learns its winner."""
        from pte.classify.registry import method_named
        from pte.corpora.text_files import readable

        with naming_text(self.file):
            found = contest.result(lineup, self.trials.whole(), interrupted)
        advice = found["advice"]
        encodes = self.encodes if method_named(advice["method"]).encoded else ()
        output = no_option(f"{stem_of(self.file) or 'model'}.npz")
        words = [*encodes, "--method", advice["method"], "--output", output]
        advice["command"] = f"{command} {command_line(words)}"
        return {
            "format": FORMAT,
            "file": readable(self.file),
            "sha256": self.sha256,
            "seed": self.training.seed,
            "training": {name: getattr(self.training, name) for name in OF_A_TRAINING},
            **found,
            "merged_labels": dict(self.documents.merges),
            **noted(self.documents.columns),
            "group": self.documents.columns.get("group"),
            "warnings": list(self.warnings),
        }


def kept_of(file: str) -> Path:
    """Return the file that keeps the result of a contest on a text."""
    path = Path(file)
    if path.name in ("", ".."):
        path = path.resolve()
    return path.with_name(path.name + KEPT)


def kept_result(file: str) -> dict[str, Any] | None:
    """Return the result beside a text; None if there is none that this version can read."""
    from pte.array_file import has_form, parsed

    if is_stream(file):
        return None
    try:
        if not kept_of(file).is_file():  # a pipe would be waited for
            return None
        kept = parsed(kept_of(file).read_bytes())
        found: dict[str, Any] = {"merged_labels": {}, NOTED: {}, "training": None, "group": None}
        found |= {"warnings": [], **kept}
        merges = list(found["merged_labels"].values())
    except (OSError, ValueError, TypeError, AttributeError):
        return None
    return found if has_form(found, _KEPT) and has_form(merges, [str]) else None


def classes_of(result: Mapping[str, Any]) -> list[str]:
    """Return the names of the classes of a contest."""
    return [each["class"] for each in result["classes"]]


def is_about(result: Mapping[str, Any], columns: Mapping[str, Any], classes: list[str]) -> bool:
    """Return whether a contest was on the text and the labels in these columns, with these classes.

    Results of older versions may not say which columns these were.
    """
    its = result[NOTED]
    same = (its.get(key, columns.get(key)) == columns.get(key) for key in ("text", "label"))
    return all(same) and classes_of(result) == classes


def keep(result: Mapping[str, Any], file: str) -> None:
    """Write a result beside the text, if the text is a file or a folder, and can be written.

    A contest of fewer methods does not replace a larger one of the same text and classes.
    """
    from pte.files import output_file

    if is_stream(file):
        return
    before = kept_result(file)
    same = before and before["sha256"] == result["sha256"]
    if before and same and is_about(before, result[NOTED], classes_of(result)):
        many = len(before["methods"])
        if many > len(result["methods"]):
            what = f"keeps the contest of {many} methods, which advises {before['advice']['label']}"
            click.echo(f"{kept_of(file)}: {what}; delete the file to keep a smaller one", err=True)
            return
    try:
        with output_file(kept_of(file)) as temporary:
            temporary.write_text(json_text(result), "utf-8")
        click.echo(f"{kept_of(file)}: kept here, for `pte fit`", err=True)
    except (OSError, PteError) as error:  # the folder of a text may be another's
        why = error.strerror if isinstance(error, OSError) else error
        click.echo(f"Warning: {kept_of(file)}: not written: {why}", err=True)
