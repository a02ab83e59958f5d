# What the rules share: the checked configuration and registries, and the names of files.
import os
from pathlib import Path

import yaml
from snakemake.exceptions import WorkflowError

from pte.config import check, load
from pte.errors import PteError
from pte.fingerprint import fingerprint

WORKFLOW = Path(workflow.basedir) / "workflow"


def checked_registry(name):
    return load(
        WORKFLOW / "registry" / f"{name}.yaml",
        WORKFLOW / "schemas" / f"{name}.schema.yaml",
    )


def check_names(where, names, known):
    for name in names:
        if name not in known:
            raise PteError(
                f"{where}: {name!r} is not one of {', '.join(sorted(known))}"
            )


try:
    check(config, WORKFLOW / "schemas" / "config.schema.yaml", "config.yaml")
    METHODS = checked_registry("methods")
    REGISTRY = checked_registry("corpora")
    ARCHIVES, CORPORA = REGISTRY["archives"], REGISTRY["corpora"]
    check_names("config.yaml: methods", config["methods"], METHODS)
    check_names("config.yaml: samples", config["samples"], CORPORA)
    for name, table in config["tables"].items():
        check_names(f"config.yaml: tables.{name}.corpora", table["corpora"], CORPORA)
    for name, entry in CORPORA.items():
        check_names(
            f"corpora.yaml: corpora.{name}.archive", [entry["archive"]], ARCHIVES
        )
except PteError as error:
    raise WorkflowError(str(error))

# A corpus by itself is a table, too.
TABLES = {
    name: {"corpora": [name], "caption": entry["title"]}
    for name, entry in CORPORA.items()
} | config["tables"]

# numba's cache does not notice an edit in a module that a kernel calls; the folder's name does.
os.environ["NUMBA_CACHE_DIR"] = str(
    Path("resources", "numba", fingerprint("pte.core")).resolve()
)


def methods_with(model):
    return [name for name in config["methods"] if METHODS[name]["model"] == model]


def seeds_of(method):
    return (
        config["seeds"] if METHODS[method].get("seeded", True) else config["seeds"][:1]
    )


def either(names):
    return "|".join(names) or "none"


wildcard_constraints:
    corpus=either(CORPORA),
    method=either(METHODS),
    network="ww|wd|wl",
    setting=either(config["settings"]),
    table=either(TABLES),
    seed=r"\d+",
