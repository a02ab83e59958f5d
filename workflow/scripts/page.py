from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from job import logged

from pte.render.html import Section
from pte.report.page import (
    claims_section,
    comparison_section,
    curve_section,
    datasets_section,
    maps_section,
    network_section,
    provenance_section,
    sensitivity_section,
    write_page,
)
from pte.study.provenance import piece


def files(kind: str) -> list[Path]:
    return [Path(path) for path in snakemake.input.get(kind, [])]


def named(kind: str) -> dict[str, Path]:
    return {path.stem: path for path in files(kind)}


def sections() -> Iterator[tuple[Section, str]]:
    """Yield the sections of the page, each with the command that makes it."""
    params = snakemake.params
    for path in files("claims"):
        yield claims_section(path, params.claims, params.labels), "snakemake claims"
    for paths in zip(files("tables"), files("figures"), files("times"), strict=True):
        caption = params.captions[paths[0].stem]
        yield comparison_section(caption, *paths), f"snakemake {paths[0]} {paths[1]} {paths[2]}"
    for path in files("table1"):
        yield datasets_section(path), "snakemake table1"
    for path, picture in zip(files("curves"), files("curve_figures"), strict=True):
        curve = params.curves[path.stem]
        yield curve_section(curve, path, picture), f"snakemake {path}"
    if files("sweeps"):
        points, pictures = named("sweeps"), named("sweep_figures")
        yield sensitivity_section(points, pictures), "snakemake sensitivity"
    if files("maps"):
        drawn = named("map_documents")
        yield maps_section(named("maps"), drawn, named("map_figures")), "snakemake maps"
    for path in files("network"):
        yield network_section(path), f"snakemake {path}"
    here = piece(Path(snakemake.scriptdir), files("corpora"), files("costs"), params.labels)
    yield provenance_section(here, params.labels), ""


with logged(snakemake):
    made = [replace(section, command=command) for section, command in sections()]
    write_page(made, Path(snakemake.output[0]))
