"""Published runs beside the same runs made here: which agree, and how much the others differ."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from pte.files import sha256_of
from pte.machine import blas, processor
from pte_study.render.cells import NONE as NO_SCORE
from pte_study.render.latex import write_tables
from pte_study.store.stored_runs import Store, StoredRun

SAME, DIFFERENT, NONE, UNKNOWN = "same", "different", "none", "unknown"

RUN = ["corpus", "method", "protocol", "seed"]
"""What tells runs apart, in the order of the rows."""
FACTS = {"processor": processor, "BLAS": blas}
"""The facts of a machine that the bits of a run may depend on, besides the code."""


def verify(published: Sequence[Store], here: Sequence[Store]) -> pd.DataFrame:
    """Return a row for each published run, beside the same run made here.

    `vectors` says whether the files of vectors have the same bytes; it is "none" if there are no
    two files to compare. `hits` counts the test documents on which one run is right and the other
    is wrong. `micro_f1` is the score of the run here, and `published` is the score of the published
    run. `processor` and `BLAS` say whether the published run had the same processor and the same
    BLAS.
    """
    ours = {run.name: run for store in here for run in store.runs}
    rows = [_row(run, ours[run.name]) for store in published for run in store.runs]
    return pd.DataFrame(rows).sort_values(RUN, ignore_index=True)


def _row(run: StoredRun, ours: StoredRun) -> dict[str, Any]:
    row = {name: run.kept[name] for name in RUN} | {"vectors": _vectors(run)}
    row |= {name: _fact(run, name, here()) for name, here in FACTS.items()}
    row |= {"published": run.kept.get("micro_f1"), "micro_f1": ours.kept.get("micro_f1")}
    same = ours.hits.shape == run.hits.shape
    differ = int((ours.hits != run.hits).sum()) if same else run.hits.shape[1]
    return row | {"hits": differ, "agrees": differ == 0 and row["vectors"] != DIFFERENT}


def _fact(run: StoredRun, name: str, here: str) -> str:
    """Say whether a fact of a published run's machine is the same on this machine."""
    published = run.made["machine"].get(name)
    if published is None:
        return UNKNOWN
    return SAME if published == here else DIFFERENT


def _vectors(run: StoredRun) -> str:
    expected, fit = run.made.get("vectors"), Path(f"{run.made.get('fit')}.npy")
    if expected is None or not fit.exists():
        return NONE
    return SAME if sha256_of(fit) == expected else DIFFERENT


def _two_decimals(score: float | None) -> str:
    return NO_SCORE if pd.isna(score) else f"{score:.2f}"


def write_verified(found: pd.DataFrame, stem: Path) -> str:
    """Write `stem`.csv, .md and .tex; return a sentence on how many runs agree."""
    said = f"{int(found['agrees'].sum())} of {len(found)} published runs are the same here"
    cells = found.map(str).assign(
        published=found["published"].map(_two_decimals),
        micro_f1=found["micro_f1"].map(_two_decimals),
        agrees=found["agrees"].map({True: "yes", False: "no"}),
    )
    write_tables(found, {"": cells}, stem, said)
    return said
