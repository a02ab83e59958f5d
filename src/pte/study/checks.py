"""`config.yaml` and the registries, each against its schema and all against each other."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pte.config import check, load, typed
from pte.corpora.subsets import Subset
from pte.errors import PteError
from pte.report.sides import part_of_samples

WITH_VECTORS = ("network_embedding", "random_vectors", "skip_gram")
"""Models that leave word vectors."""

TYPED = (
    *("seeds", "sweep_seeds", "available_only", "window", "training", "deterministic"),
    *("network_weights", "samples", "samples_limit", "epochs", "choices", "settings"),
)
"""Keys of the configuration in which no text is meant: `--config` gives it all as text."""

Entry = Mapping[str, Any]


@dataclass(frozen=True)
class Registries:
    """The files of workflow/registry as they are written, by the names of their entries."""

    methods: dict[str, Entry]
    archives: dict[str, Entry]
    corpora: dict[str, Entry]
    claims: dict[str, Entry]
    unavailable: dict[str, str]

    def methods_with(self, *models: str) -> list[str]:
        """The methods that have one of these models."""
        return [name for name, method in self.methods.items() if method["model"] in models]


def checked(config: dict[str, Any], workflow: Path) -> Registries:
    """The registries of the folder `workflow`; values of `config` get their types, in place.

    Raises `PteError` that names the file, the key and what is wrong.
    """
    config.update({key: typed(config[key]) for key in TYPED if key in config})
    check(config, workflow / "schemas" / "config.schema.yaml", "config.yaml")
    files = {
        name: load(
            workflow / "registry" / f"{name}.yaml", workflow / "schemas" / f"{name}.schema.yaml"
        )
        for name in ("methods", "corpora", "claims")
    }
    registries = Registries(files["methods"], **files["corpora"], **files["claims"])
    _check_methods(registries)
    _check_corpora(registries)
    _check_config(config, registries)
    _check_claims(config, registries)
    return registries


def roles_of(corpus: Entry) -> dict[str, str]:
    """The archives of a corpus: its own, and those of its labels and of more text, if any."""
    roles = {role: corpus[role] for role in ("archive", "labels") if role in corpus}
    if "unlabelled" in corpus:
        roles["unlabelled"] = corpus["unlabelled"]["archive"]
    return roles


def check_names(where: str, names: Iterable[str], known: Iterable[str]) -> None:
    """Raise `PteError`, saying where it stands, for the first name that is not known."""
    known = sorted(known)
    for name in names:
        if name not in known:
            raise PteError(f"{where}: {name!r} is not one of {', '.join(known)}")


def _check_methods(registries: Registries) -> None:
    with_vectors = registries.methods_with(*WITH_VECTORS)
    for name, method in registries.methods.items():
        for role in ("start", "vectors"):
            if role in method:
                check_names(f"methods.yaml: {name}.{role}", [method[role]], with_vectors)


def _check_corpora(registries: Registries) -> None:
    for name, entry in registries.corpora.items():
        for role, archive in roles_of(entry).items():
            where = f"corpora.yaml: corpora.{name}.{role}"
            check_names(where, [archive], registries.archives)


def _check_claims(config: Entry, registries: Registries) -> None:
    known = registries.corpora | registries.unavailable
    for name, claim in registries.claims.items():
        check_names(f"claims.yaml: {name}", [claim["left"], *claim["right"]], registries.methods)
        bases = [Subset.parse(corpus).base for corpus in claim["corpora"]]
        check_names(f"claims.yaml: {name}.corpora", bases, known)
        part = part_of_samples(claim)
        if part not in [None, *config["sensitivity"]["looks"]]:
            raise PteError(
                f"claims.yaml: {name}.right_with.samples: {part} is not one of "
                "config.yaml: sensitivity.looks"
            )


def _check_config(config: Entry, registries: Registries) -> None:
    methods, corpora = registries.methods, registries.corpora
    check_names("config.yaml: methods", config["methods"], methods)
    for key in ("samples", "edges", "epochs", "choices", "maps"):
        check_names(f"config.yaml: {key}", config[key], corpora)
    for name, epochs in config["epochs"].items():
        check_names(f"config.yaml: epochs.{name}", epochs, methods)
    for name, table in config["tables"].items():
        where = f"config.yaml: tables.{name}"
        check_names(f"{where}.corpora", table["corpora"], corpora)
        check_names(f"{where}.one_seed", table.get("one_seed", []), methods)
        if "paper" not in table.get("settings", ["paper"]):
            raise PteError(f"{where}.settings: add paper; tuned is shown beside it only")
        seeds = len(config["seeds"])
        if table.get("seeds", 1) > seeds:
            raise PteError(f"{where}.seeds: {table['seeds']} of {seeds} seeds; add to `seeds`")
    for name, curve in config["curves"].items():
        _check_curve(f"config.yaml: curves.{name}", curve, registries)
    pictured = config["network_picture"]["corpus"]
    check_names("config.yaml: network_picture.corpus", [pictured], corpora)
    for name, mapped in config["maps"].items():
        check_names(f"config.yaml: maps.{name}", mapped, registries.methods_with(*WITH_VECTORS))
    for key in ("corpora", "samples", "most_samples"):
        check_names(f"config.yaml: sensitivity.{key}", config["sensitivity"][key], corpora)
    looks = config["sensitivity"]["looks"]
    if looks != sorted(looks) or looks[-1] != 1:
        raise PteError(f"config.yaml: sensitivity.looks: {looks} must rise to 1")


def _check_curve(where: str, curve: Entry, registries: Registries) -> None:
    check_names(f"{where}.corpora", curve["corpora"], registries.corpora)
    check_names(f"{where}.methods", curve["methods"], registries.methods)
    (fixed,) = {"labelled", "unlabelled"} - {curve["along"]}
    for corpus, shares in curve["corpora"].items():
        if len(shares.get(fixed, [100])) > 1:
            raise PteError(
                f"{where}.corpora.{corpus}: the curve is along {curve['along']}; give one value "
                f"of {fixed}"
            )
