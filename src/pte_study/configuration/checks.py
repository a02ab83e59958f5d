"""Checks of the configuration and the registries against each other."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import get_args

from pte.corpora.readers import check_options
from pte.corpora.subsets import Subset
from pte.corpora.tokenise import TOKENISERS
from pte.errors import PteError
from pte.networks import named
from pte.training.contract import KernelSet
from pte_study import paths
from pte_study.claims.claim import BESIDE_TABLES, TRAINED, Claim, Side, base_of
from pte_study.configuration.config import Config, LearningCurve, Table
from pte_study.configuration.registry import Registries
from pte_study.configuration.yaml_files import check, nearest

ROLES = (
    *("corpus", "neighbours", "choice", "compiled", "representation", "training"),
    *("classifier", "rows", "node", "encoded", "whole"),
)  # roles of a fit or a score, which `SPEC.needs` must not use


NOT_TABLES = (
    *("table1", "network", "claims", "runs", "hours", "searches", "provenance", "scores", "leads"),
    "moderation",
)  # published names that no table of the configuration may have


def check_all(config: Config, registries: Registries) -> None:
    """Raise `PteError` for the first unknown name, or the first value that does not fit."""
    _check_networks(config)
    _check_methods(registries)
    _check_corpora(registries)
    _check_config(config, registries)
    _check_tables(config, registries)
    _check_choices(config, registries)
    for name, curve in config.curves.items():
        _check_curve(f"config.yaml: curves.{name}", curve, registries)
    _check_captions("curves", config.curves)
    _check_claims(config, registries)


def check_names(where: str, names: Iterable[str], known: Iterable[str]) -> None:
    """Raise `PteError` for the first of `names` that is not known. `where` begins its message."""
    known = sorted(known)
    for name in names:
        if name not in known:
            raise PteError(
                f"{where}: {name!r} is not one of {', '.join(known)}{nearest(name, known)}"
            )


def _check_networks(config: Config) -> None:
    for name, edges in config.networks.items():
        where = f"config.yaml: networks.{name}"
        if named.is_taken(name):
            raise PteError(f"{where}: a module has this name already; choose another name")
        if name in ROLES:
            raise PteError(f"{where}: a job has an input of this name; choose another name")
        if not Path(edges).is_file():
            raise PteError(f"{where}.edges: {edges}: there is no such file")


def _check_methods(registries: Registries) -> None:
    with_vectors = registries.yielding("words")
    labels: dict[str, str] = {}
    for name, method in registries.methods.items():
        where = registries.where[name]
        if labels.setdefault(method.label, name) != name:
            other = labels[method.label]
            raise PteError(f"{where}.label: {method.label} is the label of {other}, too; rename it")
        for network in method.networks:
            try:
                named.spec(network)
            except PteError as error:
                raise PteError(f"{where}: networks: {error}") from None
        for role, other in method.needs.items():
            if role in (*ROLES, *method.networks):
                raise PteError(f"{where}: SPEC.needs: the role {role} is taken; rename it")
            check_names(f"{where}.{role}", [other], with_vectors)
        check_names(f"{where}: SPEC.kernels of {method.model}", method.kernels, get_args(KernelSet))


def _check_corpora(registries: Registries) -> None:
    owners: dict[str, str] = {}
    for name, entry in registries.archives.items():
        owner = owners.setdefault(entry.file, name)
        if owner != name:
            where = registries.where[f"archives.{name}"]
            raise PteError(f"{where}.file: {entry.file} is the file of {owner}, too; rename one")
    for name, corpus in registries.corpora.items():
        where = registries.where[f"corpora.{name}"]
        for role, archive in corpus.roles().items():
            check_names(f"{where}.{role}", [archive], registries.archives)
        if both := corpus.options.keys() & corpus.files.keys():
            raise PteError(f"{where}: {min(both)} is a file and an option; remove one")
        check_options(corpus.reader, {*corpus.options, *corpus.files}, where)
        if more := corpus.unlabelled:
            check_options(more.reader, more.options, f"{where}.unlabelled")
        check_names(f"{where}.tokeniser", [corpus.tokeniser], TOKENISERS)


def _check_claims(config: Config, registries: Registries) -> None:
    known = {**registries.corpora, **registries.unavailable}
    for corpus, splits in registries.other_splits.items():
        check_names(f"claims.yaml: other_splits.{corpus}", [corpus, *splits], registries.corpora)
    for key in ("official", "stand_ins"):
        places = getattr(registries, key)
        check_names(f"claims.yaml: {key}", places, registries.unavailable)
        for name, corpora in places.items():
            check_names(f"claims.yaml: {key}.{name}", corpora, registries.corpora)
    for name, claim in registries.claims.items():
        where = registries.where[f"claims.{name}"]
        check_names(where, [*claim.left, *claim.right], registries.methods)
        bases = [Subset.parse(corpus).base for corpus in (*claim.corpora, *claim.beyond)]
        check_names(f"{where}.corpora", bases, known)
        check_names(f"{where}.protocols", claim.protocols, config.protocols)
        _check_sides(where, claim, config, registries)


def _check_sides(where: str, claim: Claim, config: Config, registries: Registries) -> None:
    tabled = {corpus for table in config.tables.values() for corpus in table.corpora}
    for corpus in claim.corpora:
        for side in claim.sides(corpus):
            _check_measure(where, side, registries)
            view, _ = side
            shown = view.in_tables and view.base in tabled
            beside = view.measure == "scores" and not shown and view.base in registries.corpora
            if beside and claim.protocols and BESIDE_TABLES not in claim.protocols:
                raise PteError(
                    f"{where}.protocols: no table shows {view.name}, so its runs are by "
                    f"{BESIDE_TABLES}; add {BESIDE_TABLES}"
                )


def _check_measure(where: str, side: Side, registries: Registries) -> None:
    view, name = side
    if view.measure == "training" and name != TRAINED:
        raise PteError(f"{where}: {view.name} is a training of {TRAINED}, and not of {name}")
    if view.measure == "seconds" and not registries.methods[name].is_represented:
        raise PteError(f"{where}: no job trains {name}, so it has no seconds; name another method")
    if view.measure in ("neighbours", "training neighbours"):
        check_names(where, [name], registries.yielding("words"))
        _check_can_run(where, view.base, name, registries)


def _check_can_run(where: str, corpus: str, method: str, registries: Registries) -> None:
    why_not = corpus in registries.corpora and registries.why_not(corpus, method)
    if why_not:
        raise PteError(f"{where}: {method} cannot run on {corpus} ({why_not}); name another")


def _check_config(config: Config, registries: Registries) -> None:
    methods, corpora, found = registries.methods, registries.corpora, config.sensitivity
    networks = {network for method in methods.values() for network in method.networks}
    weights = config.network_weights
    names: list[tuple[str, Iterable[str], Iterable[str]]] = [
        ("methods", config.methods, methods),
        *((key, getattr(config, key), corpora) for key in ("samples", "edges", "choices", "maps")),
        ("network_weights", () if isinstance(weights, str) else weights, networks),
        ("network_picture.corpus", [config.network_picture.corpus], corpora),
        ("sensitivity.corpora", found.corpora, corpora),
        ("sensitivity.samples", found.samples, corpora),
        ("sensitivity.most_samples", found.most_samples, corpora),
    ]
    for part, many in config.more_seeds.items():
        measure = part.partition(", ")[2]
        names.append(("more_seeds", [base_of(part)], corpora))
        names.append((f"more_seeds.{part}", many, methods))
        names.append((f"more_seeds.{part}", [measure] if measure else [], paths.BESIDE))
    for key, given, known in names:
        check_names(f"config.yaml: {key}", given, known)
    for name, mapped in config.maps.items():
        check_names(f"config.yaml: maps.{name}", mapped, registries.yielding("words"))
        for method in mapped:
            _check_can_run(f"config.yaml: maps.{name}", name, method, registries)
    if lost := [name for name in found.corpora if corpora[name].order_lost]:
        raise PteError(f"config.yaml: sensitivity.corpora: {lost[0]} has lost the order of words")
    parts = list(found.checkpoints)
    if parts != sorted(parts) or parts[-1] != 1:
        raise PteError(f"config.yaml: sensitivity.checkpoints: {parts} must rise to 1")


def _check_tables(config: Config, registries: Registries) -> None:
    methods = registries.methods
    for name, table in config.tables.items():
        where = f"config.yaml: tables.{name}"
        check_names(f"{where}.corpora", table.corpora, registries.corpora)
        check_names(f"{where}.one_seed", table.one_seed, methods)
        check_names(f"{where}.methods", table.methods, methods)
        if "paper" not in table.protocols:
            raise PteError(f"{where}.protocols: add paper; chosen is shown only with it")
        if name in NOT_TABLES:
            raise PteError(f"{where}: {name} is the name of another result; rename the table")
    others = {name: table for name, table in config.tables.items() if name != "quickstart"}
    _check_captions("tables", others)  # the quickstart has a page of its own


def _check_captions(key: str, shown: Mapping[str, Table] | Mapping[str, LearningCurve]) -> None:
    owners: dict[str, str] = {}
    for name, each in shown.items():
        owner = owners.setdefault(paths.anchor(each.caption), name)
        if owner != name:
            where = f"config.yaml: {key}.{name}.caption"
            raise PteError(f"{where}: {each.caption} is the caption of {owner}, too; change one")


def _check_choices(config: Config, registries: Registries) -> None:
    choosing = [name for name, method in registries.methods.items() if method.spec.choice]
    for corpus, fixed in config.choices.items():
        check_names(f"config.yaml: choices.{corpus}", fixed, choosing)
        for name, values in fixed.items():
            choice = registries.methods[name].spec.choice
            schema = {
                "type": "object",
                "additionalProperties": False,
                # Without weights here, those of `network_weights` count.
                "required": [key for key in choice if key != "weights"],
                "properties": dict(choice),
            }
            check(values, schema, "config.yaml", "choices", corpus, name)


def _check_curve(where: str, curve: LearningCurve, registries: Registries) -> None:
    check_names(f"{where}.corpora", curve.corpora, registries.corpora)
    check_names(f"{where}.methods", curve.methods, registries.methods)
    (fixed,) = {"labelled", "unlabelled"} - {curve.along}
    for corpus, shares in curve.corpora.items():
        if len(getattr(shares, fixed)) > 1:
            raise PteError(
                f"{where}.corpora.{corpus}: the curve is along {curve.along}; give one value "
                f"of {fixed}"
            )
