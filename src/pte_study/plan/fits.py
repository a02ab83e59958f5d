"""What jobs that fit and score methods are given: files, plans, memory, hashes of code."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pte import plugins
from pte.corpora.subsets import Subset
from pte.evaluation.setting import ClassifierSetting
from pte.networks import named
from pte.training.contract import KernelSet
from pte.training.method import Method
from pte.training.setup import Configured, FitPlan, Hyperparameters, Size
from pte_study import paths
from pte_study.configuration.config import Config
from pte_study.configuration.entries import CHOSEN, PAPER
from pte_study.configuration.registry import Registries
from pte_study.plan import kernel_sets

PROGRAM = 250_000_000
"""Bytes of Python, numpy, scipy, numba and compiled kernels in a process that fits a method."""

TO_SCORE, OF_A_TOKEN, COPIES = 1_000_000_000, 100, 10
"""Bytes of a process that scores: in any case, of each token, and of each byte that is mapped.

On the published runs it took 250 MB, up to 90 bytes a token with pairs of words, and 9 bytes for
each byte of an encoder's vectors.
"""

LAUNCHERS = 600_000_000
"""Bytes of the two processes of Snakemake that start a job of a cluster and wait for it.

One process was measured with 270 MB.
"""


@dataclass(frozen=True)
class Fits:
    """The fits of a study, and the scores of fits, by corpus, method, protocol and seed.

    `hashed` returns the hash of all code that the results of a script depend on, as `Study.code`.
    """

    config: Config
    registries: Registries
    hashed: Callable[..., str]

    @property
    def represented_methods(self) -> list[str]:
        """The methods that a job fits."""
        return [n for n, method in self.registries.methods.items() if method.is_represented]

    def trained_on(self, corpus: str, method: str) -> str:
        """Return the corpus on which the fit of a method for `corpus` is trained.

        A method that ignores labels is trained once on the whole corpus. Subsets that differ only
        in labels share this fit.
        """
        return corpus if self.registries.methods[method].sees_labels else self._same_text(corpus)

    def stem(self, corpus: str, method: str, protocol: str, seed: int | str) -> str:
        """Return the fit that a score is made from, without ending.

        Protocols differ in T and in the classifier. A method without T has one fit for all
        protocols.
        """
        trained_on, fitted = self.trained_on(corpus, method), self.protocol_of_fit(method, protocol)
        return paths.REPRESENTATION.format(
            corpus=trained_on, method=method, protocol=fitted, seed=seed
        )

    def represented(self, corpus: str, method: str, protocol: str, seed: str) -> dict[str, str]:
        """Return the two files of a method's fit, by their roles."""
        stem = self.stem(corpus, method, protocol, seed)
        return {"representation": f"{stem}.npy", "training": f"{stem}.json"}

    def inputs(self, corpus: str, method: str, protocol: str, seed: str) -> dict[str, Any]:
        """Return the files that a fit needs, by their roles."""
        entry = self.registries.method_on(corpus, method)
        inputs: dict[str, Any] = {"corpus": paths.corpus(corpus)}
        streams, networks = self._streams(corpus, entry), self._networks(corpus, entry, seed)
        inputs |= {n: f for n, f in networks.items() if not (streams and named.spec(n).streamed)}
        inputs |= self._needs(corpus, entry, protocol, seed)
        inputs |= self._encoded(corpus, entry)
        if entry.spec.neighbours:
            inputs["neighbours"] = paths.NEIGHBOURS.format(corpus=self._same_text(corpus))
        if self.is_chosen_ahead(corpus, method, protocol):
            inputs["choice"] = self._choice_of(corpus, method)
        inputs["compiled"] = [paths.kernels(n) for n in self._kernels(corpus, entry, protocol)]
        return inputs

    def choose_inputs(self, corpus: str, method: str) -> dict[str, Any]:
        """Return the files that the choice of a method's hyperparameters needs, by their roles."""
        inputs = self.inputs(corpus, method, PAPER, str(self.config.seeds[0]))
        inputs.pop("choice", None)
        if self.registries.methods[method].draws_samples:  # a search for T draws from streams
            streamed = self._kernels_of("streamed", method, CHOSEN)
            inputs["compiled"] = sorted({*inputs["compiled"], paths.kernels(streamed)})
        return inputs

    def _choice_of(self, corpus: str, method: str) -> str:
        """Return the file of a choice of hyperparameters.

        T, and the hyperparameters of a method that sees labels, are chosen for each subset of
        labels. All other hyperparameters are chosen once for a corpus.
        """
        seen, entry = Subset.parse(corpus).base, self.registries.methods[method]
        if entry.draws_samples or entry.sees_labels:
            seen = self.trained_on(Subset.parse(corpus).whole.name, method)
        return paths.CHOICE.format(corpus=seen, method=method)

    def hidden(self, corpus: str) -> Subset:
        """Return the hidden subset of a corpus, in which some documents judge and do not train.

        What is chosen with the hidden subset is chosen for the corpus.
        """
        subset = Subset.parse(corpus)
        seed = self.config.seeds[0] if subset.seed is None else subset.seed
        return replace(subset, hidden=True, seed=seed)

    def chooses_classifier(self, corpus: str, method: str, protocol: str) -> bool:
        """Return whether a classifier is chosen for a method on a corpus.

        A control with shuffled labels has no choice, and neither has a method that predicts classes
        itself, or that cannot run on the corpus.
        """
        entry = self.registries.methods[method]
        is_chosen = self.config.protocols[protocol].classifier.is_chosen
        classifies = not (entry.predicts or entry.shuffled)
        return is_chosen and classifies and not self.registries.why_not(corpus, method)

    def classifier_inputs(self, corpus: str, method: str, protocol: str) -> dict[str, Any]:
        """Return the files that the choice of a classifier needs, by their roles.

        A score on the hidden subset of the corpus would need the same files.
        """
        hidden = self.hidden(corpus)
        return self._fit_inputs(hidden.name, method, protocol, str(hidden.seed))

    def plan(self, corpus: str, method: str, protocol: str = PAPER) -> FitPlan:
        """Return what the fit of a method is given besides files."""
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
        fixed = self.fixed_choice(base, method, protocol) if entry.spec.choice else None
        said = Configured(options=dict(entry.options), choice=fixed, **used)
        why_not = self.registries.why_not(corpus, method)
        return FitPlan(entry.model, entry.spec.yields, entry.shuffled, said, why_not)

    def fixed_choice(
        self, corpus: str, method: str, protocol: str = PAPER
    ) -> Mapping[str, Any] | None:
        """Return the values that the configuration fixes and validation would choose, or None.

        Where the protocol does not choose T, a method with T has no such values: the paper fixes T.
        """
        base, draws = Subset.parse(corpus).base, self.registries.methods[method].draws_samples
        if draws and not self._chooses_samples(method, protocol):
            return None
        return self.config.choices.get(base, {}).get(method)

    def _chooses_samples(self, method: str, protocol: str) -> bool:
        """Return whether T is chosen; not by the paper, nor for a control with shuffled labels."""
        entry = self.registries.methods[method]
        return entry.draws_samples and not entry.shuffled and protocol != PAPER

    def protocol_of_fit(self, method: str, protocol: str) -> str:
        """Return the protocol that a fit belongs to.

        This is `paper` where no T is chosen, and `chosen` where a method sets all itself. Such a
        fit serves all protocols.
        """
        if self.registries.methods[method].spec.automatic:
            return CHOSEN
        return protocol if self._chooses_samples(method, protocol) else PAPER

    def is_chosen_ahead(self, corpus: str, method: str, protocol: str) -> bool:
        """Return whether a separate job chooses hyperparameters once for all fits on a corpus."""
        entry = self.registries.methods[method]
        if entry.draws_samples and not self._chooses_samples(method, protocol):
            return False
        if self.fixed_choice(corpus, method, protocol) is not None:
            return False
        return hasattr(plugins.load("pte.models", entry.model), "choose")

    def code(self, script: str, method: str) -> str:
        """Return the hash of all code that a fit, or a choice of hyperparameters, depends on."""
        return self.hashed(script, *self.registries.methods[method].modules)

    def is_installed(self, method: str) -> bool:
        """Return whether the package that a method needs is installed.

        The method runs again when this changes.
        """
        package = self.registries.methods[method].spec.package
        return package is None or find_spec(package) is not None

    def memory(
        self,
        method: str,
        corpus: str,
        threads: int = 1,
        attempt: int = 1,
        launched: bool = False,
    ) -> int:
        """Return the megabytes that a fit may take.

        Each `attempt` gets more. On a cluster a job is `launched` by other processes, and shares
        its memory with them. `corpus` is a folder. Raises `FileNotFoundError` until this folder
        exists.
        """
        folder, entry = Path(corpus), self.registries.methods[method]
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
        """Return the megabytes that a score, or the choice of a classifier, may take.

        Arguments are those of `memory`, which raises the same error.
        """
        mapped, counts = self._measured(Path(corpus), self.registries.methods[method])
        taken = TO_SCORE + OF_A_TOKEN * counts["tokens"] + COPIES * mapped
        return int(attempt * round(taken / 1e6))

    def _measured(self, folder: Path, method: Method) -> tuple[int, dict[str, int]]:
        """Return the bytes of what a job maps, and the counts of its corpus.

        It maps the corpus, and the encoder's vectors if the method sees these. Raises
        `FileNotFoundError` that names an input of the job, as Snakemake expects.
        """
        encoded = self._encoded(folder.name, method).get("encoded")
        files = [*folder.iterdir(), *([Path(encoded)] if encoded else [])]
        mapped = sum(file.stat().st_size for file in files)
        return mapped, json.loads((folder / "corpus.json").read_text("utf-8"))["counts"]

    def score_inputs(self, corpus: str, method: str, protocol: str, seed: str) -> dict[str, Any]:
        """Return the files that a score needs, by their roles.

        A method that cannot run is not fitted, so its score needs only the corpus.
        """
        inputs = self._fit_inputs(corpus, method, protocol, seed)
        if self.chooses_classifier(corpus, method, protocol):
            chosen = paths.CLASSIFIER.format(corpus=corpus, method=method, protocol=protocol)
            inputs["classifier"] = chosen
        return inputs

    def _fit_inputs(self, corpus: str, method: str, protocol: str, seed: str) -> dict[str, Any]:
        """Return the files of a corpus, and of what a method has learnt from it, by their roles."""
        entry = self.registries.methods[method]
        inputs: dict[str, Any] = {"corpus": paths.corpus(corpus)}
        if self.registries.why_not(corpus, method):
            return inputs
        if entry.is_represented:
            return inputs | self.represented(corpus, method, protocol, seed)
        for other in list(entry.needs.values())[:1]:  # features cost what this fit costs
            inputs["training"] = self.represented(corpus, other, protocol, seed)["training"]
        inputs |= self._encoded(corpus, self.registries.method_on(corpus, method))
        return inputs | self._needs(corpus, entry, protocol, seed)

    def _encoded(self, corpus: str, method: Method) -> dict[str, str]:
        """Return the encoder's vectors of a whole corpus, and this corpus, by their roles."""
        base = Subset.parse(corpus).base
        files = {"encoded": paths.ENCODED.format(corpus=base), "whole": paths.corpus(base)}
        return files if method.encoded else {}

    def vectors(self, corpus: str, method: str, seed: str) -> dict[str, str]:
        """Return the word vectors from which the documents of a map are made, by their role."""
        return {"vectors": self.represented(corpus, method, PAPER, seed)["representation"]}

    def scoring_code(self, script: str, method: str) -> str:
        """Return the hash of all code of a script that scores, without that of an earlier fit."""
        fitted = self.registries.methods[method].is_represented
        return self.hashed(script) if fitted else self.code(script, method)

    def classifier_of(self, method: str, protocol: str) -> dict[str, Any]:
        """Return the settings of a score's classifier; the default settings if there is none."""
        predicts = self.registries.methods[method].predicts
        return vars(ClassifierSetting() if predicts else self.config.protocols[protocol].classifier)

    def hyperparameters(self, method: str, protocol: str) -> Hyperparameters:
        """Return the hyperparameters of config.yaml, with the step of the fit's protocol."""
        step = self.config.protocols[self.protocol_of_fit(method, protocol)].step
        return replace(self.config.hyperparameters, step=step)

    def _same_text(self, corpus: str) -> str:
        """Return the whole corpus if a subset lacks nothing but labels; else the subset."""
        subset = Subset.parse(corpus)
        same = subset.unlabelled == 100 and not subset.hidden
        return subset.base if same else subset.name

    def _is_streamed(self, corpus: str) -> bool:
        base = Subset.parse(corpus).base
        return self.config.edges.get(base) == "streamed"

    def _streams(self, corpus: str, method: Method) -> bool:
        """Return whether a method draws its edges from the corpus, and not from built networks."""
        return "streamed" in method.spec.uses and self._is_streamed(corpus)

    def _needs(self, corpus: str, method: Method, protocol: str, seed: str) -> dict[str, str]:
        """Return the word vectors of other methods that a method is given, by their roles."""
        return {
            role: self.represented(corpus, other, protocol, seed)["representation"]
            for role, other in method.needs.items()
        }

    def _networks(self, corpus: str, method: Method, seed: str) -> dict[str, str]:
        """Return the networks of a method, by name.

        A method with shuffled labels has networks of shuffled labels, where networks depend on
        labels.
        """
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
        """Return the names of the sets of kernels that a fit calls, for the step of the fit."""
        sets: list[KernelSet] = list(method.kernels)
        if not method.networks:
            return [self._kernels_of(name, method.name, protocol) for name in sets]
        streamed = self._streams(corpus, method)
        searched = self.config.samples.get(Subset.parse(corpus).base) == "chosen"
        if streamed or searched:  # a search for T draws from streams
            sets.append("streamed")
        if not streamed or not all(named.spec(name).streamed for name in method.networks):
            sets.append("stored")
        return [self._kernels_of(name, method.name, protocol) for name in sets]

    def _kernels_of(self, kernels: KernelSet, method: str, protocol: str) -> str:
        """Return the name of a set of kernels for the step of the protocol of a method's fit."""
        fitted = self.protocol_of_fit(method, protocol)
        return kernel_sets.for_protocol(self.config, kernels, fitted)
