"""The jobs and the files of a contest on a text of the user's own."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pte.classify.entrants import AUTO, Lineup, plan
from pte.classify.registry import kernel_sets_of, with_needed
from pte.command.fit import fit
from pte.command.flags import OF_A_MODEL, Training, command_line, no_option, words_of
from pte.corpora.finding import counted
from pte.errors import PteError
from pte.plugins import module_name
from pte_study import paths
from pte_study.configuration.entries import CHOSEN
from pte_study.configuration.own import Own, cores
from pte_study.plan import kernel_sets
from pte_study.plan.own_texts import KnownText, known_text, last_file
from pte_study.plan.study import Study

STARTING = 5.0
"""The processor seconds that a job takes before its work begins, about."""

DIVIDED = 60.0
"""A method whose trials take more processor seconds has a job for each fold."""

ALL = "all"
"""The name of the job that tests all folds."""

TRIALS = f"{paths.OWN}/trials/{{method}}.{{fold}}.npz"


@dataclass(frozen=True, eq=False)
class OwnTargets:
    """The files that are made of texts of the user's own."""

    study: Study

    def pages(self) -> list[str]:
        """Return the pages of all texts.

        Raises `PteError` when there is no text, and when the folder of the results has those of
        another file.
        """
        if not self.study.config.own:
            raise PteError(
                "own: no text is named; add --config corpus=FILE, or an entry under `own` in "
                "config.yaml (docs/own-text.md)"
            )
        for name, own in self.study.config.own.items():
            _refuse_others(name, own)
        return [f"{paths.OWN.format(own=name)}/index.html" for name in self.study.config.own]

    @cache  # noqa: B019  this object lives as long as the process
    def plan(self, name: str) -> Lineup:
        """Return the methods that take part in the contest on a text."""
        return plan(self.text(name).facts, self.study.config.own[name].minutes, cores())

    @cache  # noqa: B019
    def text(self, name: str) -> KnownText:
        """Return what is known of the content of a text."""
        own = self.study.config.own[name]
        return known_text(name, own, self.training(own), self.code(name, "own_trial"))

    def declared(self, name: str) -> list[str]:
        """Return the file of a text, as an input of jobs; none if Snakemake misreads its name.

        Jobs have the file in their parameters, too, beside a hash of its content.
        """
        file = self.study.config.own[name].text.file
        is_plain = file.isprintable() and file.strip() == file and not {"{", "}"} & set(file)
        return [file] if is_plain else []

    def n_folds(self, name: str) -> int:
        """Return the number of jobs for each method."""
        own = self.study.config.own[name]
        return 1 if own.reading.is_split else own.folds

    def trials(self, name: str) -> list[str]:
        """Return the files of all trials on a text."""
        return [
            TRIALS.format(own=name, method=method, fold=fold)
            for method in self.plan(name).methods
            for fold in self.parts(name, method)
        ]

    def parts(self, name: str, method: str) -> list[str]:
        """Return the names of the jobs of a method: a job for each fold, or one job for all."""
        if self.plan(name).expected[method] <= DIVIDED:
            return [ALL]
        return [str(fold) for fold in range(self.n_folds(name))]

    def compiled(self, name: str, method: str) -> list[str]:
        """Return the files that say that the kernels of a method are compiled."""
        config, sets = self.study.config, kernel_sets_of([method])
        return [paths.kernels(kernel_sets.for_protocol(config, n, CHOSEN)) for n in sets]

    def given(self, name: str) -> dict[str, Any]:
        """Return what a job is given besides the file: how it is read, settings, and folds."""
        own = self.study.config.own[name]
        return {
            "file": own.text.file,
            "values": own.values,
            "training": self.training(own)._asdict(),
            "folds": own.folds,
            "content": self.text(name).content,
        }

    def training(self, own: Own) -> Training:
        """Return the settings of all trainings on a text."""
        shape, text = self.study.config.hyperparameters, own.text
        return Training(shape.dim, "chosen", shape.window, text.tokeniser, text.seed, 1)

    def told(self, name: str) -> dict[str, Any]:
        """Return what the result tells besides the trials."""
        planned, given = self.plan(name), self.given(name)
        usual = {option.name: option.default for option in fit.params}
        values = {**given["values"], **given["training"]}
        typed = {
            key: values[key] for key in OF_A_MODEL if values.get(key) not in (None, usual[key])
        }
        return {
            "command": command_line(["pte", "fit", no_option(given["file"]), *words_of(typed)]),
            "lineup": vars(planned),
        }

    def entries(self, method: str) -> dict[str, Any]:
        """Return the options of a method, and of those whose word vectors it begins with."""
        return {each.name: {"model": each.model, **each.options} for each in with_needed([method])}

    def code(self, name: str, script: str, *methods: str) -> str:
        """Return the hash of all code that a job with some methods depends on."""
        modules = {module for each in with_needed(methods) for module in each.modules}
        reader = self.study.config.own[name].reading.reader
        return self.study.code(script, module_name("pte.corpora.readers", reader), *sorted(modules))

    def notices(self, jobs: Iterable[tuple[str, Mapping[str, str]]]) -> list[str]:
        """Return one line that says how long a run of `jobs` may take; no line without a page.

        A job is the name of its rule, and its wildcards.
        """
        planned = list(jobs)
        pages = [given["own"] for rule, given in planned if rule == "own_page"]
        if not pages:
            return []
        seconds = STARTING * len(planned)
        for rule, given in planned:
            if rule == "own_trial":
                expected = self.plan(given["own"]).expected[given["method"]]
                seconds += expected / len(self.parts(given["own"], given["method"]))
            elif rule == "own_page":
                lineup = self.plan(given["own"])
                seconds += sum(map(lineup.curve_seconds, lineup.curves(AUTO)))
        minutes = max(1, round(seconds / cores() / 60))
        how_long = "about a minute" if minutes == 1 else f"about {minutes} minutes"
        count = counted(len(planned), "job", "jobs")
        return [f"{', '.join(pages)}: {count}, {how_long}; longer on a slow or busy machine"]


def _refuse_others(name: str, own: Own) -> None:
    """Raise `PteError` if the results of this name are those of another file."""
    folder = Path(paths.OWN.format(own=name))
    try:
        other = json.loads((folder / "contest.json").read_text("utf-8"))["file"]
    except (OSError, ValueError, KeyError, TypeError):
        other = last_file(name) if folder.is_dir() else None  # trials may be there, and no page yet
    if other and Path(other).absolute() != own.path.absolute():
        raise PteError(
            f"{folder}: these are results of {other}; add name=ANOTHER to --config, or delete the "
            "folder"
        )
