"""The entry of a method in the registry: a model with options, and what its `SPEC` says of it."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Generic, TypeVar

from pte import plugins
from pte.array_file import ArrayFile
from pte.errors import PteError
from pte.networks import named
from pte.training.contract import NO_ENCODER, ONE_LABEL, ORDER_LOST, Cost, Spec

NAMES = ("label", "group", "model", "labels", "contest", "row", "without_order")
"""Keys that every method may have; all other keys of a method are options of its model."""

CONTROL = "control"  # the group of methods that no method should fail to beat

Answer = TypeVar("Answer")


class _Asked(Generic[Answer]):
    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, method: "Method | None", owner: type) -> Answer:
        """Ask once; a failing function is a `PteError`."""
        if method is None:
            raise AttributeError(self._name)
        try:
            answer: Answer = getattr(method.spec, self._name)(method.options)
        except PteError:
            raise
        except Exception as error:
            what = f"SPEC.{self._name} of the model failed: {type(error).__name__}: {error}"
            raise PteError(f"methods.yaml: {method.name}: {what}") from error
        return method.__dict__.setdefault(self._name, answer)  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Method:
    """A row of the tables: a model with options; without a `row`, it is in tables that name it."""

    name: str
    label: str
    group: str
    model: str
    shuffled: bool
    options: Mapping[str, Any]
    spec: Spec
    without_order: Mapping[str, Any]
    contest: int | str | None = None
    row: bool = True

    networks = _Asked[tuple[str, ...]]()
    needs = _Asked[Mapping[str, str]]()
    cost = _Asked[Cost]()
    usual = _Asked[Mapping[str, Any] | None]()
    sees_labels = _Asked[bool]()
    ordered = _Asked[bool]()
    encoded = _Asked[bool]()
    draws = _Asked[tuple[str, ...]]()

    @classmethod
    def of(cls, name: str, entry: Mapping[str, Any], where: str) -> "Method":
        """Make a method from its entry, with unchecked options; `where` begins the messages."""
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
        """Return why the method cannot run on such a text, or None."""
        if self.encoded and not encoded:
            return NO_ENCODER
        if order_lost and self.on_lost_order().ordered:
            return ORDER_LOST
        return ONE_LABEL if several and not self.spec.learns_several else None

    @property
    def module(self) -> Any:
        return plugins.load("pte.models", self.model)

    @property
    def keeps(self) -> bool:
        """Whether a model file can hold what the method has learnt."""
        has_both = hasattr(self.module, "apply") and hasattr(self.module, "check")
        return self.spec.yields == "words" or (has_both and self.spec.applies(self.options))

    def check(self, kept: ArrayFile) -> int:
        """Check what a file has of what the method learnt; return the number of features."""
        if self.spec.yields == "words":
            kept.array("word_vectors", "float32", "words", "dim")
            return kept.lengths["dim"]
        features: int = self.module.check(kept, self.options)
        return features

    @property
    def seeded(self) -> bool:
        return self.spec.seeded or self.shuffled

    @property
    def modules(self) -> list[str]:
        """The modules of the model and of all networks that it is trained on."""
        networks = (*self.networks, *self.draws)
        model = plugins.module_name("pte.models", self.model)
        return [model, *(named.module_name(name) for name in networks)]

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
