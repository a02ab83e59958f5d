"""Run the script of a rule in this process, or look at what it is given.

    python -m pte.study.debug represent corpus=r8 method=pte_joint seed=1

prints the inputs, outputs and parameters. With `--run` it runs the script here, so that a debugger
stops in it: `python -m pdb -m pte.study.debug --run represent …`. In Python,
`job("represent", corpus="r8", method="pte_joint", seed=1)` is the `snakemake` object of the script.

This is the only module of the package that knows Snakemake.
"""

import argparse
import re
import runpy
import sys
from pathlib import Path
from typing import Any

from pte.errors import PteError

SNAKEFILE = Path("Snakefile")


def job(rule: str, **wildcards: Any) -> Any:
    """The `snakemake` object that the script of a rule sees; run it where the Snakefile is.

    Raises `PteError` for a rule that is not there, or wildcards that are not those of the rule.
    """
    return _built(rule, {name: str(value) for name, value in wildcards.items()})[0]


def _built(name: str, wildcards: dict[str, str]) -> tuple[Any, Path]:
    """The object, and the script."""
    import snakemake.api  # noqa: F401  it must be the first of Snakemake's modules
    from snakemake.dag import DAG
    from snakemake.jobs import Job
    from snakemake.script import Snakemake

    if not SNAKEFILE.is_file():
        raise PteError(f"{Path.cwd()}: no Snakefile here; run this in the checkout")
    workflow = _workflow()
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


def _workflow() -> Any:
    """Snakemake's workflow of the Snakefile here."""
    from snakemake.logging import LoggerManager, logger
    from snakemake.settings import types
    from snakemake.workflow import Workflow

    workflow = Workflow(
        types.ConfigSettings(),
        types.ResourceSettings(cores=1),
        types.WorkflowSettings(),
        LoggerManager(logger, types.OutputSettings()),
        types.StorageSettings(),
        types.DAGSettings(),
        storage_provider_settings={},
    )
    workflow.include(SNAKEFILE.resolve(), overwrite_default_target=True)
    return workflow


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m pte.study.debug", description=str(__doc__).partition("\n")[0]
    )
    parser.add_argument("rule")
    parser.add_argument("wildcards", nargs="*", metavar="NAME=VALUE")
    parser.add_argument("--run", action="store_true", help="run the script in this process")
    asked = parser.parse_args()
    wildcards = dict(text.split("=", 1) for text in asked.wildcards if "=" in text)
    try:
        snakemake, script = _built(asked.rule, wildcards)
    except PteError as error:
        sys.exit(f"error: {error}")
    if not asked.run:
        for part in ("input", "output", "params"):
            print(f"{part}:")
            for name, value in getattr(snakemake, part).items():
                print(f"    {name}: {value}")
        return
    for path in [*snakemake.output, *snakemake.log]:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    sys.path.insert(0, str(script.parent))
    try:
        runpy.run_path(str(script), init_globals={"snakemake": snakemake}, run_name="__main__")
    finally:
        print(Path(snakemake.log[0]).read_text("utf-8"), end="")
    print("wrote", *snakemake.output, sep="\n    ")


if __name__ == "__main__":
    main()
