"""The limits on values and numbers: what kernels can write, compile, or finish."""

import numbers

from pte.errors import PteError

MOST = 2**31 - 1  # the most edges of a network, words, documents, or tokens of one document
MOST_DIM = 10_000  # the paper has 100; the compiler takes no more than 16,000
MOST_NEGATIVES = 100  # negatives, or edges and negatives of a group: loops are unrolled
MOST_WINDOW = 1_000  # to each side; edges of a stream are drawn until both ends are inside
MOST_SEED = 2**32 - 1  # the largest seed that scikit-learn takes, which splits documents into folds
MOST_EPOCHS = 100_000  # the most passes over a text
MOST_SAMPLES = 10**15  # the most edges of a training, T: ten years of one processor


def refuse_more_than_int32(count: int, what: str, advice: str) -> None:
    """Refuse a `count`, of `what`, above `MOST`; `advice` says what to do."""
    if count > MOST:
        raise PteError(
            f"{what}: {count:,} are more than {MOST:,}, which int32 can number; {advice}"
        )


def refuse_outside(name: str, value: int, least: int, most: int) -> None:
    """Refuse a `value` that is no whole number from `least` to `most`."""
    if not isinstance(value, numbers.Integral) or not least <= value <= most:
        given = repr(value) if isinstance(value, str) else value
        raise PteError(f"{name} is {given}; it must be between {least:,} and {most:,}")
