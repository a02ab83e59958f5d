"""Checks of the configuration and the registries against each other."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from pte.corpora.readers import check_options
from pte.corpora.subsets import Subset
from pte.corpora.tokenise import TOKENISERS
from pte.encoders import NO_FOLDER, PACKAGED, is_onnx
from pte.errors import PteError
from pte.networks import named
from pte.networks.kinds import KINDS
from pte_study import paths
from pte_study.claims.claim import BESIDE_TABLES, TRAINED, Claim, base_of
from pte_study.configuration.config import Config
from pte_study.configuration.registry import Registries, check_keys, nearest

ROLES = (
    *("corpus", "neighbours", "choice", "compiled", "representation", "training"),
    *("classifier", "rows", "node", "encoded", "whole"),
)  # roles of a fit or a score, which `SPEC.needs` must not use


Names = tuple[str, Iterable[str], Iterable[str]]  # where they stand, these names, those known


def check_all(config: Config, registries: Registries) -> None:
    """Raise `PteError` for the first unknown name, or the first value that does not fit."""
    _check_networks(config)
    for names in (*_of_registries(config, registries), *_of_config(config, registries)):
        check_names(*names)
    _check_methods(registries)
    _check_corpora(registries)
    _check_config(config, registries)
    _check_choices(config, registries)
    for name, claim in registries.claims.items():
        _check_sides(registries.where[f"claims.{name}"], claim, config, registries)


def check_names(where: str, names: Iterable[str], known: Iterable[str]) -> None:
    """Raise `PteError` for the first of `names` that is not known. `where` begins its message."""
    known = sorted(known)
    for name in names:
        if name not in known:
            raise PteError(
                f"{where}: {name!r} is not one of {', '.join(known)}{nearest(name, known)}"
            )


def _of_registries(config: Config, registries: Registries) -> Iterator[Names]:
    methods, corpora, at = registries.methods, registries.corpora, registries.where
    for name, method in methods.items():
        for role, other in method.needs.items():
            yield f"{at[name]}.{role}", [other], registries.yielding("words")
    for name, corpus in corpora.items():
        where = at[f"corpora.{name}"]
        for role, archive in corpus.roles().items():
            yield f"{where}.{role}", [archive], registries.archives
        yield f"{where}.tokeniser", [corpus.tokeniser], TOKENISERS
    for name, splits in registries.other_splits.items():
        yield f"claims.yaml: other_splits.{name}", [name, *splits], corpora
    for key in ("official", "stand_ins"):
        places = getattr(registries, key)
        yield f"claims.yaml: {key}", places, registries.unavailable
        yield from ((f"claims.yaml: {key}.{name}", each, corpora) for name, each in places.items())
    for name, claim in registries.claims.items():
        where = at[f"claims.{name}"]
        yield where, [*claim.left, *claim.right], methods
        bases = [Subset.parse(each).base for each in (*claim.corpora, *claim.beyond)]
        yield f"{where}.corpora", bases, {**corpora, **registries.unavailable}
        yield f"{where}.protocols", claim.protocols, config.protocols


def _of_config(config: Config, registries: Registries) -> Iterator[Names]:
    methods, corpora = registries.methods, registries.corpora
    yield "config.yaml: methods", config.methods, methods
    if not isinstance(config.network_weights, str):
        networks = {network for method in methods.values() for network in method.networks}
        yield "config.yaml: network_weights", config.network_weights, networks
    yield "config.yaml: network_picture.corpus", [config.network_picture.corpus], corpora
    for key in ("samples", "edges", "choices", "maps"):
        yield f"config.yaml: {key}", getattr(config, key), corpora
    for key in ("corpora", "samples", "most_samples"):
        yield f"config.yaml: sensitivity.{key}", getattr(config.sensitivity, key), corpora
    for part, many in config.more_seeds.items():
        _, _, measure = part.partition(", ")
        yield "config.yaml: more_seeds", [base_of(part)], corpora
        yield f"config.yaml: more_seeds.{part}", many, methods
        yield f"config.yaml: more_seeds.{part}", [measure] if measure else [], paths.BESIDE
    for name, mapped in config.maps.items():
        yield f"config.yaml: maps.{name}", mapped, registries.yielding("words")
    for name, table in config.tables.items():
        yield f"config.yaml: tables.{name}.corpora", table.corpora, corpora
        yield f"config.yaml: tables.{name}.one_seed", table.one_seed, methods
        yield f"config.yaml: tables.{name}.methods", table.methods, methods
    for name, curve in config.curves.items():
        yield f"config.yaml: curves.{name}.corpora", curve.corpora, corpora
        yield f"config.yaml: curves.{name}.methods", curve.methods, methods
    choosing = [name for name, method in methods.items() if method.spec.choice]
    for name, fixed in config.choices.items():
        yield f"config.yaml: choices.{name}", fixed, choosing


def _check_once(key: str, values: Mapping[str, str], where: Mapping[str, str]) -> None:
    """Raise `PteError` if two entries have the same value of `key`."""
    owners: dict[str, str] = {}
    for name, value in values.items():
        owner = owners.setdefault(value, name)
        if owner != name:
            said = f"{value} is the {key} of {owner}, too; change one"
            raise PteError(f"{where[name]}.{key}: {said}")


def _check_networks(config: Config) -> None:
    for name, edges in config.networks.items():
        where = f"config.yaml: networks.{name}"
        if name in KINDS:
            raise PteError(f"{where}: a module has this name already; choose another name")
        if name in ROLES:
            raise PteError(f"{where}: a job has an input of this name; choose another name")
        if not Path(edges).is_file():
            raise PteError(f"{where}.edges: {edges}: there is no such file")


def _check_methods(registries: Registries) -> None:
    labels = {name: method.label for name, method in registries.methods.items()}
    _check_once("label", labels, registries.where)
    for name, method in registries.methods.items():
        where = registries.where[name]
        for network in method.networks:
            try:
                named.spec(network)
            except PteError as error:
                raise PteError(f"{where}: networks: {error}") from None
        for role in method.needs:
            if role in (*ROLES, *method.networks):
                raise PteError(f"{where}: SPEC.needs: the role {role} is taken; rename it")


def _check_corpora(registries: Registries) -> None:
    places = {name: registries.where[f"archives.{name}"] for name in registries.archives}
    _check_once("file", {n: each.file for n, each in registries.archives.items()}, places)
    for name, corpus in registries.corpora.items():
        where = registries.where[f"corpora.{name}"]
        if both := corpus.options.keys() & corpus.files.keys():
            raise PteError(f"{where}: {min(both)} is a file and an option; remove one")
        check_options(corpus.reader, {*corpus.options, *corpus.files}, where)
        if more := corpus.unlabelled:
            check_options(more["reader"], more["options"], f"{where}.unlabelled")


def _check_sides(where: str, claim: Claim, config: Config, registries: Registries) -> None:
    tabled = {corpus for table in config.tables.values() for corpus in table.corpora}
    for view, name in (side for corpus in claim.corpora for side in claim.sides(corpus)):
        if view.measure == "training" and name != TRAINED:
            raise PteError(f"{where}: {view.name} is a training of {TRAINED}, and not of {name}")
        if view.measure == "seconds" and not registries.methods[name].is_represented:
            said = f"no job trains {name}, so it has no seconds; name another method"
            raise PteError(f"{where}: {said}")
        if view.measure in ("neighbours", "training neighbours"):
            check_names(where, [name], registries.yielding("words"))
            _check_can_run(where, view.base, name, registries)
        shown = view.in_tables and view.base in tabled
        beside = view.measure == "scores" and not shown and view.base in registries.corpora
        if beside and claim.protocols and BESIDE_TABLES not in claim.protocols:
            raise PteError(
                f"{where}.protocols: no table shows {view.name}, so its runs are by "
                f"{BESIDE_TABLES}; add {BESIDE_TABLES}"
            )


def _check_can_run(where: str, corpus: str, method: str, registries: Registries) -> None:
    why_not = corpus in registries.corpora and registries.why_not(corpus, method)
    if why_not:
        raise PteError(f"{where}: {method} cannot run on {corpus} ({why_not}); name another")


def _check_config(config: Config, registries: Registries) -> None:
    name = config.encoder
    if name and not config.reads_texts and not is_onnx(name):
        raise PteError(f"config.yaml: encoder: {name}: {NO_FOLDER}{nearest(name, [PACKAGED])}")
    for name, mapped in config.maps.items():
        for method in mapped:
            _check_can_run(f"config.yaml: maps.{name}", name, method, registries)
    sensitivity = config.sensitivity
    if lost := [name for name in sensitivity.corpora if registries.corpora[name].order_lost]:
        raise PteError(f"config.yaml: sensitivity.corpora: {lost[0]} has lost the order of words")
    parts = list(sensitivity.checkpoints)
    if parts != sorted(parts) or parts[-1] != 1:
        raise PteError(f"config.yaml: sensitivity.checkpoints: {parts} must rise to 1")


def _check_choices(config: Config, registries: Registries) -> None:
    for corpus, fixed in config.choices.items():
        for name, values in fixed.items():
            choice = registries.methods[name].spec.choice
            # Without weights here, those of `network_weights` count.
            required = [key for key in choice if key != "weights"]
            check_keys(values, choice, required, "config.yaml", "choices", corpus, name)
