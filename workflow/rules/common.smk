# What the rules share: the checked configuration and registries, and what jobs find around them.
import os
import sys
from importlib.util import find_spec
from pathlib import Path

from snakemake.exceptions import WorkflowError

import pte
from pte.config import typed
from pte.corpora.subsets import Subset
from pte.errors import PteError
from pte.fingerprint import fingerprint
from pte.report.sides import part_of_samples
from pte.study.checks import WITH_VECTORS, checked, roles_of

WORKFLOW = Path(workflow.basedir) / "workflow"

# Models that predict classes themselves, and what of these needs a package that is optional.
CLASSIFIERS = ["cnn", "fasttext", "label_propagation", "majority", "nb_em"]
OPTIONAL_PACKAGES = {"fasttext": "fasttext"}


def only(entry, keys):
    return {key: entry[key] for key in keys if key in entry}


try:
    REGISTRIES = checked(config, WORKFLOW)
except PteError as error:
    raise WorkflowError(str(error))
METHODS, CLAIMS = REGISTRIES.methods, REGISTRIES.claims
ARCHIVES, CORPORA = REGISTRIES.archives, REGISTRIES.corpora
methods_with = REGISTRIES.methods_with


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
# that a kernel calls; PTE_KERNELS names another place for such folders. The mirror: not a parameter,
# because the documents of an archive are checked wherever it came from.
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
