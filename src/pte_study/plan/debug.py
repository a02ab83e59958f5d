"""Run the script of a rule in this process, or look at what it is given.

    python -m pte_study.plan.debug represent corpus=r8 method=pte_joint protocol=paper seed=1

prints the inputs, outputs and parameters. `--config network_weights=auto` sets keys of config.yaml.
With `--run` it runs the script in this process, so that a debugger stops in the script: `python -m
pdb -m pte_study.plan.debug --run represent …`. With both, the job writes below a temporary folder,
because Snakemake would take its files for those of config.yaml. In Python, `job("represent",
corpus="r8", method="pte_joint", protocol="paper", seed=1)` is the `snakemake` object of the script.

This is the only module of the package that imports Snakemake.
"""

import argparse
import re
import runpy
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from pte.errors import PteError

SNAKEFILE = Path("Snakefile")
CONFIG_HELP = "set keys of config.yaml"


def job(rule: str, config: Mapping[str, Any] | None = None, **wildcards: Any) -> Any:
    """Return the `snakemake` object that the script of a rule sees.

    Call this in the folder of the Snakefile. `config` sets keys of config.yaml. Raises `PteError`
    if there is no Snakefile, if the rule does not exist or has no script, or if the wildcards are
    not those of the rule.
    """
    given = {name: str(value) for name, value in wildcards.items()}
    return _built(rule, given, dict(config or {}))[0]


def _built(name: str, wildcards: dict[str, str], settings: dict[str, Any]) -> tuple[Any, Path]:
    """Return the `snakemake` object of a rule, and the path of the rule's script."""
    import snakemake.api  # noqa: F401  it must be the first of Snakemake's modules
    from snakemake.dag import DAG
    from snakemake.jobs import Job
    from snakemake.script import Snakemake

    if not SNAKEFILE.is_file():
        raise PteError(f"{Path.cwd()}: no Snakefile here; run this in the checkout")
    workflow = _workflow(settings)
    known = {rule.name: rule for rule in workflow.rules}
    if name not in known:
        raise PteError(f"{name}: there is no such rule; known are {', '.join(sorted(known))}")
    rule = known[name]
    if rule.wildcard_names != wildcards.keys():
        asked = " ".join(f"{wildcard}=…" for wildcard in sorted(rule.wildcard_names))
        raise PteError(f"{name}: give its wildcards: {asked or 'it has none'}")
    if not rule.script:
        raise PteError(f"{name}: this rule has no script; ask for one that makes a file")
    for wildcard, value in wildcards.items():
        pattern = rule.wildcard_constraints.get(wildcard, ".+")
        if not re.fullmatch(pattern, value):
            raise PteError(f"{name}: {wildcard}={value} is not possible; it must match {pattern}")
    made = Job(rule, DAG(workflow, rules=[rule]), wildcards)
    values = made.input, made.output, made.params, made.wildcards, made.threads
    folder = Path("workflow", "scripts").resolve()
    config = workflow.globals["config"]
    return (
        Snakemake(*values, made.resources, made.log, config, name, None, scriptdir=folder),
        folder / Path(rule.script).name,
    )


def _workflow(settings: dict[str, Any]) -> Any:
    """Return Snakemake's workflow of the Snakefile in this folder.

    `settings` are keys of config.yaml. Raises `PteError` where the configuration or a registry has
    a fault.
    """
    from snakemake.exceptions import WorkflowError
    from snakemake.logging import LoggerManager, logger
    from snakemake.settings import types
    from snakemake.workflow import Workflow

    workflow = Workflow(
        types.ConfigSettings(config=settings),
        types.ResourceSettings(cores=1),
        types.WorkflowSettings(),
        LoggerManager(logger, types.OutputSettings()),
        types.StorageSettings(),
        types.DAGSettings(),
        storage_provider_settings={},
    )
    try:
        workflow.include(SNAKEFILE.resolve(), overwrite_default_target=True)
    except WorkflowError as error:
        raise PteError(str(error)) from error
    return workflow


def _pairs(texts: list[str]) -> dict[str, str]:
    """Return the values of texts NAME=VALUE by name. Raises `PteError` for a text without "="."""
    for text in texts:
        if "=" not in text:
            raise PteError(f"{text}: write NAME=VALUE")
    return dict(text.split("=", 1) for text in texts)


def _write_elsewhere(snakemake: Any) -> None:
    """Let a job write its outputs and its log below a new temporary folder."""
    folder = Path(tempfile.mkdtemp(prefix="pte-"))
    for kind in ("output", "log"):
        files = getattr(snakemake, kind)
        moved = type(files)(toclone=files, custom_map=lambda file: str(folder / file))
        setattr(snakemake, kind, moved)


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(
        prog="python -m pte_study.plan.debug", description=str(__doc__).partition("\n")[0]
    )
    parser.add_argument("rule")
    parser.add_argument("wildcards", nargs="*", metavar="NAME=VALUE")
    parser.add_argument("--run", action="store_true", help="run the script in this process")
    parser.add_argument("--config", nargs="+", default=[], metavar="KEY=VALUE", help=CONFIG_HELP)
    asked = parser.parse_args()
    try:
        settings = {key: yaml.safe_load(value) for key, value in _pairs(asked.config).items()}
        snakemake, script = _built(asked.rule, _pairs(asked.wildcards), settings)
    except PteError as error:
        sys.exit(f"error: {error}")
    if not asked.run:
        for part in ("input", "output", "params"):
            print(f"{part}:")
            files = getattr(snakemake, part)
            named = dict(files.items())
            for name, value in named.items():
                print(f"    {name}: {value}")
            if not named:
                print(*(f"    {file}" for file in files), sep="\n")
        return
    if asked.config:
        _write_elsewhere(snakemake)
    for path in [*snakemake.output, *snakemake.log]:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    sys.path.insert(0, str(script.parent))
    try:
        runpy.run_path(str(script), init_globals={"snakemake": snakemake}, run_name="__main__")
    finally:
        if (log := Path(snakemake.log[0])).exists():
            print(log.read_text("utf-8"), end="")
    print("wrote", *snakemake.output, sep="\n    ")


if __name__ == "__main__":
    main()
