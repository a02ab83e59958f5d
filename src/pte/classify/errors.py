"""The error of the estimators, which is also a `ValueError`, and checks of their parameters."""

import numbers
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from pte.errors import PteError
from pte.limits import MOST_SEED


class BadInput(PteError, ValueError):
    """The error for an argument that an estimator cannot use; it names it and says what to do.

    The methods of estimators raise it for a parameter out of its range, for documents that are not
    text, for labels that do not fit the documents, and when training diverges. It is a
    `ValueError`, too, as scikit-learn expects.
    """


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
    """Return a finite number above 0, or raise `BadInput`."""
    if not isinstance(value, numbers.Real) or not 0 < value <= np.finfo(float).max:  # type: ignore[operator]
        raise BadInput(f"{name} is {value!r}; it must be a positive number")
    return float(value)


def check_choice(name: str, value: object, choices: Iterable[str | bool]) -> None:
    """Raise `BadInput` unless `value` is one of the `choices`."""
    known = list(choices)
    if not isinstance(value, str | bool | np.bool_) or value not in known:
        raise BadInput(f"{name} is {value!r}; it must be one of {', '.join(map(str, known))}")


def check_whole(
    name: str, value: object, least: int, otherwise: str = "", most: int | None = None
) -> int:
    """Return a whole number from `least` to `most`; `otherwise` says what else is possible."""
    is_whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if isinstance(value, float | np.floating):
        is_whole = float(value).is_integer()
    if not is_whole or value < least:  # type: ignore[operator]
        raise BadInput(
            f"{name} is {value!r}; it must be a whole number, at least {least}{otherwise}"
        )
    number: int = int(value)  # type: ignore[call-overload]
    if most is not None and number > most:
        raise BadInput(f"{name} is {number}; it must be at most {most}")
    return number


def check_samples(value: object, most: int) -> int | str:
    """Return T, "chosen" or "auto", or raise `BadInput`."""
    if isinstance(value, str) and value in ("chosen", "auto"):
        return value
    return check_whole("samples", value, 1, ', or "chosen" or "auto"', most)


def check_chance(random_state: Any) -> int | np.random.RandomState:
    """Return a seed, or where random numbers come from, or raise `BadInput`."""
    from sklearn.utils import check_random_state  # here, because commands need no scikit-learn

    if isinstance(random_state, int | np.integer):
        return check_whole("random_state", random_state, 0, most=MOST_SEED)
    try:
        chance: np.random.RandomState = check_random_state(random_state)
    except ValueError:
        raise BadInput(
            f"random_state is {random_state!r}; it must be a whole number, a RandomState or None"
        ) from None
    return chance
