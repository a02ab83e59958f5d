"""Runs that were published, in place of runs that jobs make."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from pte.study import paths
from pte.study.runs import Runs


@dataclass(frozen=True)
class PublishedRuns(Runs):
    """The published runs of a study; `held` gives the file of each by its name without ending."""

    held: Mapping[str, str]

    are_made: ClassVar[bool] = False

    @property
    def notice(self) -> str:
        """What cannot be made of the published runs."""
        wanted = {"table": self.study.config.tables, "curve": self.study.config.curves}
        there = {"table": self.tables, "curve": self.curves}
        lacks = [f"{kind} {n}" for kind in wanted for n in wanted[kind] if n not in there[kind]]
        lacks += [f"sensitivity {n}" for n in self.parameters if n not in self.sensitivities]
        files = {f"table {n}": self.of_table(n) for n in self.tables}
        files |= {f"curve {n}": self.of_curve(n) for n in self.curves}
        lacks += [part for name, wanted in files.items() if (part := self._part(name, wanted))]
        return f"published runs lack: {', '.join([*lacks, 'maps', 'the picture of a network'])}"

    def _part(self, name: str, files: Sequence[str]) -> str:
        """How many runs of a table or a curve were not published, and on which corpora."""
        lacking = [file for file in files if not self.has([file])]
        found = (paths.wildcards_of(f"{paths.SCORES}.json", file) or {} for file in lacking)
        corpora = dict.fromkeys(self.study.base(run["corpus"]) for run in found)
        return f"{len(lacking)} runs of {name} ({', '.join(corpora)})" if lacking else ""

    def is_planned(self, corpus: str) -> bool:
        """Whether runs on a corpus were published."""
        return paths.PUBLISHED_RUN.format(corpus=corpus) in set(self.held.values())

    def sources(self, files: Iterable[str]) -> list[str]:
        """The published files that hold the runs of some score files."""
        return sorted({self.held[name] for name in self.names(files)})

    def names(self, files: Iterable[str]) -> list[str]:
        """Those of these runs that were published."""
        return [stem for stem in (f.removesuffix(".json") for f in files) if stem in self.held]

    def has(self, files: Iterable[str]) -> bool:
        """Whether some of these runs were published."""
        return bool(self.names(files))

    def corpora(self, names: Iterable[str]) -> list[str]:
        """The published files that hold the records of encoded corpora."""
        return [paths.PUBLISHED_RUN.format(corpus=name) for name in names]

    @property
    def maps(self) -> list[str]:
        """None: vectors are not published."""
        return []

    @property
    def pictures(self) -> list[str]:
        """None: texts are not published."""
        return []

    def claim_inputs(self, names: Iterable[str]) -> dict[str, list[str]]:
        """The published files that some claims are judged on."""
        return {"stores": self.sources(self.claimed.files(names))}

    def unavailable(self) -> dict[str, str]:
        """Why a corpus that a claim is about cannot be run, wherever its texts are to be had."""
        return dict(self.study.registries.unavailable)
