"""The subcommands, errors and exit codes; functions import slow packages: `--help` is quick."""

import errno
import os
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from pte import __version__
from pte.command.evaluate import check, evaluate
from pte.command.fit import fit
from pte.command.flags import DEBUG
from pte.command.predict import predict
from pte.command.review import review
from pte.command.vectors import explain, export, neighbours, transform
from pte.errors import PteError

NO_ROOM = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)

DONE, BAD_INPUT, BUG, INTERRUPTED = 0, 1, 70, 130  # click ends with 2 for a wrong command line

GONE = {
    "networks": "in Python, `pte.networks.named.build` counts a network and "
    "`pte.networks.edge_list.write_edges` writes its edges",
    "provenance": "`pte check MODEL` says what a model is",
    "completion": 'eval "$(_PTE_COMPLETE=bash_source pte)" completes commands and options in bash',
    "fit --from": "learn from all documents together",
    "evaluate --threads": "a test takes one thread; `--jobs` says how many run at once",
}
"""Commands and options of earlier versions, and what to write instead."""


class Commands(click.Group):
    """A group that shows an error in one line, unless `--debug` asks for the traceback."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a subcommand. Refuse one that is gone, and say what to write instead."""
        if cmd_name in GONE:
            raise click.UsageError(f"pte {cmd_name} is gone: {GONE[cmd_name]}")
        return super().get_command(ctx, cmd_name)

    def make_context(self, *arguments: Any, **more: Any) -> click.Context:
        """Read the options of the command `pte`; some print, such as `--help`."""
        with _ending():
            return super().make_context(*arguments, **more)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a subcommand, and end with the exit code of the error that it raises."""
        with _ending(ctx):
            return super().invoke(ctx)


@contextmanager
def _ending(ctx: click.Context | None = None) -> Iterator[None]:
    """Show the error of the block in one line, and end with its exit code."""
    try:
        yield
    except click.NoSuchOption as error:
        if told := GONE.get(f"{error.ctx and error.ctx.info_name} {error.option_name}"):
            raise click.UsageError(f"{error.option_name} is gone: {told}", error.ctx) from None
        raise
    except (click.ClickException, click.exceptions.Exit, click.Abort):
        raise
    except BrokenPipeError:  # the reader, such as `head`, wants no more
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for the last flush
        raise SystemExit(DONE) from None
    except KeyboardInterrupt:
        click.echo("interrupted", err=True)
        raise SystemExit(INTERRUPTED) from None
    except Exception as error:
        if ctx and ctx.meta.get(DEBUG):
            raise
        known = isinstance(error, PteError | OSError | MemoryError)
        click.echo(f"Error: {_said(error, known)}", err=True)
        raise SystemExit(BAD_INPUT if known else BUG) from None


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 done, 1 bad input, 2 wrong usage, 70 a bug of pte, 130 interrupted.",
)
@click.version_option(__version__, prog_name="pte")
def app() -> None:
    """Classify texts of which only a part has labels: reviews, tickets, titles, answers.

    For people with many texts, few labels and no GPU. `pte evaluate` says which method predicts
    your labels best, and how sure that is; begin with it. Then `pte fit` learns that method, and
    `pte predict` fills in the labels.

    A FILE of documents is CSV, TSV, JSON Lines, Parquet, a folder for each class, or lines in the
    format of fastText. Write - for standard input.

    \b
    Examples:
      pte check reviews.csv --text review --label stars
      pte evaluate reviews.csv --text review --label stars
      pte fit reviews.csv --text review --label stars --output model.npz
      pte predict model.npz new.csv --text review
    """


for _command in (check, evaluate, review, fit, predict, explain, transform, neighbours, export):
    _command.params.sort(key=lambda each: each.name in ("as_json", "debug"))  # these are last
    app.add_command(_command)


def main() -> None:
    """Run the command `pte`."""
    warnings.showwarning = _show_warning  # type: ignore[assignment]
    app(prog_name="pte")


def _said(error: Exception, known: bool) -> str:
    if not known:
        message = str(error).partition("\n")[0]
        return f"{type(error).__name__}: {message}; this is a bug, --debug shows where"
    if isinstance(error, MemoryError):
        return "there is not enough memory; give fewer or shorter documents, or end other programs"
    if isinstance(error, OSError):
        what = error.strerror or str(error)
        if not error.filename and error.errno in NO_ROOM:  # files that are given have names
            what += "; make room there, or name another folder in the variable TMPDIR"
            return f"{tempfile.gettempdir()}: {what}"
        return f"{error.filename}: {what}" if error.filename else what
    return str(error)


def _show_warning(message: Warning | str, *_: Any) -> None:
    print(f"Warning: {message}", file=sys.stderr)
