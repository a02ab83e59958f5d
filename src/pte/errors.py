"""The exceptions a user is meant to see, and the names and values in their messages."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

PACKAGES = {"fasttext": "fasttext-community"}  # packages named unlike their modules
_ORDERS = (*range(32), *range(127, 160), *range(0x2028, 0x202F), *range(0x2066, 0x206A))
CONTROLS = {i: f"\\u{i:04x}" for i in _ORDERS if chr(i) not in "\t\n"}
"""Characters that could give orders to a terminal, also about the order of letters, and what is
written for them, as in JSON."""


class PteError(Exception):
    """Bad input: the message names the file, key or argument and says what to do.

    It is raised for what you can mend: a parameter, a text, a label, a file, a setting. Catch it
    around `fit`, `load` or `KeyedVectors` to show the message to your own users. Estimators raise
    it as `pte.classify.errors.BadInput`, which is a `ValueError`, too. For a word without a
    vector it is `pte.keyed_vectors.UnknownKey`, which is a `KeyError`, too. A model that was not
    fitted raises scikit-learn's `NotFittedError`.

    See Also
    --------
    pte.classify.errors.BadInput : For an argument that an estimator cannot use.
    pte.keyed_vectors.UnknownKey : For a word without a vector.

    Examples
    --------
    >>> import pte
    >>> try:
    ...     pte.PTE(dim=0).fit(["the team won the match"])
    ... except pte.PteError as error:
    ...     print(error)
    dim is 0; it must be a whole number, at least 1
    """


class NotInstalled(PteError):
    """A method needs a package that is not installed.

    fastText raises it. The message tells the command that installs the package.
    """

    def __init__(self, module: str) -> None:
        """Make the message, which tells how to install the package that holds a module."""
        super().__init__(f"not installed: pip install {PACKAGES.get(module, module)}")


def shortened(value: object) -> str:
    """Return the beginning of a value, for a message."""
    shown = repr(value)
    return shown if len(shown) <= 40 else f"{shown[:37]}…"


def no_file(path: str | Path, maker: str) -> PteError:
    """Return the error of a path where a file is needed that `maker` writes, and where none is."""
    path = Path(path)
    if not path.exists():
        return PteError(f"{path}: no such file; {maker} writes one")
    what = "a folder" if path.is_dir() else "a pipe or a device"
    return PteError(f"{path}: this is {what}; name a file that {maker} writes")


def counted(n: int, one: str, more: str) -> str:
    """Return a number and, after it, what the number counts."""
    return f"{n:,} {one if n == 1 else more}"


def called(name: str | None, unit: str) -> str:
    """Return how a document is called: by its id, or by what it counts and the number."""
    return f"{unit} {name}".lstrip()


def shown(names: Sequence[str], most: int, quoted: bool = True) -> str:
    """Return the first names of a list, and how many more there are."""
    first = [shortened(name) if quoted else name for name in names[:most]]
    return ", ".join(first) + (f" and {len(names) - most:,} more" if len(names) > most else "")


def listed(names: Sequence[str]) -> str:
    """Return names with commas, and "and" before the last."""
    if len(names) == 1:
        return names[0]
    return f"{', '.join(names[:-1])} and {names[-1]}"


@contextmanager
def naming(file: object) -> Iterator[None]:
    """Give an `OSError` of the block the name of `file`, if it has none, as after a failed read."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or str(file)
        raise
