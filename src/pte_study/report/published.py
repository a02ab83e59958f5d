"""What the repository keeps of runs: tables, figures, verdicts, provenance, and two README tables.

A run may make only a part of these. All other parts stay as they were published before.
"""

import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from pte.errors import PteError
from pte.files import atomic_file, read_json, write_json
from pte_study import paths
from pte_study.claims.claim import Claim
from pte_study.claims.verdicts import beside_earlier
from pte_study.render.markdown import markdown_table, write_into, write_markdown
from pte_study.render.plots import is_styled
from pte_study.report.overview import overview
from pte_study.report.provenance import Piece, provenance, with_piece
from pte_study.report.verdicts import (
    Pairs,
    by_metric,
    judged_corpora,
    of_source,
    read_verdicts,
    verdict_counts,
    write_verdicts,
)

CLAIMS = "claims"
"""The name of the verdicts among the parts that can be published."""

Copies = Sequence[tuple[Path, str]]
"""Files, each with the name under which it is published."""


@dataclass(frozen=True)
class Shelf:
    """The folder and the README where the repository keeps published results."""

    folder: Path = Path(paths.PUBLISHED)
    readme: Path = Path(paths.README)


def publish(
    files: Copies,
    judged: Pairs | None,
    here: Piece,
    claims: Mapping[str, Claim],
    labels: Mapping[str, str],
    tables: Iterable[str],
    shelf: Shelf = Shelf(),
) -> None:
    """Copy `files`, and join verdicts and provenance with earlier verdicts and provenance.

    `judged` are verdicts; if it is None, the published verdicts stay. `here` is what was run here.
    `labels` are the names of methods, and `tables` are the names of the comparisons that the README
    shows.
    """
    together = with_piece(_earlier_pieces(shelf), here)
    said, sections = provenance(together, labels)
    merged = None if judged is None else _beside_published(judged, shelf)

    shelf.folder.mkdir(parents=True, exist_ok=True)
    for made, name in files:
        with atomic_file(shelf.folder / name) as temporary:
            shutil.copyfile(made, temporary)
    write_json(shelf.folder / "provenance.json", together)
    write_markdown(sections, shelf.folder / "provenance", said)
    kept = [path for name in tables if (path := shelf.folder / f"{name}.csv").exists()]
    if kept:
        write_into(shelf.readme, "results", overview([pd.read_csv(path) for path in kept]))
    if merged is not None:
        write_verdicts(merged, claims, labels, shelf.folder / CLAIMS)
        counts = verdict_counts(by_metric(of_source(judged_corpora(merged), claims)))
        write_into(shelf.readme, "verdicts", markdown_table(counts))


def chosen(parts: Mapping[str, Copies], names: Sequence[str]) -> list[tuple[Path, str]]:
    """Return the files of the named parts; without names, the files of all parts that are there.

    Raises `PteError` that names every part that is unknown or lacks files. Without names, the error
    names the parts that have some of their files but lack others. A figure that was drawn in a
    style is an error, too.
    """
    unknown = [name for name in names if name not in parts]
    if unknown:
        known = ", ".join([*parts, CLAIMS])
        raise PteError(f"publish: {', '.join(unknown)}: not one of {known}")
    taken = list(names) or [name for name in parts if _missing(parts[name]) != _made(parts[name])]
    lacking = {name: missing for name in taken if (missing := _missing(parts[name]))}
    if lacking:
        said = "; ".join(f"{name} lacks {', '.join(map(str, m))}" for name, m in lacking.items())
        raise PteError(f"publish: {said}. Make these files first, or name the parts to publish")
    files = [file for name in taken for file in parts[name]]
    if styled := [str(made) for made, _ in files if is_styled(made)]:
        raise PteError(f"publish: {', '.join(styled)}: drawn in a style; delete, and draw without")
    return files


def _made(part: Copies) -> list[Path]:
    return [path for path, _ in part]


def _missing(part: Copies) -> list[Path]:
    return [path for path in _made(part) if not path.exists()]


def _earlier_pieces(shelf: Shelf) -> list[Piece]:
    path = shelf.folder / "provenance.json"
    pieces: list[Piece] = read_json(path) if path.exists() else []
    return pieces


def _beside_published(judged: Pairs, shelf: Shelf) -> dict[str, pd.DataFrame]:
    path = shelf.folder / f"{CLAIMS}.csv"
    earlier = read_verdicts(path) if path.exists() else {}
    return {name: beside_earlier(pairs, earlier.get(name, pairs)) for name, pairs in judged.items()}
