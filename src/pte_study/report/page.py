"""The page of a run: verdicts, tables beside the paper, figures, and where numbers come from."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd

from pte.files import atomic_file, read_json
from pte_study.claims.claim import Claim
from pte_study.configuration.entries import Curve
from pte_study.render.html import Section, html_page
from pte_study.render.text import read_csv
from pte_study.report import verdicts
from pte_study.report.comparison import comparison_cells, difference_classes, notes
from pte_study.report.curves import curve_cells
from pte_study.report.glance import glance_section
from pte_study.report.maps import separation_cells
from pte_study.report.own_classes import class_cells, confusion_cells
from pte_study.report.provenance import Gathered, provenance
from pte_study.report.sensitivity import NAMES, sensitivity_cells
from pte_study.report.table1 import table1_cells, table1_notes
from pte_study.report.times import times_cells, trained

TITLE = "PTE: Predictive Text Embedding, run again"
BESIDE = (
    "Micro-F1 and macro-F1 in percent, mean ± standard deviation over seeds, classified as the "
    "paper does. A row without ± has one seed, or needs none. Δ is ours minus what is reported: "
    "blue is above it, orange below, stronger by more than two points. The best is bold, the "
    "second underlined."
)
CHOSEN_NOTE = (
    "“chosen” is our micro-F1 where held-out training documents choose T, the classifier's C and "
    "the length of the vectors."
)

OPEN_MARKS = " Open marks at 100 % are what the paper, or others, report."


@dataclass(frozen=True)
class Told:
    """What the page needs beside the files: captions of tables, curves, claims, method names."""

    captions: Mapping[str, str]
    curves: Mapping[str, Curve]
    claims: Mapping[str, Claim]
    labels: Mapping[str, str]


def page_sections(
    files: Mapping[str, Sequence[Path]], told: Told, here: Gathered
) -> Iterator[Section]:
    """Yield the sections of the page; most sections have the command that makes them.

    `files` are the files of `pte_study.plan.targets.page_inputs`, by kind. A kind without files has
    no section. `here` says where the runs were made.
    """
    named = {kind: {path.stem: path for path in paths} for kind, paths in files.items()}
    judged = next(map(verdicts.read_verdicts, files.get("claims", [])), None)
    if tables := [read_csv(path) for path in files["tables"]]:
        yield glance_section(tables, judged)
    if judged is not None:
        yield _made(claims_section(judged, told.claims, told.labels), "claims")
    for name, path in named["tables"].items():
        beside = named["figures"][name], named["times"][name]
        section = comparison_section(told.captions[name], path, *beside)
        yield _made(section, path, *beside)
    if scores := [read_json(path) for path in dict.fromkeys(files.get("classes", []))]:
        yield classes_section(scores, told.labels)
    for path in files.get("table1", []):
        yield _made(datasets_section(path), "table1")
    for name, path in named.get("curves", {}).items():
        yield _made(curve_section(told.curves[name], path, named["curve_figures"][name]), path)
    if points := named.get("sensitivity"):
        yield _made(sensitivity_section(points, named["sensitivity_figures"]), "sensitivity")
    if separations := named.get("maps"):
        section = maps_section(separations, named["map_documents"], named["map_figures"])
        yield _made(section, "maps")
    for path in files.get("network", []):
        yield _made(network_section(path), path)
    yield provenance_section(here, told.labels)


def _made(section: Section, *targets: str | Path) -> Section:
    """Return the section with the command that makes its files."""
    return replace(section, command=" ".join(["snakemake", *map(str, targets)]))


def write_page(sections: Iterable[Section], path: Path) -> None:
    """Write the page, atomically."""
    with atomic_file(path) as temporary:
        page = html_page(TITLE, list(sections), classes=classes)
        temporary.write_text(page, encoding="utf-8")


def classes(column: str, cell: str) -> list[str]:
    """Return the CSS classes of a cell: how large its difference is, or which verdict it holds."""
    return difference_classes(column, cell) or verdicts.verdict_classes(column, cell)


def claims_section(
    pairs: verdicts.Pairs, claims: Mapping[str, Claim], labels: Mapping[str, str]
) -> Section:
    """Show the verdicts that `pte_study.report.verdicts.read_verdicts` reads."""
    text = (f"{verdicts.CAPTION}.", *verdicts.notes_on(pairs))
    tables = verdicts.verdict_tables(verdicts.judged_corpora(pairs), claims, labels)
    return Section("Claims of the paper", text, tables)


def comparison_section(caption: str, table: Path, scores: Path, times: Path) -> Section:
    """Show methods beside the paper's numbers, their seconds of training, and figures of both."""
    frame = read_csv(table)
    took = times_cells(trained(frame))
    tables = comparison_cells(frame)
    corpora = {corpus: corpus for corpus in tables}
    for corpus, cells in took.items():
        tables[f"{corpus}, seconds of training"] = cells
        corpora[f"{corpus}, seconds of training"] = corpus
    pictures = {
        f"{caption}: micro-F1": scores.read_bytes(),
        f"{caption}: seconds of training": times.read_bytes(),
    }
    beside = (f"{BESIDE} {CHOSEN_NOTE}" if "chosen_micro_mean" in frame else BESIDE, *notes(frame))
    return Section(caption, beside, tables, pictures, corpora=corpora)


def classes_section(scores: Sequence[Mapping[str, Any]], labels: Mapping[str, str]) -> Section:
    """Show the scores and the confusions of each class, from score files, in folded tables."""
    tables: dict[str, pd.DataFrame] = {}
    corpora: dict[str, str] = {}
    for score in scores:
        corpus, run = score["corpus"], f"{labels[score['method']]}, seed {score['seed']}"
        found = {f"{corpus}, {run}: each class": class_cells(score["per_class"])}
        names = [row["class"] for row in score["per_class"]]
        matrix = confusion_cells(score["confusion"], names) if "confusion" in score else None
        if matrix is not None:
            found[f"{corpus}, {run}: which class is taken for which"] = matrix
        tables |= found
        corpora |= dict.fromkeys(found, corpus)
    text = (
        "In percent. Of the second tables, rows are true classes and columns the predicted ones.",
    )
    return Section("Classes", text, tables, corpora=corpora, folded=True)


def datasets_section(table: Path) -> Section:
    """Show our corpora beside the paper's Table 1."""
    frame = read_csv(table).astype(object)
    tables = {"Corpora": table1_cells(frame)}
    return Section("Corpora", table1_notes(frame), tables)


def curve_section(curve: Curve, points: Path, picture: Path) -> Section:
    """Show a learning curve as a figure, and as a table for each corpus."""
    caption, tables = curve.caption, curve_cells(read_csv(points), curve.along)
    return Section(
        caption,
        (
            "Micro-F1 in percent, mean ± standard deviation over seeds, each of which leaves out "
            "other documents; bands are one deviation. The best is bold, the second underlined."
            + (OPEN_MARKS if curve.along == "labelled" else ""),
        ),
        tables,
        {caption: picture.read_bytes()},
        corpora={corpus: corpus for corpus in tables},
    )


def sensitivity_section(points: Mapping[str, Path], pictures: Mapping[str, Path]) -> Section:
    """Show how PTE(joint) depends on each parameter; the files are by the names of parameters."""
    return Section(
        "What PTE(joint) depends on",
        (
            "Micro-F1 in percent, mean ± standard deviation over seeds; bands are one deviation. A "
            "dotted line is the value that the tables use. Against edges drawn, points are "
            "checkpoints of one training, whose rate falls over all its T edges.",
        ),
        {
            f"Against {NAMES[name]}": sensitivity_cells(read_csv(path), name)
            for name, path in points.items()
        },
        {f"PTE(joint) against {NAMES[name]}": path.read_bytes() for name, path in pictures.items()},
    )


def maps_section(
    separations: Mapping[str, Path], maps: Mapping[str, Path], pictures: Mapping[str, Path]
) -> Section:
    """Show document maps by corpus: how far classes lie apart, figures, and interactive maps."""
    return Section(
        "Maps of documents (the paper's Figure 6)",
        (
            "Documents as t-SNE places them. The table is about the vectors themselves: the share "
            "of test documents whose class most of their ten nearest training documents have, and "
            "the mean silhouette of test documents.",
        ),
        {corpus: separation_cells(read_csv(path)) for corpus, path in separations.items()},
        {f"Documents of {corpus}": path.read_bytes() for corpus, path in pictures.items()},
        {
            f"Documents of {corpus} under {method}": drawn
            for corpus, path in maps.items()
            for method, drawn in read_json(path).items()
        },
    )


def network_section(picture: Path) -> Section:
    """Show the networks of a few documents as a picture."""
    title = "The networks of a few documents (the paper's Figure 1)"
    text = ("Words, documents and classes; a line's thickness is its weight.",)
    return Section(title, text, pictures={title: picture.read_bytes()})


def provenance_section(here: Gathered, labels: Mapping[str, str]) -> Section:
    """Show the code and the machine, the corpora, and the cost of each method."""
    said, tables = provenance(here, labels)
    return Section("Provenance", (said,), tables)
