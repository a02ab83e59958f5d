"""The entry of a method in the registry: a model with options, and what its `SPEC` says of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, TypeVar

from pte import plugins
from pte.array_file import ArrayFile
from pte.errors import PteError
from pte.networks import named
from pte.training.contract import (
    NO_ENCODER,
    ONE_LABEL,
    ORDER_LOST,
    Cost,
    KernelSet,
    Options,
    Spec,
)

NAMES = ("label", "latex", "group", "model", "labels", "contest", "row", "without_order")
"""Keys that every method may have; all other keys of a method are options of its model."""

CONTROL = "control"
"""The group of methods that no method should fail to beat."""

FIRST = "first"
"""The value of `Method.contest` of a method that joins before others."""

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Method:
    """A row of the tables: a model with options.

    If `shuffled` is true, the training labels are permuted first. `without_order` has options that
    replace those of `options` where a corpus has lost the order of words. `contest` is `FIRST` or
    "later" for a method that takes part in contests, and None for a method that a user must name. A
    method without a `row` stands only in tables that name it. What a plan of thousands of jobs asks
    is asked of the spec once.
    """

    name: str
    label: str
    latex: str | None
    group: str
    model: str
    shuffled: bool
    options: Mapping[str, Any]
    spec: Spec
    without_order: Mapping[str, Any]
    contest: str | None = None
    row: bool = True

    @classmethod
    def of(cls, name: str, entry: Mapping[str, Any], where: str) -> "Method":
        """Make a method from its entry in the registry; the options are not checked here.

        Raises `PteError` if the model does not exist, or if it is no method. `where` begins the
        messages: it is the file and the name.
        """
        try:
            module = plugins.load("pte.models", entry["model"])
        except PteError as error:
            raise PteError(f"{where}.model: {error}") from None
        if not (hasattr(module, "SPEC") and (hasattr(module, "fit") or hasattr(module, "learn"))):
            what = "the module has no SPEC and fit, so it is no method"
            raise PteError(f"{where}.model: {entry['model']}: {what}")
        return cls(
            name,
            **{key: entry[key] for key in ("label", "group", "model")},
            latex=entry.get("latex"),
            shuffled=entry.get("labels") == "shuffled",
            options={key: value for key, value in entry.items() if key not in NAMES},
            spec=module.SPEC,
            without_order=entry.get("without_order", {}),
            contest=entry.get("contest"),
            row=entry.get("row", True),
        )

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the spec, whose functions pickle cannot hold; the module has it."""
        return {f.name: getattr(self, f.name) for f in fields(self) if f.name != "spec"}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        """Take the spec from the module."""
        self.__dict__.update(state, spec=plugins.load("pte.models", state["model"]).SPEC)

    def on_lost_order(self) -> "Method":
        """Return the method with its options for corpora that have lost the order of words."""
        return replace(self, options={**self.options, **self.without_order})

    def why_not(self, several: bool, order_lost: bool, encoded: bool = True) -> str | None:
        """Return why the method itself cannot run on such a text; None if it can run.

        `encoded` says whether an encoder reads the text.
        """
        if self.encoded and not encoded:
            return NO_ENCODER
        if order_lost and self.on_lost_order().ordered:
            return ORDER_LOST
        return ONE_LABEL if several and not self.spec.learns_several else None

    @property
    def module(self) -> Any:
        """The module of the model."""
        return plugins.load("pte.models", self.model)

    @property
    def keeps(self) -> bool:
        """Whether a model file can hold what the method has learnt."""
        has_both = hasattr(self.module, "apply") and hasattr(self.module, "check")
        return self.spec.yields == "words" or (has_both and self.spec.applies(self.options))

    def check(self, kept: ArrayFile) -> int:
        """Check what a file has of what the method learnt, as its module's `check` does.

        Return how many features a document has for a classifier. Raises `PteError`.
        """
        if self.spec.yields == "words":
            kept.array("word_vectors", "float32", "words", "dim")
            return kept.lengths["dim"]
        features: int = self.module.check(kept, self.options)
        return features

    @property
    def seeded(self) -> bool:
        """Whether the seed matters to the method."""
        return self.spec.seeded or self.shuffled

    @cached_property
    def networks(self) -> tuple[str, ...]:
        """The networks that the method is trained on."""
        return self._ask(self.spec.networks, "networks")

    @property
    def modules(self) -> list[str]:
        """The modules of the model and of all networks that it is trained on."""
        networks = (*self.networks, *self._ask(self.spec.draws, "draws"))
        model = plugins.module_name("pte.models", self.model)
        return [model, *(named.module_name(name) for name in networks)]

    @cached_property
    def needs(self) -> Mapping[str, str]:
        """The methods whose word vectors this method is given, by the roles of the vectors."""
        return self._ask(self.spec.needs, "needs")

    @cached_property
    def kernels(self) -> tuple[KernelSet, ...]:
        """The sets of kernels that the method calls, beside those of its networks."""
        return self._ask(self.spec.kernels, "kernels")

    @property
    def cost(self) -> Cost:
        """The processor seconds that learning takes."""
        return self._ask(self.spec.cost, "cost")

    @property
    def usual(self) -> Mapping[str, Any] | None:
        """The hyperparameters that a contest takes and does not search, or None."""
        return self._ask(self.spec.usual, "usual")

    @cached_property
    def sees_labels(self) -> bool:
        """Whether labels matter to what the method learns."""
        return self._ask(self.spec.sees_labels, "sees_labels")

    @cached_property
    def ordered(self) -> bool:
        """Whether the order of words matters."""
        return self._ask(self.spec.ordered, "ordered")

    @cached_property
    def encoded(self) -> bool:
        """Whether the method needs the vectors of an encoder."""
        return self._ask(self.spec.encoded, "encoded")

    @property
    def draws_samples(self) -> bool:
        """Whether T is one of the hyperparameters that validation can choose."""
        return "samples" in self.spec.choice

    @property
    def is_represented(self) -> bool:
        """Whether a job fits the method. Features are made in the job that scores them."""
        return self.spec.yields != "features"

    @property
    def predicts(self) -> bool:
        """Whether the method predicts classes itself, so that it needs no classifier on vectors."""
        return self.spec.yields == "predictions"

    def _ask(self, question: Callable[[Options], Answer], name: str) -> Answer:
        """Return the answer of a function of the SPEC for the options of this method.

        Raises `PteError` if the function fails.
        """
        try:
            return question(self.options)
        except PteError:
            raise
        except Exception as error:
            what = f"SPEC.{name} of the model failed: {type(error).__name__}: {error}"
            raise PteError(f"methods.yaml: {self.name}: {what}") from error
