"""The corpora of a study: what they are read from, and what jobs that read or count are given."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path

from pte import encoders
from pte.corpora.entry import Archive, Recipe
from pte.corpora.readers import reader_module
from pte.networks import named
from pte.training.method import Method
from pte_study import fetch, paths
from pte_study.configuration.config import Config, Row
from pte_study.configuration.registry import Registries
from pte_study.plan.fingerprint import fingerprint


@dataclass(frozen=True)
class Corpora:
    """The configuration and the registries, checked against each other, and the corpora in them.

    If tables are made from published runs, `held` has the file of each."""

    config: Config
    registries: Registries
    scripts: Path
    mirror: Path | None
    held: Mapping[str, str] | None = None

    def code(self, script: str, *modules: str) -> str:
        return fingerprint(self.scripts / f"{script}.py", *modules)

    def reading_code(self, script: str, corpus: str) -> str:
        readers = self.registries.corpora[corpus].readers()
        return self.code(script, *map(reader_module, readers))

    def network_code(self, script: str, *networks: str) -> str:
        return self.code(script, *map(named.module_name, networks))

    def method(self, name: str) -> Method:
        return self.registries.methods[name]

    @property
    def labels(self) -> dict[str, str]:
        return {name: method.label for name, method in self.registries.methods.items()}

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
        found = map(self.method, methods)
        return [Row(each.name, each.label, each.group) for each in found]

    def archive(self, file: str) -> Archive:
        """Return the archive whose file has this name, with what decides the file alone."""
        found = next(each for each in self.registries.archives.values() if each.file == file)
        return replace(found, version="", licence="", citation="", on_request=False)

    def _roles(self, corpus: str) -> dict[str, Archive]:
        roles = self.registries.corpora[corpus].roles()
        return {role: self.registries.archives[name] for role, name in roles.items()}

    def archives_of(self, corpus: str) -> dict[str, str]:
        return {role: paths.archive(each.file) for role, each in self._roles(corpus).items()}

    def official(self, corpus: str) -> dict[str, str | None]:
        return {role: each.sha256 for role, each in self._roles(corpus).items()}

    def recipe(self, corpus: str) -> Recipe:
        entry = self.registries.corpora[corpus]
        return Recipe(**{field.name: getattr(entry, field.name) for field in fields(Recipe)})

    def unplanned(self, corpus: str) -> str:
        """Return why a run leaves out a corpus that it does not name; "" if it may have it."""
        if lacking := self.lacking(corpus):
            return f"{lacking[0].file} is in no mirror"
        only = any(each.only_in_mirrors for each in self._roles(corpus).values())
        reason = "its texts cannot be downloaded, and no mirror is configured"
        return reason if only and self.mirror is None else ""

    def lacking(self, corpus: str) -> list[Archive]:
        """Return the archives on request of a corpus that are in no mirror and were not fetched."""
        return [
            each
            for each in self._roles(corpus).values()
            if each.on_request
            and not (self.mirror is not None and fetch.has(self.mirror, each.file))
            and not Path(paths.archive(each.file)).exists()
        ]

    @property
    def stand_ins(self) -> list[str]:
        return sorted({name for names in self.registries.stand_ins.values() for name in names})

    @property
    def official_rows(self) -> dict[str, str]:
        """The corpora of the paper's own files, by the names of the paper's columns."""
        corpora = [name for names in self.registries.official.values() for name in names]
        rows = {name: self.registries.corpora[name].table1.row for name in corpora}
        return {row: name for name, row in rows.items() if row}

    def window_of(self, network: str) -> int | None:
        return self.config.hyperparameters.window if named.spec(network).window else None

    @property
    def encoder_files(self) -> list[str]:
        """The model and the tokeniser of an encoder that is a folder; none of another encoder."""
        return [str(file) for file in encoders.files_of(self.config.encoder or encoders.PACKAGED)]
