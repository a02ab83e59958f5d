"""What jobs that fit and score methods are given: files, plans, memory, hashes of code."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pte import plugins
from pte.corpora.subsets import Subset
from pte.evaluation.setting import ClassifierSetting
from pte.networks import named
from pte.study import kernel_sets, paths
from pte.study.entries import CHOSEN, PAPER
from pte.study.own import FIXED
from pte.study.registry import Method
from pte.training.contract import KernelSet
from pte.training.plan import Configured, FitPlan, Size
from pte.training.setup import Hyperparameters

if TYPE_CHECKING:
    from pte.study.study import Study

PROGRAM = 250_000_000
"""Bytes of Python, numpy, scipy, numba and compiled kernels in a process that fits."""

LAUNCHERS = 600_000_000
"""Bytes of the two processes of Snakemake that start a job of a cluster and wait for it.

One was measured with 270 MB.
"""


@dataclass(frozen=True)
class Fits:
    """The fits of a study, and their scores, by corpus, method, protocol and seed."""

    study: "Study"

    @property
    def represented_methods(self) -> list[str]:
        """The methods that a job fits."""
        return [n for n, method in self.study.registries.methods.items() if method.is_represented]

    def trained_on(self, corpus: str, method: str) -> str:
        """The corpus whose fit a method has.

        A method that ignores labels is trained once on the whole corpus; subsets that differ in
        labels alone share that fit.
        """
        return corpus if self.study.method(method).sees_labels else self._same_text(corpus)

    def stem(self, corpus: str, method: str, protocol: str, seed: int | str) -> str:
        """The fit that a score is of, without ending.

        Protocols differ in T, and in the classifier; a method without T has one fit for all.
        """
        fitted = self.protocol_of_fit(method, protocol)
        return paths.representation(self.trained_on(corpus, method), method, fitted, seed)

    def represented(self, corpus: str, method: str, protocol: str, seed: str) -> dict[str, str]:
        """The two files of a method's fit."""
        stem = self.stem(corpus, method, protocol, seed)
        return {"representation": f"{stem}.npy", "training": f"{stem}.json"}

    def inputs(self, corpus: str, method: str, protocol: str, seed: str) -> dict[str, Any]:
        """The files that a fit needs, by their roles."""
        inputs = self._plain_inputs(corpus, method, protocol, seed)
        if rounds := self.study.method(method).rounds:
            run = {"corpus": corpus, "method": method, "protocol": protocol, "seed": seed}
            inputs["rows"] = paths.ROWS.format_map({**run, "round": rounds.rounds - 1})
        return inputs

    def _plain_inputs(self, corpus: str, method: str, protocol: str, seed: str) -> dict[str, Any]:
        """Those of a fit that one job trains."""
        given = self.study.method_on(corpus, method)
        inputs: dict[str, Any] = {"corpus": paths.corpus(corpus)}
        streams, networks = self._streams(corpus, given), self._networks(corpus, given, seed)
        inputs |= {n: f for n, f in networks.items() if not (streams and named.spec(n).streamed)}
        inputs |= self._needs(corpus, given, protocol, seed)
        if given.spec.neighbours:
            inputs["neighbours"] = paths.NEIGHBOURS.format(corpus=self._same_text(corpus))
        if self.is_chosen_ahead(corpus, method, protocol):
            inputs["choice"] = self._choice_of(corpus, method)
        inputs["compiled"] = [paths.kernels(n) for n in self._kernels(corpus, given, protocol)]
        return inputs

    @property
    def methods_in_rounds(self) -> list[str]:
        """The methods that jobs train together, node by node."""
        return [n for n, method in self.study.registries.methods.items() if method.rounds]

    def node_inputs(self, run: Mapping[str, str]) -> dict[str, Any]:
        """The files that a node needs for a round, by their roles; `run` has the wildcards."""
        inputs = self._plain_inputs(run["corpus"], run["method"], run["protocol"], run["seed"])
        number = int(run["round"])
        if number == 0:
            return inputs
        before = {**run, "round": number - 1}
        files = {"rows": paths.ROWS, "node": paths.NODE}
        return inputs | {role: file.format_map(before) for role, file in files.items()}

    def joined_inputs(self, run: Mapping[str, str]) -> dict[str, Any]:
        """The files that joining a round needs: of all nodes, and what they began with."""
        rounds, number = self.study.method(run["method"]).rounds, int(run["round"])
        count = rounds.nodes if rounds else 0
        nodes = [paths.NODE.format_map({**run, "node": node}) for node in range(count)]
        if number == 0:
            return {"nodes": nodes}
        return {"nodes": nodes, "rows": paths.ROWS.format_map({**run, "round": number - 1})}

    def choose_inputs(self, corpus: str, method: str) -> dict[str, Any]:
        """The files that the choice of a method's hyperparameters needs, by their roles."""
        inputs = self.inputs(corpus, method, PAPER, str(self.study.config.seeds[0]))
        inputs.pop("choice", None)
        if self.study.method(method).draws_samples:  # a search for T draws from streams
            streamed = self._kernels_of("streamed", method, CHOSEN)
            inputs["compiled"] = sorted({*inputs["compiled"], paths.kernels(streamed)})
        return inputs

    def _choice_of(self, corpus: str, method: str) -> str:
        """The file of a choice.

        T, and what depends on labels, is chosen for each subset of labels, all else for a corpus.
        """
        seen, given = self.study.base(corpus), self.study.method(method)
        if given.draws_samples or given.sees_labels:
            seen = self.trained_on(Subset.parse(corpus).whole.name, method)
        return paths.CHOICE.format(corpus=seen, method=method)

    def hidden(self, corpus: str) -> Subset:
        """The corpus in which some documents do not train, but judge what is chosen for it."""
        whole = Subset.parse(corpus)
        seed = self.study.config.seeds[0] if whole.seed is None else whole.seed
        return replace(whole, hidden=True, seed=seed)

    def chooses_classifier(self, corpus: str, method: str, protocol: str) -> bool:
        """Whether there is a choice of classifiers; shuffled labels, a control, have none."""
        given = self.study.method(method)
        several = len(self.study.config.protocols[protocol].classifier.choices) > 1
        classifies = not (given.predicts or given.shuffled)
        return several and classifies and not self.study.why_not(corpus, method)

    def classifier_inputs(self, corpus: str, method: str, protocol: str) -> dict[str, Any]:
        """The files that the choice of a classifier needs: a score's, of the hidden corpus."""
        hidden = self.hidden(corpus)
        return self._fit_inputs(hidden.name, method, protocol, str(hidden.seed))

    def plan(self, corpus: str, method: str, protocol: str = PAPER) -> FitPlan:
        """What the fit of a method is given besides files."""
        given, base = self.study.method_on(corpus, method), self.study.base(corpus)
        config = self.study.config
        configured: dict[str, Any] = {
            "hyperparameters": self.hyperparameters(method, protocol),
            "samples": config.samples.get(base, "auto"),
            "samples_limit": config.samples_limit,
            "weights": config.network_weights,
            "streamed": self._is_streamed(base),
            "deterministic": config.deterministic,
        }
        own = base in self.study.config.own
        if own:
            configured |= self.study.configured_own(base)
        if self._chooses_samples(method, protocol):
            configured.pop("samples")
        used = {name: each for name, each in configured.items() if name in given.spec.uses}
        fixed = self.fixed_choice(base, method, protocol) if given.spec.choice else None
        model = plugins.module_name("models", given.model)
        said = Configured(options=dict(given.options), choice=fixed, forgiving=own, **used)
        why_not = self.study.why_not(corpus, method)
        return FitPlan(model, given.spec.yields, given.shuffled, said, why_not)

    def choose_plan(self, corpus: str, method: str) -> FitPlan:
        """What the choice of a method's hyperparameters is given besides files."""
        return self.plan(corpus, method, CHOSEN)

    def fixed_choice(
        self, corpus: str, method: str, protocol: str = PAPER
    ) -> Mapping[str, Any] | None:
        """What the configuration fixes of what validation would choose; the paper fixes T."""
        base, draws = self.study.base(corpus), self.study.method(method).draws_samples
        if draws and not self._chooses_samples(method, protocol):
            return None
        own = base in self.study.config.own
        fixed = {**(FIXED if own else {}), **self.study.config.choices.get(base, {})}.get(method)
        samples = self.study.config.samples.get(base)
        if fixed is None and draws and own and isinstance(samples, int):
            return {"samples": samples}
        return fixed

    def _chooses_samples(self, method: str, protocol: str) -> bool:
        """Whether T is chosen. The paper fixes it, and shuffled labels are a control."""
        given = self.study.method(method)
        asked = given.spec.automatic or protocol != PAPER
        return given.draws_samples and not given.shuffled and asked

    def protocol_of_fit(self, method: str, protocol: str) -> str:
        """The protocol that a fit belongs to.

        The paper's serves all where no T is chosen, and `chosen` where a method sets all itself.
        """
        if not self._chooses_samples(method, protocol):
            return PAPER
        return CHOSEN if self.study.method(method).spec.automatic else protocol

    def is_chosen_ahead(self, corpus: str, method: str, protocol: str) -> bool:
        """Whether a job of its own chooses hyperparameters, once for all fits on a corpus."""
        given = self.study.method(method)
        if given.draws_samples and not self._chooses_samples(method, protocol):
            return False
        if self.fixed_choice(corpus, method, protocol) is not None:
            return False
        return hasattr(plugins.load("models", given.model), "choose")

    def code(self, script: str, method: str) -> str:
        """The hash of all code that a fit, or a choice, depends on."""
        given = self.study.method(method)
        modules = [plugins.module_name("models", given.model)]
        modules += [named.module_name(name) for name in given.networks]
        return self.study.code(script, *modules)

    def is_installed(self, method: str) -> bool:
        """Whether the package that a method needs is there; it runs again when that changes."""
        package = self.study.method(method).spec.package
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
            dim=self.study.config.hyperparameters.dim,
            threads=threads,
            streamed=self._is_streamed(folder.name),
        )
        taken = PROGRAM + mapped + self.study.method(method).spec.memory(size)
        return attempt * round((taken + LAUNCHERS * launched) / 1e6)

    def score_inputs(self, corpus: str, method: str, protocol: str, seed: str) -> dict[str, Any]:
        """The files that a score needs, by their roles; a method that cannot run is not fitted."""
        inputs = self._fit_inputs(corpus, method, protocol, seed)
        if self.chooses_classifier(corpus, method, protocol):
            chosen = paths.CLASSIFIER.format(corpus=corpus, method=method, protocol=protocol)
            inputs["classifier"] = chosen
        return inputs

    def _fit_inputs(self, corpus: str, method: str, protocol: str, seed: str) -> dict[str, Any]:
        """A corpus, and what a method has learnt of it."""
        given = self.study.method(method)
        inputs: dict[str, Any] = {"corpus": paths.corpus(corpus)}
        if self.study.why_not(corpus, method):
            return inputs
        if given.is_represented:
            return inputs | self.represented(corpus, method, protocol, seed)
        for other in list(given.needs.values())[:1]:  # its cost is the cost of the features
            inputs["training"] = self.represented(corpus, other, protocol, seed)["training"]
        return inputs | self._needs(corpus, given, protocol, seed)

    def vectors(self, corpus: str, method: str, seed: str) -> dict[str, str]:
        """The word vectors that the documents of a map are made of."""
        return {"vectors": self.represented(corpus, method, PAPER, seed)["representation"]}

    def score_code(self, method: str) -> str:
        """The hash of all code that a score depends on, beside its representation."""
        return self.study.code("score", *self.feature_modules(method))

    def classifier_code(self, method: str) -> str:
        """The hash of all code that the choice of a classifier depends on."""
        return self.study.code("choose_classifier", *self.feature_modules(method))

    def feature_modules(self, method: str) -> list[str]:
        """The module that makes features where they are scored, for a method that has such."""
        given = self.study.method(method)
        return [] if given.is_represented else [plugins.module_name("models", given.model)]

    def classifier_of(self, method: str, protocol: str) -> dict[str, Any]:
        """How the classifier of a score is set; the default where there is none."""
        predicts = self.study.method(method).predicts
        return vars(
            ClassifierSetting() if predicts else self.study.config.protocols[protocol].classifier
        )

    def hyperparameters(self, method: str, protocol: str) -> Hyperparameters:
        """Those of config.yaml, with the step that the protocol has for methods that draw edges."""
        step = self.study.config.protocols[self.protocol_of_fit(method, protocol)].step
        return replace(self.study.config.hyperparameters, step=step)

    def _same_text(self, corpus: str) -> str:
        """The whole corpus, if labels are all that a subset of it lacks; else the subset."""
        subset = Subset.parse(corpus)
        same = subset.unlabelled == 100 and not subset.hidden
        return subset.base if same else subset.name

    def _is_streamed(self, corpus: str) -> bool:
        base = self.study.base(corpus)
        return base in self.study.config.own or self.study.config.edges.get(base) == "streamed"

    def _streams(self, corpus: str, method: Method) -> bool:
        """Whether a method draws its edges from the corpus itself, where others have networks."""
        return bool(method.rounds) or ("streamed" in method.spec.uses and self._is_streamed(corpus))

    def _needs(self, corpus: str, method: Method, protocol: str, seed: str) -> dict[str, str]:
        """The word vectors of other methods that a method is given, by their roles."""
        return {
            role: self.represented(corpus, other, protocol, seed)["representation"]
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

    def _kernels(self, corpus: str, method: Method, protocol: str) -> list[str]:
        """The sets of kernels that a fit calls; those that train on edges, for its step."""
        sets: list[KernelSet] = list(method.kernels)
        if not method.networks:
            return [self._kernels_of(name, method.name, protocol) for name in sets]
        streamed = self._streams(corpus, method)
        validated = self.study.config.samples.get(self.study.base(corpus)) == "validated"
        if streamed or validated:
            sets.append("streamed")
        if not streamed or not all(named.spec(name).streamed for name in method.networks):
            sets.append("stored")
        if self.study.config.deterministic:
            sets.append("synchronous")
        return [self._kernels_of(name, method.name, protocol) for name in sets]

    def _kernels_of(self, kernels: KernelSet, method: str, protocol: str) -> str:
        """The name of a set for the step of a protocol, where this is not the paper's."""
        fitted = self.protocol_of_fit(method, protocol)
        return kernel_sets.for_protocol(self.study.config, kernels, fitted)
