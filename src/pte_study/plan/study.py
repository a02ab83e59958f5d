"""The study: what is run, and what each job is given.

The rules of the workflow ask the study, and compute nothing themselves.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from pte import encoders, plugins
from pte.corpora.entry import Archive, Recipe
from pte.errors import PteError
from pte.networks import named
from pte.training.method import Method
from pte.training.setup import JOINT
from pte_study import fetch, paths
from pte_study.claims.relations import relation_modules
from pte_study.configuration.checks import check_all
from pte_study.configuration.config import Config, Table
from pte_study.configuration.entries import Curve, Row
from pte_study.configuration.registry import Registries, read_registries
from pte_study.configuration.yaml_files import check, nearest, or_null, type_by, typed
from pte_study.plan.fingerprint import Sources
from pte_study.plan.fits import Fits

_fingerprint = cache(Sources().fingerprint)
"""Hashes of code, cached, because it does not change while thousands of jobs are planned."""

TYPED = ("network_weights", "samples", "choices", "protocols")
"""Keys of several forms: text becomes numbers, booleans or null before the schema is asked.

`--config` passes some values as text.
"""


_OWN = "`snakemake own` is gone; `pte evaluate FILE` compares methods on a text of your own"
REMOVED = {"own": _OWN, "corpus": _OWN}
"""What to do in place of keys that version 1 had."""


@dataclass(frozen=True)
class Study:
    """The configuration and the registries, checked against each other.

    `scripts` is the folder of the workflow's adapters; `mirror` is the folder of archives,
    if one is configured.
    """

    config: Config
    registries: Registries
    scripts: Path
    mirror: Path | None

    @classmethod
    def load(cls, values: dict[str, Any], workflow: Path, mirror: str = "") -> "Study":
        """Load the study from the values of config.yaml and from the folder `workflow`.

        `values` changes in place: text that stands for numbers becomes numbers. `mirror` is the
        folder that `pte_study.plan.environment.prepare` returns.
        Plugin folders must be on the path. Raises `PteError` that names the file, the key and what
        is wrong.
        """
        for key in REMOVED.keys() & values.keys():
            raise PteError(f"config.yaml: {key}: {REMOVED[key]}")
        values.update({key: typed(values[key]) for key in TYPED if key in values})
        values.update({key: or_null(values[key]) for key in ("encoder", "mirror") if key in values})
        schema = workflow / "schemas" / "config.schema.yaml"
        type_by(schema, values)
        check(values, schema, "config.yaml")
        config = Config.of(values)
        registries = read_registries(workflow, [Path(folder) for folder in config.plugins])
        rows = tuple(name for name, method in registries.methods.items() if method.row)
        config = replace(config, methods=config.methods or rows)
        check_all(config, registries)
        if not _reads_texts(config):
            encoded = [name for name, method in registries.methods.items() if method.encoded]
            config, registries = config.without(encoded), registries.without_claims_on(encoded)
        return cls(config, registries, workflow / "scripts", Path(mirror) if mirror else None)

    @cached_property
    def tables(self) -> Mapping[str, Table]:
        """The tables of the configuration, and one table for each corpus of the registry."""
        protocols = tuple(self.config.protocols)
        corpora = self.registries.corpora
        alone = {name: Table((name,), each.title, protocols) for name, each in corpora.items()}
        return alone | dict(self.config.tables)

    @property
    def stand_ins(self) -> list[str]:
        """The corpora that stand in for corpora of the paper."""
        return sorted({name for names in self.registries.stand_ins.values() for name in names})

    @property
    def labels(self) -> dict[str, str]:
        """The labels of methods, which readers see, by name and in the order of the registry."""
        return {name: method.label for name, method in self.registries.methods.items()}

    def method(self, name: str) -> Method:
        """Return the method of this name."""
        return self.registries.methods[name]

    @property
    def unseeded_methods(self) -> list[str]:
        """The methods for which one run stands for all seeds."""
        return [name for name, method in self.registries.methods.items() if not method.seeded]

    @property
    def stochastic_methods(self) -> list[str]:
        """The methods that predict classes themselves, and whose classifier depends on the seed."""
        predicting = self.registries.yielding("predictions")
        return [name for name in predicting if self.method(name).seeded]

    def rows(self, methods: Iterable[str]) -> list[Row]:
        """Return the rows of tables and figures for these methods."""
        found = map(self.method, methods)
        return [Row(each.name, each.label, each.latex, each.group) for each in found]

    def shown_curve(self, name: str) -> Curve:
        """Return what a learning curve shows."""
        curve = self.config.curves[name]
        methods = (method for each in self.config.curves.values() for method in each.methods)
        return Curve(curve.caption, curve.along, tuple(dict.fromkeys(methods)))

    def archive(self, file: str) -> Archive:
        """Return the archive whose file has this name.

        It has no version, licence or citation and is not on request: these do not change the file.
        """
        found = next(each for each in self.registries.archives.values() if each.file == file)
        return replace(found, version="", licence="", citation="", on_request=False)

    def fetched(self, file: str) -> dict[str, Any]:
        """Return values whose change makes the job fetch an archive anew.

        The values identify the file in the mirror. If neither the registry nor the mirror has a
        hash of the archive, the hashes of the documents that corpora expect from the archive are
        among the values.
        """
        identity = fetch.identity(Path(paths.archive(file)), self.mirror)
        if self.archive(file).sha256 or "sha256" in (identity or {}):
            return {"identity": identity, "documents": []}
        expected = [
            entry.documents_sha256
            for name, entry in self.registries.corpora.items()
            if paths.archive(file) in self.archives_of(name).values()
        ]
        return {"identity": identity, "documents": expected}

    def recipe(self, corpus: str) -> Recipe:
        """Return how a corpus is read and encoded."""
        entry = self.registries.corpora[corpus]
        return Recipe(**{field.name: getattr(entry, field.name) for field in fields(Recipe)})

    def archives_of(self, corpus: str) -> dict[str, str]:
        """Return the files from which a corpus is read, by their roles."""
        roles = self.registries.corpora[corpus].roles()
        archives = self.registries.archives
        return {role: paths.archive(archives[name].file) for role, name in roles.items()}

    def vocabulary_of(self, corpus: str) -> dict[str, str]:
        """Return the file of the words that a corpus keeps, by its role, if it has such a file."""
        return {r: file for r, file in self.archives_of(corpus).items() if r == "vocabulary"}

    def unplanned(self, corpus: str) -> str:
        """Return why a corpus is no part of a run that does not name it; "" if it may be.

        A corpus that only a mirror has is planned if a mirror is configured, whatever files the
        mirror has. A corpus of files on request is planned if all of them are there.
        """
        if lacking := self.lacking(corpus):
            return f"{lacking[0].file} is in no mirror"
        archives = self.registries.corpora[corpus].roles().values()
        only = any(self.registries.archives[name].only_in_mirrors for name in archives)
        reason = "its texts cannot be downloaded, and no mirror is configured"
        return reason if only and self.mirror is None else ""

    def lacking(self, corpus: str) -> tuple[Archive, ...]:
        """Return the archives on request of a corpus that are not there.

        An archive is there if the mirror has its file, or if it was fetched.
        """
        roles = self.registries.corpora[corpus].roles().values()
        archives = [self.registries.archives[name] for name in roles]
        return tuple(
            each
            for each in archives
            if each.on_request
            and not (self.mirror is not None and fetch.has(self.mirror, each.file))
            and not Path(paths.archive(each.file)).exists()
        )

    def methods_of(self, table: str) -> tuple[str, ...]:
        """Return the methods of a table: the methods that it names, or all of the configuration."""
        return self.tables[table].methods or self.config.methods

    @property
    def official_rows(self) -> dict[str, str]:
        """The corpora of the paper's own files, by the names of the paper's columns."""
        corpora = [name for names in self.registries.official.values() for name in names]
        rows = {name: self.registries.corpora[name].table1.row for name in corpora}
        return {row: name for name, row in rows.items() if row}

    def official(self, corpus: str) -> dict[str, str | None]:
        """Return the hashes of the official archives of a corpus, by role."""
        roles = self.registries.corpora[corpus].roles()
        return {role: self.registries.archives[name].sha256 for role, name in roles.items()}

    @property
    def relations(self) -> list[str]:
        """The modules of plugins with relations that claims name."""
        return relation_modules(claim.relation for claim in self.registries.claims.values())

    def code(self, script: str, *modules: str) -> str:
        """Return the hash of all code that the results of a script depend on.

        This is the code of the script, of the modules of this project that it imports, and of
        `modules`, which it finds by name.
        """
        return _fingerprint(self.scripts / f"{script}.py", *modules)

    def reading_code(self, script: str, corpus: str, *modules: str) -> str:
        """Return the hash of all code of a script that reads a corpus, including its readers."""
        readers = self.registries.corpora[corpus].readers()
        reading = (plugins.module_name("pte.corpora.readers", name) for name in readers)
        return self.code(script, *reading, *modules)

    @property
    def sensitivity_code(self) -> str:
        """The hash of all code that a training of the sensitivity experiment depends on."""
        networks = (named.module_name(name) for name in JOINT)
        return self.code("sensitivity_run", *networks)

    @property
    def sensitivity_weights(self) -> str | dict[str, float]:
        """The weights of networks in the sensitivity experiment, which has the networks `JOINT`."""
        weights = self.config.network_weights
        if isinstance(weights, str):
            return weights
        return {name: weight for name, weight in weights.items() if name in JOINT}

    def kernels_code(self, kernels: str) -> str:
        """Return the hash of the code of a set of kernels.

        The kernels of encoding have a hash of their own, because an edited kernel of training is no
        reason to encode again.
        """
        return _fingerprint("pte.core.words" if kernels == "encoding" else "pte.core")

    def network_code(self, script: str, network: str) -> str:
        """Return the hash of all code of a script that counts or builds a network."""
        return self.code(script, named.module_name(network))

    def window_of(self, network: str) -> int | None:
        """Return the window of a network; None if the edges do not depend on a window."""
        return self.config.hyperparameters.window if named.spec(network).window else None

    def edges_of(self, network: str) -> list[str]:
        """Return the file of a network that is an edge list of the configuration; else no file."""
        own = self.config.networks.get(network)
        return [own] if own else []

    @cached_property
    def fits(self) -> Fits:
        """The fits of the study, and the scores of these fits."""
        return Fits(self.config, self.registries, self.code)

    @property
    def encoder_files(self) -> list[str]:
        """The model and the tokeniser of an encoder that is a folder; none of another encoder."""
        return [str(file) for file in encoders.files_of(self.config.encoder or encoders.PACKAGED)]

    @property
    def encoder_lacking(self) -> str:
        """A line that says that the methods of the encoder are left out; empty if they are not."""
        name = self.config.encoder
        if name is None or _reads_texts(self.config):
            return ""
        advice = "pip install '.[encoder]' brings it"
        if not encoders.is_onnx(name):
            advice = f"{encoders.NO_FOLDER}{nearest(name, [encoders.PACKAGED])}"
        return f"left out: the rows of encoder {name}; {advice}"


def _reads_texts(config: Config) -> bool:
    """Return whether an encoder can read the corpora, or did so for published runs."""
    name = config.encoder
    return name is not None and (config.published or encoders.is_installed(name))
