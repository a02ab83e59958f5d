"""The options of all commands, each with one name, one type and one text of help."""

import math
import os
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import click
from click.core import ParameterSource

from pte.command.documents import NAMES_OF_INPUT, names_of
from pte.corpora.compressed import by_name, uncompressed
from pte.corpora.tokenise import TOKENISERS
from pte.errors import PteError
from pte.limits import MOST, MOST_DIM, MOST_SAMPLES, MOST_SEED, MOST_WINDOW
from pte.tables.columns import DIALECT
from pte.tables.formats import FORMATS, LINES, STANDARD_INPUT, TABLES, readable

DEBUG = "pte.debug"  # the key that a context of click has if errors are to show their traceback

WORKBOOKS = (*FORMATS["xlsx"], *FORMATS["ods"])
UNWRITTEN = (".xls", ".zst")  # no command writes these, though users may expect it

IS_READ = "this file is read; write to another one"


class OutputFile(click.Path):
    """A file that a command writes: in a folder that is there, and with no `unwritten` ending."""

    unwritten: Sequence[str] = (*FORMATS["parquet"], *WORKBOOKS, *UNWRITTEN)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path. Refuse what cannot be written, and an ending that would mislead."""
        from pte.files import check_output

        if value in ("", STANDARD_INPUT) or str(value).endswith(os.sep):
            self.fail(f"{str(value)!r} names no file; give the name of one", param, ctx)
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        try:
            check_output(path)
        except PteError as error:
            self.fail(str(error), param, ctx)
        if path.suffix.lower() in self.unwritten:
            what = f"this command does not write {path.suffix}; choose another ending"
            self.fail(f"{path}: {what}", param, ctx)
        never = (*FORMATS["parquet"], *WORKBOOKS, ".html", ".npy")
        if by_name(path) and uncompressed(path.name.lower()).endswith(never):
            self.fail(f"{path}: it would not be compressed; leave {path.suffix} out", param, ctx)
        return path


class FilledFile(OutputFile):
    """The type of a file that may be a Parquet table with predictions in it."""

    unwritten = UNWRITTEN


class InputFile(click.Path):
    """A file of documents, or a dash; a path that begins with a dash becomes no option."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path, or a dash."""
        path = os.fsdecode(super().convert(value, param, ctx))
        if not path:
            self.fail("the name is empty; name a file or a folder", param, ctx)
        if path in NAMES_OF_INPUT:
            return STANDARD_INPUT
        return path if path == STANDARD_INPUT else no_option(path)


class Number(click.FloatRange):
    """The type of a number in a range; click's own lets through NaN, which is in no range."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number. Refuse one that is not finite."""
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value!r} is not a finite number", param, ctx)
        return number


def column_name(value: str) -> str:
    """Return the name of a column. Refuse an empty one."""
    if not value:
        raise click.BadParameter("the name is empty; name a column")
    return value


def samples(value: str) -> int | str:
    """Return T: `chosen` or `auto`, or a positive whole number, which may be written as 1e6."""
    if value in ("chosen", "auto"):
        return value
    with suppress(ValueError, OverflowError):
        if 1 <= float(value) <= MOST_SAMPLES and float(value) == int(float(value)):
            return int(float(value))
    raise click.BadParameter(
        f"{value!r} is not `chosen`, `auto`, or a whole number from 1 to {MOST_SAMPLES:.0e}"
    )


INPUT = InputFile(allow_dash=True)
PATH = click.Path(path_type=Path)
OUTPUT, FILLED = OutputFile(dir_okay=False), FilledFile(dir_okay=False)
POSITIVE = click.IntRange(1, MOST)

_Option = dict[str, Any]


def _option(help: str, type: Any = None, default: Any = None, **more: Any) -> _Option:
    return {"help": help, "type": type, "default": default, "show_default": bool(default)} | more


def _flag(help: str, **more: Any) -> _Option:
    return {"help": help, "is_flag": True} | more


def _column(help: str) -> _Option:
    return _option(help, column_name, metavar="COLUMN")


def _repeated(help: str, metavar: str | None = None, type: Any = None) -> _Option:
    several = {"multiple": True, "callback": lambda _, __, it: it or None}
    return _option(help, type, metavar=metavar, **several)


_OPTIONS: dict[str, _Option] = {
    "--text": _column("The column of the text."),
    "--id": _column("The column of the ids; else rows or lines are counted."),
    "--format": _option(
        "The format, if the name does not say it.", click.Choice([*FORMATS, LINES])
    ),
    "--delimiter": _option("Stands between fields of a table.", metavar="CHARACTER"),
    "--quote": _option("Stands around fields of a table; or none.", metavar="CHARACTER"),
    "--encoding": _option("The encoding of a table, such as cp1251.", metavar="NAME"),
    "--header/--no-header": {
        "default": None,
        "help": "Whether the first line of a table names the columns.",
    },
    "--label": _column("The column of the label."),
    "--separator": _option("What stands between several labels.", metavar="TEXT"),
    "--missing": _repeated(
        "A label that stands for none, in place of NaN, NA, n/a and null; may be repeated.", "TEXT"
    ),
    "--predicted": _flag("Labels that `pte predict` has filled in count as labels, too."),
    "--same": _repeated("Label A is label B; may be repeated.", "A=B"),
    "--ignore-case": _flag("Labels that differ by case are the same."),
    "--reviewed": _repeated("A table of `pte review` with labels; may be repeated.", type=PATH),
    "--split": _column("The column with `train` and `test`."),
    "--group": _column("A column; all documents with the same value there train, or all test."),
    "--no-labels": _flag("Learn from the text alone."),
    "--unlabelled": _flag("Only documents without a label."),
    "--class": _option("This label, not the predicted one, or not words.", metavar="LABEL"),
    "--encoder": _option(
        "Join the knowledge of an encoder: `minilm`, a folder, or a model's name.", metavar="NAME"
    ),
    "--vectors": _option(
        "The encoder's vectors, a row for each document.", PATH, metavar="FILE.npy"
    ),
    "--names": _option(
        "Words that name classes: `labels`, those of the labels, or a table of class, words.",
        metavar="labels|FILE",
    ),
    "--dim": _option("The length of a vector.", click.IntRange(1, MOST_DIM), 100),
    "--samples": _option(
        "Edges that PTE and LINE draw: `chosen` on held-out labels, `auto`, or a number.",
        samples,
        "chosen",
        metavar="[chosen|auto|INTEGER]",
    ),
    "--window": _option("Tokens to each side.", click.IntRange(1, MOST_WINDOW), 5),
    "--tokenizer": _option("Cuts text into words.", click.Choice(list(TOKENISERS)), "words"),
    "--seed": _option("The seed of all random numbers.", click.IntRange(0, MOST_SEED), 1),
    "--threads": _option("Left out, 1: the same bits each time.", POSITIVE),
    "--top": _option("Words at most.", POSITIVE, 10),
    "--json": _flag("Print JSON, for machines."),
    "--debug": _flag(
        "Show the traceback of an error.",
        expose_value=False,
        callback=lambda context, _, given: context.meta.update({DEBUG: given}),
    ),
}
"""All options that several commands have, and their help."""

_CALLED = {"--json": "as_json", "--class": "name"}

OF_TEXTS = (
    *("--text", "--id", "--format", "--delimiter", "--quote", "--encoding"),
    "--header/--no-header",
)
OF_LABELS = ("--label", "--separator", "--missing", "--predicted")
OF_MERGES = ("--same", "--ignore-case")
OF_TRAININGS = ("--names", "--dim", "--samples", "--window", "--tokenizer", "--seed")


def takes(*names: str, file: bool = True) -> Callable[..., Any]:
    """Give a command options of the table, `--json` and `--debug`, after its FILE of documents."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        for name in reversed((*names, "--json", "--debug")):
            words = (name, _CALLED[name]) if name in _CALLED else (name,)
            function = click.option(*words, **_OPTIONS[name])(function)
        return click.argument("file", type=INPUT)(function) if file else function

    return decorate


class Training(NamedTuple):
    """The options that the user gives for a training."""

    dim: int
    samples: int | str
    window: int
    tokenizer: str
    seed: int
    names: str | None
    threads: int | None

    @classmethod
    def of(cls, values: dict[str, Any]) -> "Training":
        """Take the values of the options out of `values`."""
        return cls(**{name: values.pop(name, None) for name in cls._fields})

    def parameters(self) -> dict[str, Any]:
        """Return the options by the names of the parameters of estimators; one thread at first."""
        given = self._asdict() | {"threads": self.threads or 1, "names": names_of(self.names)}
        return given | {"random_state": given.pop("seed")}


OF_A_FILE = ("text", "label", "separator", "missing", "predicted", "format", *DIALECT)
"""The options that say where the text and the labels of a file are, and how it is written."""

OF_A_TRAINING = tuple(name for name in Training._fields if name != "threads")
"""The options of a training that decide what is learnt."""

OF_A_MODEL = (*OF_A_FILE, "id", "same", "ignore_case", "group", "reviewed", *OF_A_TRAINING)
"""The options that `pte fit` shares with `pte evaluate`, and that decide what any method learns."""


def typed(names: Sequence[str] = OF_A_MODEL) -> dict[str, Any]:
    """Return those of some options that the user typed on the command line."""
    context = click.get_current_context()
    return {
        name: context.params[name]
        for name in names
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    }


def same_file(one: Path, other: Path) -> bool:
    """Return whether two paths are one file, which need not be there."""
    with suppress(OSError):
        return one.samefile(other)
    return os.path.realpath(one) == os.path.realpath(other)


def keep_inputs(output: Path | None, *inputs: str | Path | None) -> None:
    """Raise `PteError` if a command would write its output over a file that it reads."""
    if output and any(same_file(output, Path(each)) for each in inputs if each is not None):
        raise PteError(f"{output}: {IS_READ}")


def keep_documents(
    output: Path | None, file: str, values: Mapping[str, Any], *others: Path, as_json: bool = False
) -> None:
    """Refuse to write over inputs, or a file that would be read as a document next time."""
    if output is None:
        return
    keep_inputs(output, *others)
    plain = Path(uncompressed(output.name)).suffix.lower()
    tables = [ending for kind in TABLES if kind != "jsonl" for ending in FORMATS[kind]]
    if as_json and plain in (*tables, ".npy"):
        holds = "an array" if plain == ".npy" else "a table"
        raise click.UsageError(f"{output}: {holds} is no JSON; leave --json or {plain} out")
    path, encoder = Path(file), values.get("encoder")
    inputs = [path, values.get("vectors"), *(values.get("reviewed") or ())]
    if encoder:
        from pte.encoders import files_of

        inputs += files_of(encoder) or Path(encoder).rglob("*")
    keep_inputs(output, *inputs)
    if file != STANDARD_INPUT and path.is_dir() and output.resolve().is_relative_to(path.resolve()):
        if output.exists():
            raise PteError(f"{output}: {IS_READ}")
        raise PteError(f"{output}: it would be read with {file} next time; write to another folder")


def no_option(path: str) -> str:
    """Return the path of a file as no command takes it for an option."""
    return f"./{path}" if path.startswith("-") else path


def words_of(values: Mapping[str, Any]) -> list[str]:
    """Return options as words of a command line; a list of values repeats its option."""
    words: list[str] = []
    for key, given in values.items():
        name = key.replace("_", "-")
        if isinstance(given, bool):
            words.append(f"--{'' if given else 'no-'}{name}")
            continue
        for value in given if isinstance(given, tuple | list) else [given]:
            words += [f"--{name}", str(value)]
    return words


def command_line(words: Iterable[str]) -> str:
    """Return words as a line for a shell; the terminal is shown escapes of what it might obey."""
    return shlex.join(map(readable, words))
