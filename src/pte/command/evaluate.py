"""The command that compares methods on a text of the user's own."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from pte.command.documents import Documents, check_documents, read_labelled
from pte.command.flags import GROUP, SPLIT, Training, common, reads_labels, reads_texts, trains
from pte.command.shown import has_terminal, say, show_json, show_table
from pte.estimators import BY_NAME

if TYPE_CHECKING:
    from pte.command.cross_validation import Compared, Trial

USUAL = ("majority", "tf-idf", "line", "pte")
"""The methods that are tested if none is named."""


@click.command()
@reads_texts
@reads_labels
@SPLIT
@GROUP
@click.option("--folds", type=click.IntRange(2), default=5, show_default=True, help="Folds.")
@click.option(
    "--method",
    "methods",
    multiple=True,
    type=click.Choice(["majority", "tf-idf", *BY_NAME]),
    help="A method to test, instead of the usual four; may be given several times.",
)
@trains
@common
def evaluate(file: str, folds: int, methods: tuple[str, ...], as_json: bool, **values: Any) -> None:
    """Say which method predicts the labels of FILE best, by cross-validation.

    Each labelled document is tested once, by methods that have not seen it. Documents without a
    label train as well. `to the best` is the 95 % interval of the difference to the best method.

    LINE and PTE train twice in each fold, and PTE searches T before each training. This takes
    minutes for some thousand documents. `--samples auto` leaves the search out, and `--folds 2`
    takes less than half as long.

    \b
    Example:
      pte evaluate reviews.csv --text review --label stars
    """
    from pte.command.cross_validation import cross_validated, trial_of
    from pte.estimators.progress import noted_compiling

    training = Training.of(values)
    documents = read_labelled(file, values.pop("format"), values)
    check_documents(file, documents)
    trial = trial_of(documents, folds, training.seed)
    with noted_compiling(not has_terminal()):
        found, left_out = cross_validated(trial, tuple(dict.fromkeys(methods)) or USUAL, training)
    best = recommended(found)
    if as_json:
        rows = [asdict(row) for row in found]
        of_file = {"file": file, "folds": len(trial.folds)}
        show_json({**of_file, "scores": rows, "recommended": best, "left_out": left_out})
        return
    for line in _facts(documents, trial):
        say(line)
    say("")
    show_table([("method", "micro-F1", "macro-F1", "to the best", "seconds"), *map(_cells, found)])
    for method, reason in left_out.items():
        say(f"{method} is left out: {reason}")
    say(f"\nUse {best}: {_why(best, found)}. {_how(best, trial)}")
    if not methods and trial.targets.ndim == 1:  # PTE(auto) learns one label for a document
        say("`--method pte-auto` was not tested; it is often better, and often takes longer.")


def recommended(found: "Sequence[Compared]") -> str:
    """Return the quickest method that may be as good as the best; the best stands first."""
    good = [row for row in found if row.behind is not None and row.behind[1] >= 0]
    return min([found[0], *good], key=lambda row: row.seconds).method


def _facts(documents: Documents, trial: "Trial") -> list[str]:
    """Return lines that say what is tested, and which classes cannot be tested."""
    tested = sum(test.size for _, test in trial.folds)
    labels = Counter(name for each in documents.found for name in each.labels)
    unlabelled = sum(not each.labels for each in documents.found)
    counted = f"{tested:,} labelled documents of {len(labels)} classes are tested"
    said = [f"{counted}, in {len(trial.folds)} folds; {unlabelled:,} documents have no label."]
    alone = sorted(name for name, n in labels.items() if n == 1)
    if alone:
        said.append(f"Classes with one document cannot be told: {', '.join(alone)}.")
    return said


def _how(best: str, trial: "Trial") -> str:
    """Return a sentence that says how to go on with a method."""
    if best == "majority":
        return "No method is surely better than naming the largest class; are these the labels?"
    if best.startswith("pte"):
        auto = "`--auto` and " if best == "pte-auto" else ""
        return f"`pte fit` learns it, with {auto}the options that you gave for the file."
    classifier = "LogisticRegressionCV()"
    if trial.targets.ndim == 2:
        classifier = f"OneVsRestClassifier({classifier})"
    features = "TfidfVectorizer() of scikit-learn"
    if best in BY_NAME:
        features = f"pte.{BY_NAME[best]}()"
    learnt = f"{features}, then {classifier} on the labelled documents"
    return f"`pte fit` does not learn it, but Python does: {learnt}."


def _why(best: str, found: "Sequence[Compared]") -> str:
    if best == found[0].method:
        return "it is the best"
    return f"it is quicker than {found[0].method}, and the difference may be chance"


def _cells(row: "Compared") -> tuple[str, ...]:
    behind = f"{row.behind[0]:.1f} … {row.behind[1]:.1f}" if row.behind else ""
    scores = f"{row.micro_f1:.2f}", f"{row.macro_f1:.2f}"
    return row.method, *scores, behind, f"{row.seconds:.1f}"
