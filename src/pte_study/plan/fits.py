"""What jobs on corpora are given, to read, fit and score: files, plans, memory, hashes of code."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pte import encoders, plugins
from pte.corpora.entry import Archive, Recipe
from pte.corpora.readers import reader_module
from pte.corpora.subsets import Subset
from pte.evaluation.setting import ClassifierSetting
from pte.networks import named
from pte.training.method import Method
from pte.training.setup import Configured, FitPlan, Hyperparameters, Size
from pte_study import fetch, paths
from pte_study.configuration.config import CHOSEN, PAPER, Config, Row
from pte_study.configuration.registry import Registries
from pte_study.plan.fingerprint import fingerprint

PROGRAM = 250_000_000  # bytes of Python, its packages and compiled kernels in a fit
LAUNCHERS = 600_000_000  # bytes of two Snakemakes that start a cluster's job; one took 270 MB
TO_SCORE, OF_A_TOKEN, COPIES = 1_000_000_000, 100, 10
"""Bytes to score: in any case, per token, per mapped byte (measured: 250 MB, 90 and 9)."""


@dataclass(frozen=True)
class Fits:
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

    # Fits and scores

    @property
    def represented_methods(self) -> list[str]:
        return [n for n, method in self.registries.methods.items() if method.is_represented]

    def fit_inputs(self, corpus: str, method: str, protocol: str, seed: str) -> dict[str, Any]:
        entry = self.registries.method_on(corpus, method)
        streams = "streamed" in entry.spec.uses and self._is_streamed(corpus)
        networks = self._networks(corpus, entry, seed)
        inputs: dict[str, Any] = {"corpus": paths.corpus(corpus)}
        inputs |= {n: f for n, f in networks.items() if not (streams and named.spec(n).streamed)}
        inputs |= self._needs(corpus, entry, protocol, seed) | self._encoded(corpus, entry)
        if entry.spec.neighbours:
            inputs["neighbours"] = paths.NEIGHBOURS.format(corpus=self._same_text(corpus))
        if self.is_chosen_ahead(corpus, method, protocol):
            inputs["choice"] = self._choice_of(corpus, method)
        return inputs | {"compiled": paths.KERNELS}

    def choose_inputs(self, corpus: str, method: str) -> dict[str, Any]:
        """Return the files that the choice of a method's hyperparameters needs, by their roles."""
        inputs = self.fit_inputs(corpus, method, PAPER, str(self.config.seeds[0]))
        inputs.pop("choice", None)
        return inputs

    def score_inputs(self, corpus: str, method: str, protocol: str, seed: str) -> dict[str, Any]:
        """Return the files that a score needs, by role; if the method cannot run, the corpus."""
        inputs = self._learnt(corpus, method, protocol, seed)
        if self.chooses_classifier(corpus, method, protocol):
            run = {"corpus": corpus, "method": method, "protocol": protocol}
            inputs["classifier"] = paths.CLASSIFIER.format_map(run)
        return inputs

    def classifier_inputs(self, corpus: str, method: str, protocol: str) -> dict[str, Any]:
        """Return the files that the choice of a classifier needs: of a score on hidden labels."""
        hidden = self.hidden(corpus)
        return self._learnt(hidden.name, method, protocol, str(hidden.seed))

    def fit(self, corpus: str, method: str, protocol: str, seed: int | str) -> str:
        """Return a score's fit, which protocols share without T, and subsets without labels."""
        return paths.REPRESENTATION.format(
            corpus=self.trained_on(corpus, method),
            method=method,
            protocol=self.protocol_of_fit(method, protocol),
            seed=seed,
        )

    def trained_on(self, corpus: str, method: str) -> str:
        return corpus if self.method(method).sees_labels else self._same_text(corpus)

    def _learnt(self, corpus: str, method: str, protocol: str, seed: str) -> dict[str, Any]:
        entry = self.method(method)
        inputs: dict[str, Any] = {"corpus": paths.corpus(corpus)}
        if self.registries.why_not(corpus, method):
            return inputs
        if entry.is_represented:
            fit = self.fit(corpus, method, protocol, seed)
            return inputs | {"representation": f"{fit}.npy", "training": f"{fit}.json"}
        for other in list(entry.needs.values())[:1]:  # features cost what this fit costs
            inputs["training"] = f"{self.fit(corpus, other, protocol, seed)}.json"
        inputs |= self._encoded(corpus, self.registries.method_on(corpus, method))
        return inputs | self._needs(corpus, entry, protocol, seed)

    def _needs(self, corpus: str, method: Method, protocol: str, seed: str) -> dict[str, str]:
        needs = method.needs.items()
        return {role: f"{self.fit(corpus, other, protocol, seed)}.npy" for role, other in needs}

    def _encoded(self, corpus: str, method: Method) -> dict[str, str]:
        base = Subset.parse(corpus).base
        files = {"encoded": paths.ENCODED.format(corpus=base), "whole": paths.corpus(base)}
        return files if method.encoded else {}

    def _networks(self, corpus: str, method: Method, seed: str) -> dict[str, str]:
        shuffled = f"shuffled-{seed}" if method.shuffled else "given"
        labels = {n: shuffled if named.spec(n).labels else "given" for n in method.networks}
        return {
            name: paths.NETWORK.format(corpus=corpus, labels=given, network=name)
            for name, given in labels.items()
        }

    def _choice_of(self, corpus: str, method: str) -> str:
        """Return the file of a choice: for each subset of labels if T or labels matter."""
        seen, entry = Subset.parse(corpus).base, self.method(method)
        if entry.draws_samples or entry.sees_labels:
            seen = self.trained_on(Subset.parse(corpus).whole.name, method)
        return paths.CHOICE.format(corpus=seen, method=method)

    def hidden(self, corpus: str) -> Subset:
        """Return the subset whose hidden documents judge and do not train, to choose."""
        subset = Subset.parse(corpus)
        seed = self.config.seeds[0] if subset.seed is None else subset.seed
        return replace(subset, hidden=True, seed=seed)

    def chooses_classifier(self, corpus: str, method: str, protocol: str) -> bool:
        """Return whether a classifier is chosen: not for controls, nor for methods that predict."""
        entry = self.method(method)
        is_chosen = self.config.protocols[protocol].classifier.is_chosen
        classifies = not (entry.predicts or entry.shuffled)
        return is_chosen and classifies and not self.registries.why_not(corpus, method)

    def classifier_of(self, method: str, protocol: str) -> dict[str, Any]:
        """Return the settings of a score's classifier; the default settings if there is none."""
        predicts = self.method(method).predicts
        return vars(ClassifierSetting() if predicts else self.config.protocols[protocol].classifier)

    def plan(self, corpus: str, method: str, protocol: str = PAPER) -> FitPlan:
        entry, base = self.registries.method_on(corpus, method), Subset.parse(corpus).base
        config = self.config
        configured: dict[str, Any] = {
            "hyperparameters": self.hyperparameters(method, protocol),
            "samples": config.samples.get(base, "auto"),
            "samples_limit": config.samples_limit,
            "samples_further": config.samples_further,
            "weights": config.network_weights,
            "streamed": self._is_streamed(base),
        }
        if self._chooses_samples(method, protocol):
            configured.pop("samples")
        elif entry.draws_samples and configured["samples"] != "chosen":  # nothing is searched
            del configured["samples_limit"], configured["samples_further"]
        used = {name: each for name, each in configured.items() if name in entry.spec.uses}
        fixed = self._fixed_choice(base, method, protocol) if entry.spec.choice else None
        said = Configured(options=dict(entry.options), choice=fixed, **used)
        why_not = self.registries.why_not(corpus, method)
        return FitPlan(entry.model, entry.spec.yields, entry.shuffled, said, why_not)

    def hyperparameters(self, method: str, protocol: str) -> Hyperparameters:
        step = self.config.protocols[self.protocol_of_fit(method, protocol)].step
        return replace(self.config.hyperparameters, step=step)

    def _fixed_choice(self, corpus: str, method: str, protocol: str) -> Mapping[str, Any] | None:
        """Return the values that the configuration fixes and validation would choose, or None."""
        draws = self.method(method).draws_samples
        if draws and not self._chooses_samples(method, protocol):
            return None
        return self.config.choices.get(Subset.parse(corpus).base, {}).get(method)

    def is_chosen_ahead(self, corpus: str, method: str, protocol: str) -> bool:
        """Return whether a separate job chooses hyperparameters once for all fits on a corpus."""
        entry = self.method(method)
        if entry.draws_samples and not self._chooses_samples(method, protocol):
            return False
        if self._fixed_choice(corpus, method, protocol) is not None:
            return False
        return hasattr(plugins.load("pte.models", entry.model), "choose")

    def _chooses_samples(self, method: str, protocol: str) -> bool:
        """Return whether T is chosen; not by the paper, nor for a control with shuffled labels."""
        entry = self.method(method)
        return entry.draws_samples and not entry.shuffled and protocol != PAPER

    def protocol_of_fit(self, method: str, protocol: str) -> str:
        """Return a fit's protocol: `paper` if no T is chosen, `chosen` if the method sets all."""
        if self.method(method).spec.automatic:
            return CHOSEN
        return protocol if self._chooses_samples(method, protocol) else PAPER

    def fit_code(self, script: str, method: str) -> str:
        return self.code(script, *self.method(method).modules)

    def scoring_code(self, script: str, method: str) -> str:
        """Return the hash of all code of a script that scores, without that of an earlier fit."""
        fitted = self.method(method).is_represented
        return self.code(script) if fitted else self.fit_code(script, method)

    def is_installed(self, method: str) -> bool:
        """Return whether the package that a method needs is there; a change fits it again."""
        package = self.method(method).spec.package
        return package is None or find_spec(package) is not None

    def memory(
        self, method: str, corpus: str, threads: int = 1, attempt: int = 1, launched: bool = False
    ) -> int:
        """Return the megabytes that a fit may take: more for each attempt, and if `launched`."""
        folder, entry = Path(corpus), self.method(method)
        mapped, counts = self._measured(folder, entry)
        size = Size(
            documents=counts["documents"],
            tokens=counts["tokens"],
            words=counts["vocabulary"],
            classes=counts["classes"],
            dim=self.config.hyperparameters.dim,
            threads=threads,
            streamed=self._is_streamed(folder.name),
        )
        taken = PROGRAM + mapped + entry.spec.memory(size)
        return attempt * round((taken + LAUNCHERS * launched) / 1e6)

    def memory_to_score(self, method: str, corpus: str, attempt: int = 1) -> int:
        """Return the megabytes that a score, or the choice of a classifier, may take."""
        mapped, counts = self._measured(Path(corpus), self.method(method))
        taken = TO_SCORE + OF_A_TOKEN * counts["tokens"] + COPIES * mapped
        return int(attempt * round(taken / 1e6))

    def _measured(self, folder: Path, method: Method) -> tuple[int, dict[str, int]]:
        """Return the bytes that a job maps, and the counts of its corpus.

        A `FileNotFoundError` that names an input is what Snakemake expects here."""
        encoded = self._encoded(folder.name, method).get("encoded")
        files = [*folder.iterdir(), *([Path(encoded)] if encoded else [])]
        mapped = sum(file.stat().st_size for file in files)
        return mapped, json.loads((folder / "corpus.json").read_text("utf-8"))["counts"]

    def _same_text(self, corpus: str) -> str:
        """Return the whole corpus if a subset lacks nothing but labels; else the subset."""
        subset = Subset.parse(corpus)
        same = subset.unlabelled == 100 and not subset.hidden
        return subset.base if same else subset.name

    def _is_streamed(self, corpus: str) -> bool:
        return self.config.edges.get(Subset.parse(corpus).base) == "streamed"
