"""The study of the checkout that a command is called in."""

from pathlib import Path

from pte.errors import PteError
from pte.study import paths
from pte.study.environment import prepare
from pte.study.runs import Runs
from pte.study.study import Study
from pte.study.yaml_files import read

CONFIG, WORKFLOW = Path("config.yaml"), Path("workflow")
PAPER, THIRD_PARTY = Path(paths.PAPER_SCORES), Path(paths.OTHERS_SCORES)
"""Scores that the paper and others report."""


def runs_here() -> Runs:
    """Read config.yaml and the registries. Raises `PteError` outside a checkout."""
    if not CONFIG.is_file():
        raise PteError(f"{Path.cwd()}: no config.yaml here; call this in a checkout of the project")
    config = read(CONFIG)
    return Runs(Study.load(config, WORKFLOW, prepare(config)))


def existing(files: list[str]) -> list[Path]:
    """Return the files that are there."""
    return [path for path in map(Path, files) if path.exists()]
