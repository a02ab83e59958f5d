"""`config.yaml` as frozen classes, and what rows, curves and pictures show."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

from pte import encoders
from pte.errors import PteError
from pte.evaluation.setting import ClassifierSetting
from pte.training.setup import Hyperparameters, Step

Values = Mapping[str, Any]  # a part of a checked YAML file
Made = TypeVar("Made")
PAPER = "paper"  # the paper's T, one-edge steps, C = 1
CHOSEN = "chosen"  # chosen on held-out documents; steps may share rows
MAIN_METHOD = "pte_joint"  # what sensitivity trains; seconds are told relative to its own


@dataclass(frozen=True)
class Row:
    """A method as a row of tables: its name in files, its label, its group."""

    name: str
    label: str
    group: str


@dataclass(frozen=True)
class Picture:
    """Documents in the picture of networks: `documents` of each of two classes, `words` long."""

    corpus: str
    documents: int
    words: tuple[int, int]
    seed: int


@dataclass(frozen=True)
class Table:
    """A table of the first `seeds` (one for methods of `one_seed`); in the README if `overview`."""

    corpora: tuple[str, ...]
    caption: str
    protocols: tuple[str, ...]
    seeds: int | None = None
    one_seed: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    overview: bool = True


@dataclass(frozen=True)
class Shares:
    """Shares of a corpus in percent: of its labels, and of the text that then has no label."""

    labelled: tuple[float, ...] = (100,)
    unlabelled: tuple[float, ...] = (100,)


@dataclass(frozen=True)
class Curve:
    """Scores of methods against the share of the labels, or of the unlabelled text, of corpora."""

    caption: str
    along: str
    methods: tuple[str, ...] = ()
    corpora: Mapping[str, Shares] = field(default_factory=dict)
    protocol: str = PAPER


@dataclass(frozen=True)
class Sensitivity:
    """The trainings of PTE(joint), each with another value of a hyperparameter.

    `samples` is the T of trainings, by corpus. T itself has one more training, on `most_samples`
    edges, which is scored at `checkpoints`: parts of its edges."""

    corpora: tuple[str, ...]
    seeds: int
    samples: Mapping[str, int]
    most_samples: Mapping[str, int]
    checkpoints: tuple[float, ...]
    values: Mapping[str, tuple[float, ...]]


@dataclass(frozen=True)
class ProtocolSettings:
    """The settings of a protocol: which edges LINE and PTE train together, and the classifier."""

    step: Step
    classifier: ClassifierSetting


@dataclass(frozen=True)
class Config:
    """The values of config.yaml. The comments of config.yaml say what each key means."""

    plugins: tuple[str, ...]
    seeds: tuple[int, ...]
    curve_seeds: int
    more_seeds: Mapping[str, Mapping[str, int]]
    tables: Mapping[str, Table]
    curves: Mapping[str, Curve]
    network_picture: Picture
    maps: Mapping[str, tuple[str, ...]]
    sensitivity: Sensitivity
    methods: tuple[str, ...]
    hyperparameters: Hyperparameters
    network_weights: str | Mapping[str, float]
    edges: Mapping[str, str]
    networks: Mapping[str, str]  # files of networks that no corpus makes
    samples: Mapping[str, int | str]
    samples_limit: int
    samples_further: int
    choices: Mapping[str, Mapping[str, Values]]
    protocols: Mapping[str, ProtocolSettings]
    published: bool  # whether tables are of published runs
    verified: int  # runs of `snakemake verify`
    encoder: str | None  # of `pte.encoders`; without one, its methods have no scores

    @classmethod
    def of(cls, values: Values) -> "Config":
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
            "methods": tuple(values.get("methods", ())),
            "hyperparameters": _made(
                "config.yaml: hyperparameters", Hyperparameters, values["hyperparameters"]
            ),
            "networks": {name: own["edges"] for name, own in values["networks"].items()},
            "published": values.get("from") == "published",
            "verified": values.get("sample", 20),
            "encoder": values.get("encoder"),
            "protocols": {
                name: _protocol(name, given) for name, given in values["protocols"].items()
            },
        }
        given = {each.name: values[each.name] for each in fields(cls) if each.name not in typed}
        return cls(**given | typed)

    @property
    def reads_texts(self) -> bool:
        """Whether an encoder can read the corpora, or did so for published runs."""
        name = self.encoder
        return self.published or (name is not None and encoders.is_installed(name))


def _made(where: str, make: Callable[..., Made], values: Values) -> Made:
    """Call `make` with values; the message of a `PteError` begins with the keys above them."""
    try:
        return make(**values)
    except PteError as error:
        raise PteError(f"{where}.{error}") from error


def _sensitivity(given: Values) -> Sensitivity:
    values = _tuples(given["values"])
    for name, each in values.items():
        for value in each:
            _made("config.yaml: sensitivity.values", Hyperparameters, {name: value})
    return Sensitivity(**_tuples(given) | {"values": values})


def _curve(curve: Values) -> Curve:
    corpora = {name: Shares(**_tuples(shares)) for name, shares in curve["corpora"].items()}
    return Curve(**_tuples(curve) | {"corpora": corpora})


def _protocol(name: str, values: Values) -> ProtocolSettings:
    where = f"config.yaml: protocols.{name}"
    classifier = {key: value for key, value in values.items() if key != "step"}
    step = _made(where, Step.of, values["step"])
    return ProtocolSettings(step, _made(where, ClassifierSetting, classifier))


def _tuples(values: Values) -> dict[str, Any]:
    """Return the values with tuples for lists, so that nothing can change them."""
    return {
        key: tuple(value) if isinstance(value, list) else value for key, value in values.items()
    }
