"""Errors of the estimators, which are also what scikit-learn expects."""

import numbers
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

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


def check_positive(name: str, value: object) -> float:
    """Return a finite number above 0. Raises `BadInput` for anything else."""
    if not isinstance(value, numbers.Real) or not 0 < value < np.inf:
        raise BadInput(f"{name} is {value!r}; it must be a positive number")
    return float(value)


def check_whole(
    name: str, value: object, least: int, otherwise: str = "", most: int | None = None
) -> int:
    """Return a whole number from `least` to `most`, which may be a float such as 1e6.

    Raises `BadInput` for anything else; `otherwise` says what else is possible.
    """
    is_whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if isinstance(value, float | np.floating):
        is_whole = float(value).is_integer()
    if not is_whole or value < least:  # type: ignore[operator]
        raise BadInput(
            f"{name} is {value!r}; it must be a whole number, at least {least}{otherwise}"
        )
    number = int(value)  # type: ignore[call-overload]
    if most is not None and number > most:
        raise BadInput(f"{name} is {number}; it must be at most {most}")
    return number
