"""Published runs beside the same runs made here: which agree, and how much the others differ."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from pte.files import sha256_of
from pte.machine import blas, processor
from pte_study.render.tables import NONE as NO_SCORE
from pte_study.render.tables import write_tables
from pte_study.store.stored_runs import Store, StoredRun

SAME, DIFFERENT, NONE, UNKNOWN = "same", "different", "none", "unknown"
RUN = ["corpus", "method", "protocol", "seed"]  # what tells runs apart
FACTS = {"processor": processor, "BLAS": blas}  # what the bits of a run may depend on, besides code


def verify(published: Sequence[Store], here: Sequence[Store]) -> pd.DataFrame:
    """Return a row for each published run, beside the same run made here."""
    ours = {run.name: run for store in here for run in store.runs}
    rows = [_row(run, ours[run.name]) for store in published for run in store.runs]
    return pd.DataFrame(rows).sort_values(RUN, ignore_index=True)


def _row(run: StoredRun, ours: StoredRun) -> dict[str, Any]:
    vectors, fit = run.made.get("vectors"), Path(f"{run.made.get('fit')}.npy")
    row = {name: run.kept[name] for name in RUN} | {"vectors": NONE}
    if vectors is not None and fit.exists():
        row["vectors"] = SAME if sha256_of(fit) == vectors else DIFFERENT
    for name, here in FACTS.items():
        then = run.made["machine"].get(name)
        row[name] = UNKNOWN if then is None else SAME if then == here() else DIFFERENT
    row |= {"published": run.kept.get("micro_f1"), "micro_f1": ours.kept.get("micro_f1")}
    same = ours.hits.shape == run.hits.shape
    differ = int((ours.hits != run.hits).sum()) if same else run.hits.shape[1]
    return row | {"hits": differ, "agrees": differ == 0 and row["vectors"] != DIFFERENT}


def write_verified(found: pd.DataFrame, stem: Path) -> str:
    """Write `stem`.csv, .md and .tex; return a sentence on how many runs agree."""
    said = f"{int(found['agrees'].sum())} of {len(found)} published runs are the same here"
    scores = {
        name: [NO_SCORE if pd.isna(score) else f"{score:.2f}" for score in found[name]]
        for name in ("published", "micro_f1")
    }
    agrees = found["agrees"].map({True: "yes", False: "no"})
    write_tables(found, {"": found.map(str).assign(**scores, agrees=agrees)}, stem, said)
    return said
