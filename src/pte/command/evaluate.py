"""The command that compares methods on a text of the user's own."""

import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pte.command.contests import Contested, keep
from pte.command.flags import (
    GROUP,
    OUTPUT,
    SPLIT,
    Training,
    common,
    keep_inputs,
    reads_labels,
    reads_texts,
    trains,
    typed_options,
)
from pte.command.shown import has_terminal, say, show_json, write_records

if TYPE_CHECKING:
    from pte.contest.entrants import Lineup
    from pte.contest.result import Contest
    from pte.contest.trial import Trials, Work


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
    metavar="NAME",
    help="A method to test, in place of those that fit into the minutes; may be repeated.",
)
@click.option(
    "--minutes",
    type=click.FloatRange(0, min_open=True),
    default=2.0,
    show_default=True,
    help="About how long it may take; methods that would take longer are left out.",
)
@click.option(
    "--predictions", type=OUTPUT, help="A table to write: what is predicted for each document."
)
@click.option(
    "--page", type=OUTPUT, help="Write a page about the result: a file that ends in .html."
)
@trains
@common
def evaluate(
    file: str,
    folds: int,
    methods: tuple[str, ...],
    minutes: float,
    predictions: Path | None,
    page: Path | None,
    as_json: bool,
    **values: Any,
) -> None:
    """Say which method predicts the labels of FILE best, and how to learn it.

    Each labelled document is tested by methods that have not seen it: in folds, or as `--split`
    says. Documents without a label train as well. The advice is the cheapest of the methods that
    may be as good as the best. The result is kept in FILE.contest.json, where `pte fit` finds it.
    Ctrl-C ends the tests, and shows what there is.

    \b
    Examples:
      pte evaluate reviews.csv --text review --label stars
      pte evaluate reviews.csv --text review --label stars --method bow --method pte-joint
    """
    from pte.contest.entrants import plan
    from pte.contest.result import Contest
    from pte.contest.summary import summary
    from pte.machine import cores

    keep_inputs(page, file)
    keep_inputs(predictions, file)
    command = shlex.join(["pte", "fit", file, *typed_options()])
    training = Training.of(values)
    contested = Contested.read(file, values, training, folds)
    trials, processes = contested.trials, training.threads or cores()
    planned = plan(contested.text(folds), minutes, processes, methods)
    contest = Contest(trials.collection, trials.folds)
    _run(contest, trials, planned, processes)
    not_run = dict.fromkeys(contest.unfinished(planned.methods), "interrupted")
    facts = contested.facts(command, {**planned.not_run, **not_run})
    result = contest.result(facts, trials.whole())
    keep(result, file)
    if predictions is not None:
        header, *rows = contest.predictions()
        cells = ((row, dict(zip(header, row, strict=True))) for row in rows)
        write_records(header, cells, predictions, as_json=False)
    if page is not None:
        from pte.contest.page import write_page

        write_page(result, page)
    if as_json:
        show_json(result)
        return
    for line in summary(result):
        say(line)


def _run(contest: "Contest", trials: "Trials", planned: "Lineup", processes: int) -> None:
    """Run all trials, and tell how long the rest takes; an interrupt ends them."""
    from pte.contest.running import warm_up
    from pte.contest.trial import Work

    numbers = range(len(trials.folds))
    works = [Work(name, i) for name in planned.methods for i in numbers]
    warm_up(trials.settings, planned.methods)
    try:
        with _progress(works, planned, processes) as step:
            _add(contest, trials, works, processes, step)
        if planned.has_curve:
            further = contest.curve_works()
            with _progress(further, planned, processes, "learning curve: ") as step:
                _add(contest, trials, further, processes, step)
    except KeyboardInterrupt:
        click.echo("interrupted; what is complete is shown", err=True)


def _add(
    contest: "Contest", trials: "Trials", works: Sequence["Work"], processes: int, step: Any
) -> None:
    from pte.contest.running import run

    for tested in run(trials, works, processes):
        contest.add(tested)
        step(tested)


@contextmanager
def _progress(
    works: Sequence["Work"], planned: "Lineup", processes: int, what: str = ""
) -> Iterator[Any]:
    """Yield a function that is told of each trial, and tells how many there are and the time left.

    The time left is that of the expected costs, times how much the trials so far took of theirs.
    """
    expected = [planned.expected[work.method] * work.share for work in works]
    done = {"trials": 0, "expected": 0.0, "seconds": 0.0}

    def step(tested: Any) -> None:
        done["trials"] += 1
        done["expected"] += planned.expected[tested.method] * tested.share
        done["seconds"] += tested.seconds
        ratio = done["seconds"] / max(done["expected"], 1e-9)
        left = (sum(expected) - done["expected"]) * ratio / processes
        line = f"{what}{done['trials']} of {len(works)} tests, about {left:.0f} s left"
        if has_terminal():
            print(f"\r{line}: {tested.method:<20}", end="", file=sys.stderr, flush=True)
        elif done["trials"] % max(1, len(works) // 10) == 0:
            print(line, file=sys.stderr, flush=True)

    yield step
    if has_terminal():
        print("\r" + " " * 78 + "\r", end="", file=sys.stderr, flush=True)
