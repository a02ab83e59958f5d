from collections.abc import Iterator
from pathlib import Path

from job import logged

from pte.report.html import Section
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


def named(kind: str) -> dict[str, Path]:
    """The files of a kind, by their names."""
    return {Path(path).stem: Path(path) for path in snakemake.input.get(kind, [])}


def pictures(folder: str, names: dict[str, Path]) -> dict[str, Path]:
    return {name: Path("results", "figures", folder, f"{name}.svg") for name in names}


def sections() -> Iterator[Section]:
    params = snakemake.params
    for path in named("claims").values():
        yield claims_section(path, params.claims, params.labels)
    shown = [Path(path) for path in snakemake.input.pictures]
    for name, table in named("tables").items():
        of_table = [path for path in shown if path.stem == name]
        yield comparison_section(name, params.captions[name], table, of_table)
    for table in named("table1").values():
        yield datasets_section(table)
    curves = named("curves")
    for name, picture in pictures("curves", curves).items():
        yield curve_section(name, params.curves[name], curves[name], picture)
    if sensitivity := named("sensitivity"):
        yield sensitivity_section(sensitivity, pictures("sensitivity", sensitivity))
    if maps := named("maps"):
        drawn = {name: path.with_suffix(".json") for name, path in maps.items()}
        yield maps_section(maps, drawn, pictures("maps", maps))
    for picture in named("network").values():
        yield network_section(picture)
    corpora = sorted(Path("resources", "corpora").glob("*/corpus.json"))
    benchmarks = [
        path
        for kind in ("vectors", "predictions")
        for path in Path("results", "benchmarks", kind).glob("*/*/seed*.tsv")
    ]
    yield provenance_section(
        Path(snakemake.scriptdir),
        [path.parent for path in corpora],
        sorted(benchmarks),
        params.labels,
    )


with logged(snakemake):
    write_page(sections(), Path(snakemake.output[0]))
