"""The study: what is run, and what each job is given. The rules ask it, and do not compute."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pte import plugins
from pte.claims.relations import relation_modules
from pte.corpora import mirror as mirrors
from pte.corpora.entry import Archive, Recipe
from pte.corpora.subsets import Subset
from pte.evaluation.setting import ClassifierSetting
from pte.networks import named
from pte.study import paths
from pte.study.budget import Budget
from pte.study.checks import check_all
from pte.study.config import Config, Table
from pte.study.entries import CHOSEN, PAPER, Curve, Row
from pte.study.fingerprint import Sources
from pte.study.own import CONTROLS, FIXED, OF_COMMAND_LINE, from_command_line, with_own
from pte.study.registry import Method, Registries, read_registries
from pte.study.yaml_files import check, read, typed
from pte.training.contract import ONE_LABEL, ORDER_LOST, KernelSet
from pte.training.plan import JOINT, Configured, FitPlan, Size
from pte.training.setup import Hyperparameters

_fingerprint = cache(Sources().fingerprint)
"""The code does not change while jobs are planned, of which there are thousands."""

SHAPELESS = ("encoding", "counting")
"""Sets of kernels that are the same for any number of dimensions."""

OF_SETTING = "-"
"""Between the name of a set of kernels and the setting for whose step it is compiled."""

PROGRAM = 250_000_000
"""Bytes of Python, numpy, scipy, numba and compiled kernels in a process that fits."""

LAUNCHERS = 600_000_000
"""Bytes of the two processes of Snakemake that start a job of a cluster and wait for it.

One was measured with 270 MB.
"""

TYPED = (
    *("seeds", "fewer_seeds", "hyperparameters", "deterministic", "network_weights", "samples"),
    *("samples_limit", "choices", "settings", "sample"),
)
"""Keys whose values are never text; `--config` passes everything as text."""


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
        """From the values of config.yaml and the folder `workflow`.

        Text in `values` that stands for numbers becomes numbers, in place. `mirror` is the folder
        of `pte.study.environment.prepare`. Plugin folders must be on the path. Raises `PteError`
        that names the file, the key and what is wrong.
        """
        given = from_command_line(values)
        values.clear()
        values.update(given | {key: typed(given[key]) for key in TYPED if key in given})
        if isinstance(values.get("style"), str):
            values["style"] = read(Path(values["style"]))
        check(
            values, workflow / "schemas" / "config.schema.yaml", "config.yaml", also=OF_COMMAND_LINE
        )
        config = Config.of(values)
        registries = read_registries(workflow, [Path(folder) for folder in config.plugins])
        taken = {*config.tables, *config.curves}
        registries = with_own(registries, config.own, taken)
        check_all(config, registries)
        return cls(config, registries, workflow / "scripts", Path(mirror) if mirror else None)

    @cached_property
    def tables(self) -> Mapping[str, Table]:
        """Those of the configuration, and one for each corpus."""
        settings = tuple(self.config.settings)
        corpora = self.registries.corpora
        alone = {name: Table((name,), corpora[name].title, settings) for name in self.registered}
        return alone | dict(self.config.tables)

    @property
    def stand_ins(self) -> list[str]:
        """The corpora that stand in for one of the paper's."""
        return sorted({name for names in self.registries.stand_ins.values() for name in names})

    @property
    def registered(self) -> list[str]:
        """The corpora of the registry; those of a user's own are `config.own`."""
        return [name for name in self.registries.corpora if name not in self.config.own]

    @property
    def downloads(self) -> list[str]:
        """The archives that are fetched, by their own names; a user's own file lies where it is."""
        return [each.file for each in self.registries.archives.values() if each.path is None]

    @property
    def labels(self) -> dict[str, str]:
        """What readers see of the methods: their names in the order of the registry."""
        return {name: method.label for name, method in self.registries.methods.items()}

    def method(self, name: str) -> Method:
        """The method of that name."""
        return self.registries.methods[name]

    @property
    def unseeded_methods(self) -> list[str]:
        """The methods of which one run stands for all seeds."""
        return [name for name, method in self.registries.methods.items() if not method.seeded]

    @property
    def stochastic_methods(self) -> list[str]:
        """The methods that classify by themselves, with a classifier that depends on the seed."""
        named = self.registries.yielding("predictions")
        return [name for name in named if self.method(name).seeded]

    def rows(self, methods: Iterable[str]) -> list[Row]:
        """What tables and figures show of methods."""
        found = map(self.method, methods)
        return [Row(each.name, each.label, each.latex, each.group) for each in found]

    def shown_curve(self, name: str) -> Curve:
        """What a learning curve shows."""
        curve = self.config.curves[name]
        return Curve(curve.caption, curve.along)

    def archive(self, file: str) -> Archive:
        """The archive that has this name as a file, without what does not change the file."""
        found = next(each for each in self.registries.archives.values() if each.file == file)
        return replace(found, version="", licence="", citation="")

    def fetched(self, file: str) -> dict[str, Any]:
        """What an archive is fetched anew for: another file in the mirror.

        Where nothing registers or lists its hash, the documents that are expected of it count, too.
        """
        identity = mirrors.identity(Path(paths.archive(file)), self.mirror)
        if self.archive(file).sha256 or "sha256" in (identity or {}):
            return {"identity": identity, "documents": []}
        expected = [
            entry.documents_sha256
            for name, entry in self.registries.corpora.items()
            if paths.archive(file) in self.archives_of(name).values()
        ]
        return {"identity": identity, "documents": expected}

    def recipe(self, corpus: str) -> Recipe:
        """How a corpus is read and encoded."""
        entry = self.registries.corpora[corpus]
        return Recipe(**{field.name: getattr(entry, field.name) for field in fields(Recipe)})

    def archives_of(self, corpus: str) -> dict[str, str]:
        """The files that a corpus is read from, by the role that each has."""
        roles = self.registries.corpora[corpus].roles()
        archives = self.registries.archives
        return {
            role: archives[name].path or paths.archive(archives[name].file)
            for role, name in roles.items()
        }

    def is_planned(self, corpus: str) -> bool:
        """Whether a corpus may be part of a run that does not name it.

        One that only a mirror has is planned where a mirror is configured, whatever lies there.
        """
        archives = self.registries.corpora[corpus].roles().values()
        return self.mirror is not None or not any(
            self.registries.archives[name].only_in_mirrors for name in archives
        )

    def methods_of(self, table: str) -> tuple[str, ...]:
        """The rows of a table: those that it names, or all of the configuration."""
        return self.tables[table].methods or self.config.methods

    def base(self, corpus: str) -> str:
        """The corpus of the registry that a corpus is, or is a subset of."""
        return Subset.parse(corpus).base

    def official(self, corpus: str) -> dict[str, str | None]:
        """The hashes of the archives of a corpus as they were published, by role."""
        roles = self.registries.corpora[corpus].roles()
        return {role: self.registries.archives[name].sha256 for role, name in roles.items()}

    @property
    def claims_code(self) -> str:
        """The hash of all code that verdicts depend on."""
        return self.code("claims", *self.relations)

    @property
    def relations(self) -> list[str]:
        """The modules of plugins whose relations claims name."""
        return relation_modules(claim.relation for claim in self.registries.claims.values())

    def code(self, script: str, *modules: str) -> str:
        """A hash of all code that the results of a script depend on.

        That is the script, what it imports of this project, and `modules` that it finds by name.
        """
        return _fingerprint(self.scripts / f"{script}.py", *modules)

    def encode_code(self, corpus: str) -> str:
        """The hash of all code that an encoded corpus depends on."""
        readers = self.registries.corpora[corpus].readers()
        return self.code(
            "encode", *(plugins.module_name("corpora.readers", name) for name in readers)
        )

    @property
    def sensitivity_code(self) -> str:
        """The hash of all code that a training of the sensitivity experiment depends on."""
        networks = (named.module_name(name) for name in JOINT)
        return self.code("sensitivity_run", *networks)

    def kernels_code(self, kernels: str) -> str:
        """The hash of the kernels: an edited kernel of training is no reason to encode again."""
        return _fingerprint("pte.core.words" if kernels == "encoding" else "pte.core")

    def network_code(self, network: str) -> str:
        """The hash of all code that a network depends on."""
        return self.code("network", named.module_name(network))

    def window_of(self, network: str) -> int | None:
        """The window of a network whose edges depend on one."""
        return self.config.hyperparameters.window if named.spec(network).window else None

    def edges_of(self, network: str) -> list[str]:
        """The file that a network is read from, if it is an edge list of the configuration."""
        own = self.config.networks.get(network)
        return [own.edges] if own else []

    # Text of a user's own.

    def budget(self, own: str) -> Budget:
        """The methods that fit into the minutes of a text, and its limit of T."""
        shown = [name for name in self.config.methods if name not in CONTROLS]
        draws = {name: bool(self.method(name).networks) for name in shown}
        idle = [name for name in shown if self.why_not(own, name)]
        return self.config.own[own].budget(draws, idle)

    def configured_own(self, own: str) -> dict[str, Any]:
        """What fits on a text of a user's own are given in place of the paper's parameters."""
        return {
            "samples": self.config.samples.get(own, "validated_or_auto"),
            "samples_limit": self.budget(own).samples_limit,
            "weights": "auto",
        }

    # What fits and scores are given.

    @property
    def represented_methods(self) -> list[str]:
        """The methods that a job fits."""
        return [n for n, method in self.registries.methods.items() if method.is_represented]

    def trained_on(self, corpus: str, method: str) -> str:
        """The corpus whose fit a method has.

        A method that ignores labels is trained once on the whole corpus; subsets that differ in
        labels alone share that fit.
        """
        return corpus if self.method(method).sees_labels else self._same_text(corpus)

    def method_on(self, corpus: str, name: str) -> Method:
        """A method as it is on a corpus."""
        given = self.method(name)
        lost = self.registries.corpora[self.base(corpus)].order_lost
        return given.on_lost_order() if lost else given

    def why_not(self, corpus: str, method: str) -> str | None:
        """Why a method, or one whose vectors it takes, cannot run on a corpus; None if it can."""
        entry, given = self.registries.corpora[self.base(corpus)], self.method_on(corpus, method)
        if entry.order_lost and given.spec.ordered(given.options):
            return ORDER_LOST
        if entry.several_labels and not given.spec.learns_several:
            return ONE_LABEL
        taken = given.needs.values()
        return next(filter(None, (self.why_not(corpus, name) for name in taken)), None)

    def fit_of(self, corpus: str, method: str, setting: str, seed: int | str) -> str:
        """The fit that a score is of, without ending.

        Settings differ in T, and in the classifier; a method without T has one fit for all.
        """
        fitted = self._setting_of_fit(method, setting)
        return paths.representation(self.trained_on(corpus, method), method, fitted, seed)

    def represented(self, corpus: str, method: str, setting: str, seed: str) -> dict[str, str]:
        """The two files of a method's fit."""
        stem = self.fit_of(corpus, method, setting, seed)
        return {"representation": f"{stem}.npy", "training": f"{stem}.json"}

    def represent_inputs(self, corpus: str, method: str, setting: str, seed: str) -> dict[str, Any]:
        """The files that a fit needs, by their roles."""
        given = self.method_on(corpus, method)
        inputs: dict[str, Any] = {"corpus": paths.corpus(corpus)}
        streams, networks = self._streams(corpus, given), self._networks(corpus, given, seed)
        inputs |= {n: f for n, f in networks.items() if not (streams and named.spec(n).streamed)}
        inputs |= self._needs(corpus, given, setting, seed)
        if given.spec.neighbours:
            inputs["neighbours"] = paths.NEIGHBOURS.format(corpus=self._same_text(corpus))
        if self.is_chosen_ahead(corpus, method, setting):
            inputs["choice"] = self._choice_of(corpus, method)
        inputs["compiled"] = [paths.kernels(n) for n in self._kernels(corpus, given, setting)]
        return inputs

    def choose_inputs(self, corpus: str, method: str) -> dict[str, Any]:
        """The files that the choice of a method's hyperparameters needs, by their roles."""
        inputs = self.represent_inputs(corpus, method, PAPER, str(self.config.seeds[0]))
        inputs.pop("choice", None)
        if self.method(method).draws_samples:  # a search for T draws from streams
            streamed = self._kernels_of("streamed", method, CHOSEN)
            inputs["compiled"] = sorted({*inputs["compiled"], paths.kernels(streamed)})
        return inputs

    def _choice_of(self, corpus: str, method: str) -> str:
        """The file of a choice: T is chosen for each subset of labels, all else for a corpus."""
        seen = self.base(corpus)
        if self.method(method).draws_samples:
            seen = self.trained_on(Subset.parse(corpus).whole.name, method)
        return paths.CHOICE.format(corpus=seen, method=method)

    def hidden(self, corpus: str) -> Subset:
        """The corpus in which some documents do not train, but judge what is chosen for it."""
        whole = Subset.parse(corpus)
        seed = self.config.seeds[0] if whole.seed is None else whole.seed
        return replace(whole, hidden=True, seed=seed)

    def chooses_classifier(self, corpus: str, method: str, setting: str) -> bool:
        """Whether there is a choice of classifiers; shuffled labels, a control, have none."""
        given = self.method(method)
        several = len(self.config.settings[setting].classifier.choices) > 1
        classifies = given.spec.yields != "predictions" and not given.shuffled
        return several and classifies and not self.why_not(corpus, method)

    def classifier_inputs(self, corpus: str, method: str, setting: str) -> dict[str, Any]:
        """The files that the choice of a classifier needs: a score's, of the hidden corpus."""
        hidden = self.hidden(corpus)
        return self._fit_inputs(hidden.name, method, setting, str(hidden.seed))

    def fit_plan(self, corpus: str, method: str, setting: str = PAPER) -> FitPlan:
        """What the fit of a method is given besides files."""
        given, base = self.method_on(corpus, method), self.base(corpus)
        config = self.config
        configured: dict[str, Any] = {
            "hyperparameters": self.hyperparameters(method, setting),
            "samples": config.samples.get(base, "auto"),
            "samples_limit": config.samples_limit,
            "weights": config.network_weights,
            "streamed": self._is_streamed(base),
            "deterministic": config.deterministic,
        }
        own = base in self.config.own
        if own:
            configured |= self.configured_own(base)
        if self._chooses_samples(method, setting):
            configured.pop("samples")
        used = {name: each for name, each in configured.items() if name in given.spec.uses}
        fixed = self.fixed_choice(base, method, setting) if given.spec.choice else None
        model = plugins.module_name("models", given.model)
        said = Configured(options=dict(given.options), choice=fixed, forgiving=own, **used)
        why_not = self.why_not(corpus, method)
        return FitPlan(model, given.spec.yields, given.shuffled, said, why_not)

    def choose_plan(self, corpus: str, method: str) -> FitPlan:
        """What the choice of a method's hyperparameters is given besides files."""
        return self.fit_plan(corpus, method, CHOSEN)

    def fixed_choice(
        self, corpus: str, method: str, setting: str = PAPER
    ) -> Mapping[str, Any] | None:
        """What the configuration fixes of what validation would choose; the paper fixes T."""
        base, draws = self.base(corpus), self.method(method).draws_samples
        if draws and not self._chooses_samples(method, setting):
            return None
        own = base in self.config.own
        fixed = {**(FIXED if own else {}), **self.config.choices.get(base, {})}.get(method)
        samples = self.config.samples.get(base)
        if fixed is None and draws and own and isinstance(samples, int):
            return {"samples": samples}
        return fixed

    def _chooses_samples(self, method: str, setting: str) -> bool:
        """Whether T is chosen. The paper fixes it, and shuffled labels are a control."""
        given = self.method(method)
        asked = given.spec.automatic or setting != PAPER
        return given.draws_samples and not given.shuffled and asked

    def _setting_of_fit(self, method: str, setting: str) -> str:
        """The setting that a fit belongs to.

        The paper's serves all where no T is chosen, and `chosen` where a method sets all itself.
        """
        if not self._chooses_samples(method, setting):
            return PAPER
        return CHOSEN if self.method(method).spec.automatic else setting

    def is_chosen_ahead(self, corpus: str, method: str, setting: str) -> bool:
        """Whether a job of its own chooses hyperparameters, once for all fits on a corpus."""
        given = self.method(method)
        if given.draws_samples and not self._chooses_samples(method, setting):
            return False
        if self.fixed_choice(corpus, method, setting) is not None:
            return False
        return hasattr(plugins.load("models", given.model), "choose")

    def fit_code(self, script: str, method: str) -> str:
        """The hash of all code that a fit, or a choice, depends on."""
        given = self.method(method)
        modules = [plugins.module_name("models", given.model)]
        modules += [named.module_name(name) for name in given.networks]
        return self.code(script, *modules)

    def is_installed(self, method: str) -> bool:
        """Whether the package that a method needs is there; it runs again when that changes."""
        package = self.method(method).spec.package
        return package is None or find_spec(package) is not None

    def memory(
        self,
        method: str,
        corpus: str,
        threads: int = 1,
        attempt: int = 1,
        launched: bool = False,
    ) -> int:
        """Megabytes for a fit; raises `FileNotFoundError` until the corpus is there.

        Each `attempt` gets more. On a cluster a job is `launched` by other processes, and shares
        its memory with them.
        """
        folder = Path(corpus)
        mapped = sum(file.stat().st_size for file in folder.iterdir())
        counts = json.loads((folder / "corpus.json").read_text("utf-8"))["counts"]
        size = Size(
            documents=counts["documents"],
            tokens=counts["tokens"],
            words=counts["vocabulary"],
            classes=counts["classes"],
            dim=self.config.hyperparameters.dim,
            threads=threads,
            streamed=self._is_streamed(folder.name),
        )
        taken = PROGRAM + mapped + self.method(method).spec.memory(size)
        return attempt * round((taken + LAUNCHERS * launched) / 1e6)

    def score_inputs(self, corpus: str, method: str, setting: str, seed: str) -> dict[str, Any]:
        """The files that a score needs, by their roles; a method that cannot run is not fitted."""
        inputs = self._fit_inputs(corpus, method, setting, seed)
        if self.chooses_classifier(corpus, method, setting):
            chosen = paths.CLASSIFIER.format(corpus=corpus, method=method, setting=setting)
            inputs["classifier"] = chosen
        return inputs

    def _fit_inputs(self, corpus: str, method: str, setting: str, seed: str) -> dict[str, Any]:
        """A corpus, and what a method has learnt of it."""
        given = self.method(method)
        inputs: dict[str, Any] = {"corpus": paths.corpus(corpus)}
        if self.why_not(corpus, method):
            return inputs
        if given.is_represented:
            return inputs | self.represented(corpus, method, setting, seed)
        for other in list(given.needs.values())[:1]:  # its cost is the cost of the features
            inputs["training"] = self.represented(corpus, other, setting, seed)["training"]
        return inputs | self._needs(corpus, given, setting, seed)

    def vectors(self, corpus: str, method: str, seed: str) -> dict[str, str]:
        """The word vectors that the documents of a map are made of."""
        return {"vectors": self.represented(corpus, method, PAPER, seed)["representation"]}

    def score_code(self, method: str) -> str:
        """The hash of all code that a score depends on, beside its representation."""
        return self.code("score", *self.feature_modules(method))

    def classifier_code(self, method: str) -> str:
        """The hash of all code that the choice of a classifier depends on."""
        return self.code("choose_classifier", *self.feature_modules(method))

    def feature_modules(self, method: str) -> list[str]:
        """The module that makes features where they are scored, for a method that has such."""
        given = self.method(method)
        return [] if given.is_represented else [plugins.module_name("models", given.model)]

    def setting_of(self, method: str, setting: str) -> dict[str, Any]:
        """How the classifier of a score is set; the default where there is none."""
        predicts = self.method(method).spec.yields == "predictions"
        return vars(ClassifierSetting() if predicts else self.config.settings[setting].classifier)

    def hyperparameters(self, method: str, setting: str) -> Hyperparameters:
        """Those of config.yaml, with the step that the setting has for methods that draw edges."""
        step = self.config.settings[self._setting_of_fit(method, setting)].step
        return replace(self.config.hyperparameters, step=step)

    def kernel_set(self, kernels: str) -> str:
        """The set of kernels in the name of a set that is compiled for the step of a setting."""
        return kernels.partition(OF_SETTING)[0]

    def shapes(self, kernels: str) -> list[dict[str, Any]]:
        """The dimensions, negatives and steps that a set of kernels is compiled for."""
        name, _, setting = kernels.partition(OF_SETTING)
        if name in SHAPELESS:
            return []
        given = self.config.hyperparameters
        shape = {"dim": given.dim, "negatives": given.negatives}
        step = {"step": vars(self.config.settings[setting or PAPER].step)}
        if name != "sensitivity":
            return [shape | step]
        values = self.config.sensitivity.values
        return [
            shape | {name: int(value)} | step
            for name in shape
            for value in values.get(name, [shape[name]])
        ]

    def _same_text(self, corpus: str) -> str:
        """The whole corpus, if labels are all that a subset of it lacks; else the subset."""
        subset = Subset.parse(corpus)
        same = subset.unlabelled == 100 and not subset.hidden
        return subset.base if same else subset.name

    def _is_streamed(self, corpus: str) -> bool:
        base = self.base(corpus)
        return base in self.config.own or self.config.edges.get(base) == "streamed"

    def _streams(self, corpus: str, method: Method) -> bool:
        """Whether a method draws its edges from the corpus itself, where others have networks."""
        return "streamed" in method.spec.uses and self._is_streamed(corpus)

    def _needs(self, corpus: str, method: Method, setting: str, seed: str) -> dict[str, str]:
        """The word vectors of other methods that a method is given, by their roles."""
        return {
            role: self.represented(corpus, other, setting, seed)["representation"]
            for role, other in method.needs.items()
        }

    def _networks(self, corpus: str, method: Method, seed: str) -> dict[str, str]:
        """The networks of a method; those with labels are of shuffled ones where it asks for it."""
        labels = f"shuffled-{seed}" if method.shuffled else "given"
        return {
            name: paths.NETWORK.format(
                corpus=corpus,
                labels=labels if named.spec(name).labels else "given",
                network=name,
            )
            for name in method.networks
        }

    def _kernels(self, corpus: str, method: Method, setting: str) -> list[str]:
        """The sets of kernels that a fit calls; those that train on edges, for its step."""
        sets: list[KernelSet] = list(method.kernels)
        if not method.networks:
            return [self._kernels_of(name, method.name, setting) for name in sets]
        streamed = self._streams(corpus, method)
        validated = self.config.samples.get(self.base(corpus)) == "validated"
        if streamed or validated:
            sets.append("streamed")
        if not streamed or not all(named.spec(name).streamed for name in method.networks):
            sets.append("stored")
        if self.config.deterministic:
            sets.append("synchronous")
        return [self._kernels_of(name, method.name, setting) for name in sets]

    def _kernels_of(self, kernels: KernelSet, method: str, setting: str) -> str:
        """The name of a set for the step of a setting, where this is not the paper's."""
        fitted = self._setting_of_fit(method, setting)
        step, paper = (self.config.settings[each].step for each in (fitted, PAPER))
        return kernels if step == paper else f"{kernels}{OF_SETTING}{fitted}"
