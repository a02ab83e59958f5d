"""How exhibits are drawn outside of the workflow, to the byte as the workflow draws them."""

from pathlib import Path
from typing import Any

from pte_study.plan.runs import Runs
from pte_study.plan.targets import published_exhibits
from pte_study.report.showing import show


def draw(runs: Runs, part: str, folder: Path) -> None:
    """Draw a part of `published_exhibits` below `folder`, in the published style.

    Raises `PteError` when there is no run of the part.
    """
    for exhibit, name in published_exhibits(runs)[part]:
        files: dict[str, Any] = {**exhibit.registry, **exhibit.sources(runs, name)}
        for role in {"comparison", "curve"} & files.keys():
            files[role] = folder / files[role]
        outputs = [folder / file for file in exhibit.files(name).values()]
        show(exhibit.module, files, exhibit.told(runs, name) | {"style": {}}, outputs)
