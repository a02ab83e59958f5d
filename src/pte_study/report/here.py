"""The study of the checkout in which a command is called."""

from pathlib import Path

from pte.errors import PteError
from pte_study.configuration.yaml_files import read
from pte_study.plan.environment import prepare
from pte_study.plan.runs import Runs
from pte_study.plan.study import Study

CONFIG, WORKFLOW = Path("config.yaml"), Path("workflow")


def runs_here(published: bool = False) -> Runs:
    """Read config.yaml and the registries.

    The study of `published` runs has the rows of the encoder, even where it is not installed. Thus
    the lines of a figure look the same everywhere. Raises `PteError` outside a checkout.
    """
    if not CONFIG.is_file():
        raise PteError(f"{Path.cwd()}: no config.yaml here; call this in a checkout of the project")
    config = read(CONFIG) | ({"from": "published"} if published else {})
    return Runs(Study.load(config, WORKFLOW, prepare(config)))
