"""The checkout of the project that a command works in: this folder, or one above it."""

from pathlib import Path

import click

from pte.errors import PteError

MARK = Path("workflow", "registry", "corpora.yaml")
OPTION = click.option(
    "--checkout",
    type=click.Path(path_type=Path),
    help="A clone of the project. Else this folder or one above it.",
)


def find_checkout(given: Path | None) -> Path:
    """Return the folder of the checkout.

    Raises `PteError` when there is no checkout, because an installed package has no registry of
    corpora.
    """
    here = Path.cwd()
    for folder in [given] if given else [here, *here.parents]:
        if (folder / MARK).is_file():
            return folder
    raise PteError(f"{given or here}: no clone of the project is here; name one: --checkout …")
