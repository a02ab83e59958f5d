"""The entries of workflow/registry and of plugins, as frozen classes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from pte import plugins
from pte.corpora.entry import Archive, CorpusEntry
from pte.corpora.subsets import Subset
from pte.errors import PteError
from pte.training.contract import (
    ONE_LABEL,
    ORDER_LOST,
    KernelSet,
    Options,
    Rounds,
    Spec,
)
from pte_study.claims.claim import FROM_PAPER, Claim
from pte_study.configuration.budget import Candidate
from pte_study.configuration.entries import CONTROL
from pte_study.configuration.joining import joined
from pte_study.configuration.yaml_files import check

NAMES = ("label", "latex", "group", "model", "labels", "own", "row", "without_order")
"""Keys that every method may have; all other keys of a method are options of its model."""

Answer = TypeVar("Answer")

CORPORA, METHODS, CLAIMS = "corpora.yaml", "methods.yaml", "claims.yaml"


@dataclass(frozen=True)
class Method:
    """A row of the tables: a model with options.

    If `shuffled` is true, the training labels are permuted first. `without_order` has options that
    replace those of `options` where a corpus has lost the order of words. `own` says what the
    method is on a text of a user's own, as in `pte_study.configuration.budget.Candidate`. A method
    without a `row` stands only in tables that name it.
    """

    name: str
    label: str
    latex: str
    group: str
    model: str
    shuffled: bool
    options: Mapping[str, Any]
    spec: Spec
    without_order: Mapping[str, Any]
    own: tuple[str, ...] = ()
    row: bool = True

    @classmethod
    def of(cls, name: str, entry: Mapping[str, Any], where: str) -> "Method":
        """Make a method from its entry in the registry.

        Raises `PteError` if the model does not exist, if the options do not fit the model, or if
        the model makes features and needs networks or neighbours. `where` begins the messages: it
        is the file and the name.
        """
        try:
            module = plugins.load("pte.models", entry["model"])
        except PteError as error:
            raise PteError(f"{where}.model: {error}") from None
        if not (hasattr(module, "SPEC") and hasattr(module, "fit")):
            what = "the module has no SPEC and fit, so it is no method"
            raise PteError(f"{where}.model: {entry['model']}: {what}")
        spec = module.SPEC
        options = {key: value for key, value in entry.items() if key not in NAMES}
        allowed = {
            "type": "object",
            "additionalProperties": False,
            "properties": dict(spec.options),
            "required": list(spec.required),
        }
        others = entry.get("without_order", {})
        for given in (options, options | others):
            check(given, allowed, where.removesuffix(f": {name}"), name)
        shuffled = entry.get("labels") == "shuffled"
        method = cls(
            name,
            **{key: entry[key] for key in ("label", "latex", "group", "model")},
            shuffled=shuffled,
            options=options,
            spec=spec,
            without_order=others,
            own=tuple(entry.get("own", ())),
            row=entry.get("row", True),
        )
        if spec.yields == "features" and (method.networks or spec.neighbours):
            raise PteError(
                f"{where}: features are made where they are scored; they may need word vectors of "
                "other methods, but no networks and no neighbours"
            )
        return method

    def on_lost_order(self) -> "Method":
        """Return the method with its options for corpora that have lost the order of words."""
        return replace(self, options={**self.options, **self.without_order})

    @property
    def seeded(self) -> bool:
        """Whether the seed matters to the method."""
        return self.spec.seeded or self.shuffled

    @property
    def networks(self) -> tuple[str, ...]:
        """The networks that the method is trained on."""
        return self._ask(self.spec.networks, "networks")

    @property
    def needs(self) -> Mapping[str, str]:
        """The methods whose word vectors this method is given, by the roles of the vectors."""
        return self._ask(self.spec.needs, "needs")

    @property
    def rounds(self) -> Rounds | None:
        """The nodes and rounds in which jobs train the method together; None if one job does."""
        return self._ask(self.spec.rounds, "rounds")

    @property
    def kernels(self) -> tuple[KernelSet, ...]:
        """The sets of kernels that the method calls, beside those of its networks."""
        return self._ask(self.spec.kernels, "kernels")

    @property
    def candidate(self) -> Candidate:
        """What decides whether the method is run on a text of a user's own."""
        return Candidate(self._ask(self.spec.cost, "cost"), bool(self.networks), self.own)

    @property
    def is_for_own(self) -> bool:
        """Whether the method may run on a text of a user's own: one control is enough there."""
        return self.group != CONTROL or "always" in self.own

    @property
    def usual(self) -> Mapping[str, Any] | None:
        """The hyperparameters that a text of the user's own takes and does not search, or None."""
        return self._ask(self.spec.usual, "usual")

    @property
    def sees_labels(self) -> bool:
        """Whether labels matter to what the method learns."""
        return self._ask(self.spec.sees_labels, "sees_labels")

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
            raise PteError(f"{METHODS}: {self.name}: {what}") from error


@dataclass(frozen=True)
class Registries:
    """All entries by their names.

    `unavailable` says why a corpus cannot be had, and `stand_ins` has the corpora that stand in for
    such a corpus. `where` has the beginning of messages about each entry, by the entry's key: the
    file and the key.
    """

    methods: Mapping[str, Method]
    archives: Mapping[str, Archive]
    corpora: Mapping[str, CorpusEntry]
    claims: Mapping[str, Claim]
    unavailable: Mapping[str, str]
    where: Mapping[str, str]
    stand_ins: Mapping[str, Sequence[str]]

    @property
    def rows(self) -> tuple[str, ...]:
        """The methods that have a row in every table which does not name its rows."""
        return tuple(name for name, method in self.methods.items() if method.row)

    def method_on(self, corpus: str, name: str) -> Method:
        """Return a method with the options that it has on a corpus or on a subset."""
        entry = self.methods[name]
        return entry.on_lost_order() if self.entry_of(corpus).order_lost else entry

    def why_not(self, corpus: str, method: str) -> str | None:
        """Return why a method cannot run on a corpus; None if it can run.

        It cannot run either if a method whose vectors it takes cannot run.
        """
        text, entry = self.entry_of(corpus), self.method_on(corpus, method)
        if text.order_lost and entry.spec.ordered(entry.options):
            return ORDER_LOST
        if text.several_labels and not entry.spec.learns_several:
            return ONE_LABEL
        needed = entry.needs.values()
        return next(filter(None, (self.why_not(corpus, name) for name in needed)), None)

    def entry_of(self, corpus: str) -> CorpusEntry:
        """Return the entry of the corpus that a corpus or a subset belongs to."""
        return self.corpora[Subset.parse(corpus).base]

    def yielding(self, *kinds: str) -> list[str]:
        """Return the methods that yield one of these `kinds`."""
        return [name for name, method in self.methods.items() if method.spec.yields in kinds]


def read_registries(workflow: Path, folders: Sequence[Path]) -> Registries:
    """Read the registries of the folder `workflow`, with the entries that plugin `folders` add.

    Raises `PteError` that names the file, the key and what is wrong.
    """
    methods, method_at, _ = joined(METHODS, workflow, folders)
    corpora, corpus_at, _ = joined(CORPORA, workflow, folders)
    claims, claim_at, sources = joined(CLAIMS, workflow, folders)
    return Registries(
        methods={name: Method.of(name, entry, method_at[name]) for name, entry in methods.items()},
        archives={n: Archive.from_mapping(entry) for n, entry in corpora["archives"].items()},
        corpora={n: CorpusEntry.from_mapping(entry) for n, entry in corpora["corpora"].items()},
        claims={
            n: Claim.from_mapping(
                entry, claim_at[f"claims.{n}"], sources.get(f"claims.{n}", FROM_PAPER)
            ).on_stand_ins(claims["stand_ins"])
            for n, entry in claims["claims"].items()
        },
        unavailable=claims["unavailable"],
        where={**method_at, **corpus_at, **claim_at},
        stand_ins=claims["stand_ins"],
    )
