"""The command that says where a model comes from."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from pte.command.flags import PATH, common
from pte.command.shown import plain, say, show_json
from pte.errors import PteError, no_file


@click.command()
@click.argument("file", type=PATH, metavar="MODEL")
@common
def provenance(file: Path, as_json: bool) -> None:
    """Print what is known of a MODEL of `pte fit`: code, versions, seeds, machine, corpus.

    \b
    Example:
      pte provenance model.npz
    """
    from pte.files import sha256_of

    if not file.is_file():
        raise no_file(file, "`pte fit`")
    from pte.classify.model_file import facts_of

    known = facts_of(file)
    if known is None:
        raise PteError(f"{file}: not a model of `pte fit`, so nothing is known of it")
    facts = {"file": str(file), "sha256": sha256_of(file), "kind": "model", **known}
    if as_json:
        show_json(facts)
    else:
        _print(facts)


def _print(facts: Mapping[str, Any], indent: str = "") -> None:
    """Print nested facts, one on each line."""
    for name, value in facts.items():
        if isinstance(value, Mapping):
            say(f"{indent}{name}:")
            _print(value, indent + "  ")
        elif isinstance(value, list) and value and isinstance(value[0], Mapping):
            for number, each in enumerate(value, start=1):
                say(f"{indent}{name} {number} of {len(value)}:")
                _print(each, indent + "  ")
        else:
            empty = "all that the process may use" if name == "threads" else "none"
            shown = empty if value is None or value == [] else plain(value)
            say(f"{indent}{name}: {shown}")
