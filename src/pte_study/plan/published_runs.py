"""Published runs, which take the place of runs that jobs make."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from pte_study import paths
from pte_study.plan.runs import Runs


@dataclass(frozen=True)
class PublishedRuns(Runs):
    """The published runs of a study. `held` gives the file of each run, by name without ending."""

    held: Mapping[str, str]

    are_made: ClassVar[bool] = False

    @property
    def notice(self) -> str:
        """A line that says what cannot be made from the published runs."""
        wanted = {"table": self.study.config.tables, "curve": self.study.config.curves}
        there = {"table": self.tables, "curve": self.curves}
        lacks = [f"{kind} {n}" for kind in wanted for n in wanted[kind] if n not in there[kind]]
        lacks += [f"sensitivity {n}" for n in self.parameters if n not in self.sensitivities]
        files = {f"table {n}": self.of_table(n) for n in self.tables}
        files |= {f"curve {n}": self.of_curve(n) for n in self.curves}
        lacks += [part for name, wanted in files.items() if (part := self._part(name, wanted))]
        return f"published runs lack: {', '.join([*lacks, 'maps', 'the picture of a network'])}"

    def _part(self, name: str, files: Sequence[str]) -> str:
        """Return how many runs of a table or curve were not published, and on which corpora.

        The text is empty if all of them were published.
        """
        lacking = [file for file in files if not self.has([file])]
        found = (paths.wildcards_of(f"{paths.SCORES}.json", file) or {} for file in lacking)
        corpora = dict.fromkeys(self.study.base(run["corpus"]) for run in found)
        return f"{len(lacking)} runs of {name} ({', '.join(corpora)})" if lacking else ""

    def is_planned(self, corpus: str) -> bool:
        """Return whether runs on a corpus were published."""
        return paths.PUBLISHED_RUN.format(corpus=corpus) in set(self.held.values())

    def sources(self, files: Iterable[str]) -> list[str]:
        """Return the published files that hold the runs of some score files."""
        return sorted({self.held[name] for name in self.names(files)})

    def names(self, files: Iterable[str]) -> list[str]:
        """Return the names, without ending, of the runs in `files` that were published."""
        return [stem for stem in (f.removesuffix(".json") for f in files) if stem in self.held]

    def has(self, files: Iterable[str]) -> bool:
        """Return whether any of the runs in `files` was published."""
        return bool(self.names(files))

    def corpora(self, names: Iterable[str]) -> list[str]:
        """Return the published files that hold the records of encoded corpora."""
        return [paths.PUBLISHED_RUN.format(corpus=name) for name in names]

    @property
    def maps(self) -> list[str]:
        """No corpora: maps need vectors, and vectors are not published."""
        return []

    @property
    def pictures(self) -> list[str]:
        """No pictures: they need texts, and texts are not published."""
        return []

    def claim_inputs(self, names: Iterable[str]) -> dict[str, list[str]]:
        """Return the published files that the claims of these names are judged on."""
        return {"stores": self.sources(self.claimed.files(names))}

    def unavailable(self) -> dict[str, str]:
        """Return why corpora of claims cannot be run, by corpus.

        The registry has the reasons. A missing mirror is no reason, because published runs need no
        texts.
        """
        return dict(self.study.registries.unavailable)
