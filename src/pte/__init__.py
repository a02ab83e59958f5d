"""Predictive text embedding through large-scale heterogeneous text networks (KDD'15)."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pte.classify import ESTIMATORS

if TYPE_CHECKING:
    from pte.classify import load as load
    from pte.classify.classifier import PTEClassifier as PTEClassifier
    from pte.classify.folds import LabelledFolds as LabelledFolds
    from pte.classify.networks import LINE as LINE
    from pte.classify.networks import PTE as PTE
    from pte.classify.text_classifier import PTEAuto as PTEAuto
    from pte.classify.text_classifier import TextClassifier as TextClassifier
    from pte.errors import PteError as PteError
    from pte.keyed_vectors import KeyedVectors as KeyedVectors

__version__ = "1.0.0"

_HOMES = {name: f"pte.classify.{module}" for name, module in ESTIMATORS.items()} | {
    "KeyedVectors": "pte.keyed_vectors",
    "LabelledFolds": "pte.classify.folds",
    "PteError": "pte.errors",
    "load": "pte.classify",
}
"""The module of each public name; a module is imported when its name is first asked for."""

__all__ = list(_HOMES)


if not TYPE_CHECKING:  # a type checker knows the names from above, and so finds misspelt ones

    def __getattr__(name: str) -> Any:
        """Import a public name (PEP 562), so that `import pte` alone takes no time."""
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """Return the special names of the module and all public names, imported or not."""
    return sorted([*(name for name in globals() if name.startswith("__")), *__all__])
