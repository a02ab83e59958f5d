"""Errors of the estimators, which are also what scikit-learn expects."""

import numbers
from collections.abc import Iterator
from contextlib import contextmanager

from pte.errors import PteError


class BadInput(PteError, ValueError):
    """An argument that an estimator cannot use; the message names it and says what to do."""


@contextmanager
def as_bad_input() -> Iterator[None]:
    """Raise each `PteError` of the block as `BadInput`, with the same message."""
    try:
        yield
    except BadInput:
        raise
    except PteError as error:
        raise BadInput(str(error)) from error


def check_whole(name: str, value: object, least: int) -> int:
    """Return a whole number that is at least `least`; raises `BadInput` for anything else."""
    if not isinstance(value, numbers.Integral) or isinstance(value, bool) or value < least:
        raise BadInput(f"{name} is {value!r}; it must be a whole number, at least {least}")
    return int(value)
