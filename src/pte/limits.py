"""The limit on numbers of edges, words and documents, which the kernels write as int32."""

from pte.errors import PteError

MOST = 2**31 - 1
"""The most edges of a network, words, documents, or tokens of one document."""


def refuse_more_than_int32(count: int, what: str, advice: str) -> None:
    """Raise `PteError` when `count`, of `what`, is more than `MOST`; `advice` says what to do."""
    if count > MOST:
        raise PteError(
            f"{what}: {count:,} are more than {MOST:,}, which int32 can number; {advice}"
        )
