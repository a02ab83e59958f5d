"""Public names that are gone. Each says for one version what to write in its place."""

import warnings
from typing import Any, NamedTuple


class Recommendation(NamedTuple):
    """The method that `recommend` names."""

    method: str


def recommend(*_: Any, **__: Any) -> Recommendation:
    """Return PTE(auto), whatever is given, with a `FutureWarning`.

    The advice from a few numbers was worse than to take PTE(auto) in any case. Compare methods on
    your own texts instead: `pte evaluate FILE`.
    """
    warnings.warn(
        "pte.recommend always names PTE(auto) now and will go; take pte.PTEAuto, or compare "
        "methods on your text with `pte evaluate`",
        FutureWarning,
        stacklevel=2,
    )
    return Recommendation("PTE(auto)")
