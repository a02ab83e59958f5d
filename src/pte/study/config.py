"""`config.yaml` as frozen classes."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from pte.evaluation.setting import ClassifierSetting
from pte.study.entries import PAPER, Picture
from pte.study.own import Own
from pte.training.setup import Hyperparameters, Step

Values = Mapping[str, Any]
"""A part of a checked YAML file."""


@dataclass(frozen=True)
class Table:
    """A table over some corpora.

    It shows the first `seeds` of all seeds, or all; methods of `one_seed` have the first alone. It
    shows the scores of `protocols`, and the rows `methods`, or all of the configuration.
    The README shows it if `overview` is true.
    """

    corpora: tuple[str, ...]
    caption: str
    protocols: tuple[str, ...]
    seeds: int | None = None
    one_seed: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    overview: bool = True


@dataclass(frozen=True)
class Shares:
    """Percent of the labels of a corpus, and of the text that then has none."""

    labelled: tuple[float, ...] = (100,)
    unlabelled: tuple[float, ...] = (100,)


@dataclass(frozen=True)
class LearningCurve:
    """Methods against the part of the labels, or of the unlabelled text, of some corpora.

    They are trained and classified by `protocol`.
    """

    caption: str
    along: str
    corpora: Mapping[str, Shares]
    methods: tuple[str, ...]
    protocol: str = PAPER


@dataclass(frozen=True)
class Sensitivity:
    """What PTE(joint) is trained with, one value after the other.

    `samples` is T by corpus. A training of its own, on `most_samples`, is scored at its
    `checkpoints`, which are parts of it. `values` are those of each hyperparameter.
    """

    corpora: tuple[str, ...]
    seeds: int
    samples: Mapping[str, int]
    most_samples: Mapping[str, int]
    checkpoints: tuple[float, ...]
    values: Mapping[str, tuple[float, ...]]


@dataclass(frozen=True)
class OwnNetwork:
    """A network from outside the corpora: the file `edges` has its edge list."""

    edges: str


@dataclass(frozen=True)
class ProtocolSettings:
    """What a protocol sets: which edges LINE and PTE train together, and the classifier."""

    step: Step
    classifier: ClassifierSetting


@dataclass(frozen=True)
class Config:
    """What is run. The comments of config.yaml say what each key means."""

    plugins: tuple[str, ...]
    seeds: tuple[int, ...]
    curve_seeds: int
    tables: Mapping[str, Table]
    curves: Mapping[str, LearningCurve]
    network_picture: Picture
    maps: Mapping[str, tuple[str, ...]]
    sensitivity: Sensitivity
    methods: tuple[str, ...]
    hyperparameters: Hyperparameters
    deterministic: bool
    shards: int
    """In how many jobs a corpus is encoded and a network is counted."""
    network_weights: str | Mapping[str, float]
    edges: Mapping[str, str]
    networks: Mapping[str, OwnNetwork]
    samples: Mapping[str, int | str]
    samples_limit: int
    choices: Mapping[str, Mapping[str, Values]]
    protocols: Mapping[str, ProtocolSettings]
    own: Mapping[str, Own]
    style: Values
    """How figures differ from what they are, the fields of `pte.render.style.Style`."""
    published: bool
    """Whether tables are made of published runs, not of runs made here."""
    verified: int
    """How many published runs `snakemake verify` makes again."""

    @classmethod
    def of(cls, values: Values) -> "Config":
        """From what the file holds, which has been checked against its schema."""
        protocols = tuple(values["protocols"])
        typed = {
            "plugins": tuple(values["plugins"]),
            "seeds": tuple(values["seeds"]),
            "tables": {
                name: Table(**{"protocols": protocols} | _tuples(table))
                for name, table in values["tables"].items()
            },
            "curves": {name: _curve(curve) for name, curve in values["curves"].items()},
            "network_picture": Picture(**_tuples(values["network_picture"])),
            "maps": _tuples(values["maps"]),
            "sensitivity": _sensitivity(values["sensitivity"]),
            "methods": tuple(values["methods"]),
            "hyperparameters": Hyperparameters(**values["hyperparameters"]),
            "networks": {name: OwnNetwork(**own) for name, own in values["networks"].items()},
            "style": values.get("style") or {},
            "published": values.get("from") == "published",
            "verified": values.get("sample", 20),
            "own": {name: Own.of(entry) for name, entry in (values.get("own") or {}).items()},
            "protocols": {name: _protocol(given) for name, given in values["protocols"].items()},
        }
        given = {field.name: values[field.name] for field in fields(cls) if field.name not in typed}
        return cls(**given | typed)


def _sensitivity(given: Values) -> Sensitivity:
    return Sensitivity(**_tuples(given) | {"values": _tuples(given["values"])})


def _curve(curve: Values) -> LearningCurve:
    corpora = {name: Shares(**_tuples(shares)) for name, shares in curve["corpora"].items()}
    return LearningCurve(**_tuples(curve) | {"corpora": corpora})


def _protocol(values: Values) -> ProtocolSettings:
    classifier = {key: value for key, value in values.items() if key != "step"}
    return ProtocolSettings(Step.of(**values["step"]), ClassifierSetting(**_tuples(classifier)))


def _tuples(values: Values) -> dict[str, Any]:
    """Lists as tuples, so that nothing changes them."""
    return {
        key: tuple(value) if isinstance(value, list) else value for key, value in values.items()
    }
