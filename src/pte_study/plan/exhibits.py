"""Exhibits, which are kinds of tables and figures: what each is made from, where it is shown.

A module in `pte_study.report` makes and shows each; none is imported here, because Snakemake would
then import pandas and matplotlib at each start."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pte_study import paths
from pte_study.configuration.config import CHOSEN
from pte_study.paths import FIGURE_KINDS, TEXT_KINDS
from pte_study.plan.runs import Runs
from pte_study.store import corpus_of

REPORTED = {
    "paper": paths.in_checkout(paths.PAPER_SCORES),
    "third_party": paths.in_checkout(paths.OTHERS_SCORES),
}
Named = Callable[[Runs, str], dict[str, Any]]


@dataclass(frozen=True)
class Exhibit:
    """A kind of table or figure: one for each value of a wildcard, or one alone.

    Files are below the folder of results, or of figures. `target` makes all of the kind. If they
    are `joined`, the page `on` shows them in one section, else those of the same `part`, by which
    they are published, too, as `kept` or the part. A `remark` of `given` follows the caption."""

    rule: str
    module: str
    target: str
    stem: str
    kinds: tuple[str, ...]
    caption: str
    on: str
    made: Callable[[Runs], list[str]]
    runs: Callable[[Runs, str], list[str]] = lambda study, name: []
    inputs: Named = lambda study, name: {}
    given: Named = lambda study, name: {}
    registry: Mapping[str, str] = field(default_factory=dict)
    joined: bool = False
    part: str = "{}"
    kept: str = ""

    @property
    def file(self) -> str:
        return self.stem.rpartition("/")[2]

    @property
    def wildcard(self) -> str:
        return self.file.strip("{}") if "{" in self.file else ""

    @property
    def outputs(self) -> dict[str, str]:
        figures = dict.fromkeys(FIGURE_KINDS, "results/figures")
        return {kind: f"{figures.get(kind, 'results')}/{self.stem}.{kind}" for kind in self.kinds}

    def name_in(self, wildcards: Any) -> str:
        return str(getattr(wildcards, self.wildcard, self.file))

    def files(self, name: str) -> dict[str, str]:
        return {kind: each.format_map({self.wildcard: name}) for kind, each in self.outputs.items()}

    def sources(self, study: Runs, name: str) -> dict[str, Any]:
        """Return the files that the exhibit `name` is made from, without those of the registry."""
        names = self.runs(study, name)
        held = {"runs": study.files(names, "json")} if names else {}
        return {**held, **self.inputs(study, name)}

    def told(self, study: Runs, name: str) -> dict[str, Any]:
        """Return all that the module is told: what is `given`, name and caption."""
        given = {"name": name, **self.given(study, name)}
        if names := self.runs(study, name):
            given["names"] = study.had(names)
        return {**given, "caption": self.caption + given.get("remark", "")}


SCORES = (
    "In percent, mean ± standard deviation over seeds, classified as the "
    "paper does. A row without ± has one seed, or needs none. Δ is ours minus what is reported: "
    "blue is above it, orange below, stronger by more than two points. The best is bold, the "
    "second underlined."
)
DOTS = (
    "Micro-F1 in percent, the mean over seeds. ● is classified as the paper does, ○ has values "
    "that held-out documents chose, | is reported. ◂ is below the left end."
)
CHOSEN_SCORES = (
    " “chosen” is our micro-F1 where held-out training documents choose T, the classifier's C and "
    "the length of the vectors."
)
OPEN_MARKS = " Open marks at 100 % are what the paper, or others, report."


def _of_table(study: Runs, table: str) -> dict[str, Any]:
    shown = study.all_tables[table]
    remark = CHOSEN_SCORES if CHOSEN in shown.protocols else ""
    return {"title": shown.caption, "protocols": shown.protocols, "remark": remark}


def _comparison(study: Runs, table: str) -> dict[str, Any]:
    rows = {"corpora": study.all_tables[table].corpora, "methods": study.rows_of_table(table)}
    return {**_of_table(study, table), **rows, **_texts(study)}


def _texts(study: Runs) -> dict[str, Any]:
    return {"stand_ins": study.stand_ins, "official": study.official_rows}


def _curve(study: Runs, curve: str) -> dict[str, Any]:
    methods, shown = study.rows_of_curve(curve), study.shown_curve(curve)
    remark = OPEN_MARKS if shown.along == "labelled" else ""
    return {"curve": shown, "methods": methods, "remark": remark, **_texts(study)}


COMPARISON = Exhibit(
    rule="comparison",
    module="pte_study.report.comparison",
    target="tables",
    stem="tables/{table}",
    kinds=TEXT_KINDS,
    on="scores",
    made=lambda study: study.tables,
    runs=lambda study, table: study.of_table(table),
    registry=REPORTED,
    given=_comparison,
    caption=SCORES,
)
FIGURE = Exhibit(
    rule="comparison_figure",
    module="pte_study.report.comparison",
    target="figures",
    stem="{table}",
    kinds=FIGURE_KINDS,
    on="scores",
    made=COMPARISON.made,
    inputs=lambda study, table: {"comparison": COMPARISON.files(table)["csv"]},
    given=_of_table,
    caption=DOTS,
)


TABLE1 = Exhibit(
    rule="table1",
    module="pte_study.report.origins",
    target="table1",
    stem="tables/table1",
    kinds=TEXT_KINDS,
    on="corpora",
    made=lambda study: ["table1"] if study.shown else [],
    inputs=lambda study, _: {"corpora": study.places(study.shown)},
    registry={"paper": paths.in_checkout(paths.PAPER_CORPORA)},
    given=lambda study, _: {"expected": [study.registries.corpora[n].table1 for n in study.shown]},
    caption=(
        "The corpora, and Table 1 of the paper. The released code counts an end-of-line token, "
        'so "ours + 1" adds one to the vocabulary and to the document length.'
    ),
    joined=True,
)

CURVE = Exhibit(
    rule="curve",
    module="pte_study.report.curves",
    target="curves",
    stem="curves/{curve}",
    kinds=(*TEXT_KINDS, *FIGURE_KINDS),
    on="curves",
    made=lambda study: study.curves,
    runs=lambda study, curve: study.of_curve(curve),
    registry=REPORTED,
    given=_curve,
    caption=(
        "Micro-F1 in percent, mean ± standard deviation over seeds, each of which leaves out other "
        "documents; bands are one deviation. The best is bold, the second underlined."
    ),
    part="curves-{}",
)


def _few_labels(study: Runs) -> list[str]:
    """Return the curve along labels that chooses hyperparameters for each share."""
    kind, curves = ("labelled", CHOSEN), study.config.curves
    return [n for n in study.curves if (curves[n].along, curves[n].protocol) == kind]


FEW_LABELS = Exhibit(
    rule="few_labels",
    module="pte_study.report.curves",
    target="curves",
    stem="few_labels/{curve}",
    kinds=FIGURE_KINDS,
    made=_few_labels,
    inputs=lambda study, curve: {
        "curve": CURVE.files(curve)["csv"],
        "corpora": study.places(dict.fromkeys(map(corpus_of, study.had(study.of_curve(curve))))),
    },
    given=lambda study, curve: {"of": study.config.curves[curve].caption},
    caption=(
        "Micro-F1 in percent, mean over seeds; bands are one standard deviation. TF-IDF and "
        "fastText count pairs of words, too. Hyperparameters are chosen for each number of labels, "
        "on held-out documents among these."
    ),
    on="index",
    part="curves-{}",
    kept="few-{}",
)
SENSITIVITY = Exhibit(
    rule="sensitivity_figure",
    module="pte_study.report.curves",
    target="sensitivity",
    stem="sensitivity/{parameter}",
    kinds=(*TEXT_KINDS, *FIGURE_KINDS),
    on="curves",
    made=lambda study: study.sensitivities,
    runs=lambda study, parameter: study.of_sensitivity(parameter),
    given=lambda study, parameter: {
        "defaults": {
            corpus: study.value_in_tables(parameter, corpus)
            for corpus in study.config.sensitivity.corpora
        }
    },
    caption=(
        "Micro-F1 in percent, mean ± standard deviation over seeds; bands are one deviation. A "
        "dotted line is the value that the tables use. Against edges drawn, points are checkpoints "
        "of one training, whose rate falls over all its T edges."
    ),
    joined=True,
    part="sensitivity-{}",
)

MAP = Exhibit(
    rule="map",
    module="pte_study.report.pictures",
    target="maps",
    stem="maps/{corpus}",
    kinds=(*TEXT_KINDS, *FIGURE_KINDS),
    on="corpora",
    made=lambda study: study.maps,
    inputs=lambda study, corpus: {
        "corpus": paths.corpus(corpus),
        "places": paths.with_ending(study.of_map(corpus), "npy"),
        "separations": paths.with_ending(study.of_map(corpus), "json"),
    },
    given=lambda study, corpus: {
        "labels": [study.labels[name] for name in study.config.maps[corpus]]
    },
    caption=(
        "Documents as t-SNE places them. The table is about the vectors themselves: the share of "
        "test documents whose class most of their ten nearest training documents have, and the "
        "mean silhouette of test documents."
    ),
    joined=True,
    part="maps-{}",
)

NETWORK = Exhibit(
    rule="network_picture",
    module="pte_study.report.pictures",
    target="figures",
    stem="network",
    kinds=FIGURE_KINDS,
    on="corpora",
    made=lambda study: study.pictures,
    inputs=lambda study, _: {"corpus": paths.corpus(study.config.network_picture.corpus)},
    given=lambda study, _: {
        "picture": study.config.network_picture,
        "window": study.config.hyperparameters.window,
    },
    caption="Words, documents and classes; a line's thickness is its weight.",
)

EXHIBITS = (COMPARISON, FIGURE, TABLE1, CURVE, FEW_LABELS, SENSITIVITY, MAP, NETWORK)
"""In the order of the page."""
