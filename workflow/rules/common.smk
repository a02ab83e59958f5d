# What the rules share: the checked configuration and registries, and what jobs find around them.
import os
import sys
from importlib.util import find_spec
from pathlib import Path

from snakemake.exceptions import WorkflowError

import pte
from pte.config import check, load, typed
from pte.corpora.subsets import Subset
from pte.errors import PteError
from pte.fingerprint import fingerprint
from pte.report.sides import part_of_samples

WORKFLOW = Path(workflow.basedir) / "workflow"

# Models that leave word vectors, models that predict classes themselves, and what of these needs a
# package that is optional.
WITH_VECTORS = ["network_embedding", "random_vectors", "skip_gram"]
CLASSIFIERS = ["cnn", "fasttext", "label_propagation", "majority", "nb_em"]
OPTIONAL_PACKAGES = {"fasttext": "fasttext"}

# What is compiled ahead, each set by itself; the names of `pte.warm_up.KERNELS`, which imports numba.
KERNEL_SETS = [
    *("encoding", "counting", "stored", "streamed", "synchronous", "text"),
    *("convolution", "sensitivity"),
]


def only(entry, keys):
    return {key: entry[key] for key in keys if key in entry}


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


def methods_with(*models):
    return [name for name, method in METHODS.items() if method["model"] in models]


def roles_of(entry):
    """The archives of a corpus: its own, and that of its labels or of more text, if there is one."""
    roles = only(entry, ["archive", "labels"])
    if "unlabelled" in entry:
        roles["unlabelled"] = entry["unlabelled"]["archive"]
    return roles


# What `--config` sets arrives as text; in these keys no text is meant.
NUMBERS = [
    "seeds",
    "sweep_seeds",
    "available_only",
    "window",
    "training",
    "deterministic",
    "network_weights",
    "samples",
    "samples_limit",
    "epochs",
    "choices",
    "settings",
]

try:
    config.update(typed(only(config, NUMBERS)))
    check(config, WORKFLOW / "schemas" / "config.schema.yaml", "config.yaml")
    METHODS = checked_registry("methods")
    REGISTRY = checked_registry("corpora")
    ARCHIVES, CORPORA = REGISTRY["archives"], REGISTRY["corpora"]
    CLAIMS = checked_registry("claims")
    check_names("config.yaml: methods", config["methods"], METHODS)
    for name, method in METHODS.items():
        for role, other in only(method, ["start", "vectors"]).items():
            check_names(
                f"methods.yaml: {name}.{role}", [other], methods_with(*WITH_VECTORS)
            )
    check_names("config.yaml: samples", config["samples"], CORPORA)
    check_names("config.yaml: edges", config["edges"], CORPORA)
    check_names("config.yaml: epochs", config["epochs"], CORPORA)
    for name, epochs in config["epochs"].items():
        check_names(f"config.yaml: epochs.{name}", epochs, METHODS)
    check_names("config.yaml: choices", config["choices"], CORPORA)
    for name, table in config["tables"].items():
        where = f"config.yaml: tables.{name}"
        check_names(f"{where}.corpora", table["corpora"], CORPORA)
        check_names(f"{where}.one_seed", table.get("one_seed", []), METHODS)
    for name, curve in config["curves"].items():
        where = f"config.yaml: curves.{name}"
        check_names(f"{where}.corpora", curve["corpora"], CORPORA)
        check_names(f"{where}.methods", curve["methods"], METHODS)
        for corpus, shares in curve["corpora"].items():
            fixed = {"labelled", "unlabelled"} - {curve["along"]}
            if any(len(shares.get(share, [100])) > 1 for share in fixed):
                raise PteError(
                    f"{where}.corpora.{corpus}: the curve is along {curve['along']}; give one "
                    f"value of {fixed.pop()}"
                )
    pictured = config["network_picture"]["corpus"]
    check_names("config.yaml: network_picture.corpus", [pictured], CORPORA)
    check_names("config.yaml: maps", config["maps"], CORPORA)
    for name, methods in config["maps"].items():
        check_names(f"config.yaml: maps.{name}", methods, methods_with(*WITH_VECTORS))
    for key in ("corpora", "samples", "most_samples"):
        named = config["sensitivity"][key]
        check_names(f"config.yaml: sensitivity.{key}", named, CORPORA)
    looks = config["sensitivity"]["looks"]
    if looks != sorted(looks) or looks[-1] != 1:
        raise PteError(f"config.yaml: sensitivity.looks: {looks} must rise to 1")
    for name, claim in CLAIMS["claims"].items():
        check_names(f"claims.yaml: {name}", [claim["left"], *claim["right"]], METHODS)
        known = CORPORA | CLAIMS["unavailable"]
        bases = [Subset.parse(corpus).base for corpus in claim["corpora"]]
        check_names(f"claims.yaml: {name}.corpora", bases, known)
        part = part_of_samples(claim)
        if part not in [None, *looks]:
            raise PteError(
                f"claims.yaml: {name}.right_with.samples: {part} is not one of "
                "config.yaml: sensitivity.looks"
            )
    for name, entry in CORPORA.items():
        for role, archive in roles_of(entry).items():
            check_names(f"corpora.yaml: corpora.{name}.{role}", [archive], ARCHIVES)
except PteError as error:
    raise WorkflowError(str(error))


def corpora_of(tables):
    return list(dict.fromkeys(c for table in tables for c in TABLES[table]["corpora"]))


# A corpus by itself is a table, too.
TABLES = {
    name: {"corpora": [name], "caption": entry["title"]}
    for name, entry in CORPORA.items()
} | config["tables"]

LABELS = {name: method["label"] for name, method in METHODS.items()}
SHOWN = corpora_of(config["tables"])
PUBLISHED = [name for name in config["tables"] if name != "quickstart"]

# What every job finds in its environment. The package, also where a job has an environment of its
# own. A folder of kernels named after their code: numba's cache does not notice an edit in a module
# that a kernel calls; PTE_KERNELS names another place for such folders. The mirror: not a parameter, because the documents of an archive are checked
# wherever it came from.
PACKAGE = Path(pte.__file__).parents[1]
KERNELS = Path(os.environ.get("PTE_KERNELS") or "resources/numba").resolve()
MIRROR = os.environ.get("PTE_MIRROR") or config["mirror"] or ""
os.environ.update(
    PYTHONPATH=os.pathsep.join(
        filter(None, [str(PACKAGE), os.environ.get("PYTHONPATH")])
    ),
    NUMBA_CACHE_DIR=str(KERNELS / fingerprint("pte.core")),
    PTE_MIRROR=MIRROR,
)
