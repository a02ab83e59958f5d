"""The environment of jobs: the package, plugins, compiled kernels, and the mirror."""

import json
import os
import stat
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pte
from pte.errors import PteError
from pte_study.configuration.yaml_files import or_null

_OWN = "or work in a folder of yours (snakemake -s …/Snakefile -d FOLDER)"


def reads_once(get_source: Callable[..., Any]) -> Callable[..., Any]:
    """Return `snakemake.script.get_source` that reads a script once, not for each job."""
    known: dict[tuple[str, ...], Any] = {}

    def once(path: Any, sourcecache: Any, basedir: Any = None, *of_job: Any, **more: Any) -> Any:
        names = [getattr(each, "path", each) for each in (path, basedir)]
        key = tuple(map(str, names))
        if "{" in key[0] or key not in known:
            known[key] = get_source(path, sourcecache, basedir, *of_job, **more)
        return known[key]

    return once


def prepare(config: Mapping[str, Any]) -> str:
    """Set the environment of jobs, put plugins on the path, and return the mirror's folder.

    PTE_MIRROR comes before config.yaml. Jobs with an environment of their own need PYTHONPATH."""
    if len(sys.executable.split()) > 1:  # Snakemake does not quote it
        raise PteError(
            f"{sys.executable}: Snakemake cannot start Python in a folder whose path has a space; "
            "move the checkout, or its .venv"
        )
    _check_folders()
    folders = _plugins(config.get("plugins"))
    sys.path[:0] = [folder for folder in folders if folder not in sys.path]
    package = str(Path(pte.__file__).parents[1])
    path = [package, *folders, os.environ.get("PYTHONPATH", "")]
    kernels = Path(os.environ.get("PTE_KERNELS") or "resources/numba").resolve()
    os.environ["PTE_NETWORKS"] = json.dumps(_edge_lists(config.get("networks")))
    os.environ["PTE_PLUGINS"] = os.pathsep.join(folders)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, path))
    os.environ["NUMBA_CACHE_DIR"] = str(kernels)
    mirror = os.environ.get("PTE_MIRROR") or str(or_null(config.get("mirror")) or "")
    os.environ["PTE_MIRROR"] = mirror
    return mirror


def _check_folders() -> None:
    """Raise `PteError` for a folder in which this user may not write, or replace others' files."""
    own = Path(".snakemake").absolute()
    if not os.access(own if own.exists() else own.parent, os.W_OK):
        raise PteError(
            f"{own}: Snakemake may not write there; give yourself the permission, {_OWN}"
        )
    for folder in (own, Path("results").absolute(), Path("resources").absolute()):
        state = folder.stat() if folder.exists() else None
        if state and state.st_mode & stat.S_ISVTX and os.geteuid() not in (0, state.st_uid):
            raise PteError(
                f"{folder}: it has the sticky bit, so files of others there cannot be replaced; "
                f"let its owner take the bit away (chmod -R -t), {_OWN}"
            )


def _edge_lists(networks: Any) -> dict[str, str]:
    """Return the edge lists of the user's networks, by name. Nothing has checked `networks` yet."""
    entries = networks.items() if isinstance(networks, Mapping) else ()
    edges = {name: own.get("edges") for name, own in entries if isinstance(own, Mapping)}
    return {str(name): str(Path(str(file)).resolve()) for name, file in edges.items()}


def _plugins(folders: Any) -> list[str]:
    """Return the folders of plugins, which the schema checks later."""
    given = [Path(str(folder)) for folder in folders] if isinstance(folders, list | tuple) else []
    for folder in given:
        if not folder.is_dir():
            raise PteError(f"config.yaml: plugins: {folder}: there is no such folder")
    return [str(folder.resolve()) for folder in given]
