"""The command that says where a file comes from."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pte.command.flags import common
from pte.command.model_files import model_facts
from pte.command.shown import plain, say, show_json
from pte.errors import PteError

if TYPE_CHECKING:
    from pte.study.stored_runs import StoredRun


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@common
def provenance(file: Path, as_json: bool) -> None:
    """Print what is known of FILE: code, versions, seeds, machine, corpus.

    FILE is a model, a published table, figure or file of runs, or a result of the workflow.

    \b
    Examples:
      pte provenance model.npz
      pte provenance results/published/long.md
    """
    from pte.files import sha256_of

    if not file.is_file():
        raise PteError(f"{file}: no such file")
    found = _known(file)
    if found is None:
        raise PteError(
            f"{file}: nothing is known of it; this knows models of `pte fit`, and results of the "
            "workflow where it made them"
        )
    facts = {"file": str(file), "sha256": sha256_of(file), **found}
    if as_json:
        show_json(facts)
    else:
        _print(facts)


def _known(file: Path) -> dict[str, Any] | None:
    if file.suffix == ".npz":
        facts = model_facts(file)
        return {"kind": "model", **facts} if facts else _of_runs(file)
    from pte.files import read_json

    pieces = file.parent / "provenance.json"
    if pieces.is_file():
        made = [
            {"code": piece["code"], "corpora": [text["corpus"] for text in piece["texts"]]}
            for piece in read_json(pieces)
        ]
        return {"kind": "published, from pieces", "pieces": made}
    return _of_result(file)


def _of_runs(file: Path) -> dict[str, Any]:
    """Return the facts of a file of published runs; count runs with the same facts together."""
    from pte.study.stored_runs import read_store

    store = read_store(file)
    seeds = Counter(run.name.rpartition("/")[2] for run in store.runs)
    made = _distinct(store.runs)
    return {"kind": "published runs", "corpus": store.corpus, "runs": dict(seeds), "made": made}


def _distinct(runs: "Sequence[StoredRun]") -> list[dict[str, Any]]:
    alike: dict[str, dict[str, Any]] = {}
    for run in runs:
        facts = {key: run.made[key] for key in ("code", "machine") if key in run.made}
        alike.setdefault(plain(facts), {**facts, "runs": 0})["runs"] += 1
    return list(alike.values())


def _of_result(file: Path) -> dict[str, Any] | None:
    """Return what the workflow noted beside a result: the run, its cost, and its corpus."""
    from pte.files import read_json
    from pte.machine import code_and_machine
    from pte.study import paths

    root = next((each for each in file.absolute().parents if each.name == "results"), None)
    if root is None:
        return None
    checkout = root.parent
    stem = file.absolute().relative_to(checkout).with_suffix("").as_posix()
    found: dict[str, Any] = {}
    notes = {"run": checkout / f"{stem}.json", "cost": checkout / paths.cost(stem)}
    for name, path in notes.items():
        if path.is_file():
            found[name] = _short(read_json(path))
    corpus = found.get("run", {}).get("corpus")
    record = checkout / paths.corpus(str(corpus)) / "corpus.json"
    if record.is_file():
        found["corpus"] = read_json(record)
    if not found:
        return None
    return {"kind": "result", **found, "checkout now": code_and_machine(checkout)}


def _short(record: Any) -> Any:
    """Return a record without its lists, which are long, such as confusions."""
    if not isinstance(record, Mapping):
        return {}
    return {key: value for key, value in record.items() if not isinstance(value, list)}


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
