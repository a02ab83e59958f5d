"""Snakemake imported once: each dry run is a fork of this process, which spares its imports.

`python tests/forks.py` reads a request a line and answers each with an exit code. It never imports
`pte`: a fork does, from the source that its own PYTHONPATH names.
"""

import importlib
import json
import os
import signal
import sys
import traceback
from pathlib import Path
from typing import Any, NoReturn

IMPORTED = ("snakemake.cli", "jsonschema", "numpy", "requests", "yaml")
"""What the Snakefile needs of others' packages; `snakemake.cli` comes first."""


def serve() -> None:
    for name in IMPORTED:
        importlib.import_module(name)
    own = {name for name in sys.modules if name.partition(".")[0] == "pte"}
    assert not own, f"a fork could not import these from its own source: {sorted(own)}"
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            answer(json.loads(line))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def answer(request: dict[str, Any]) -> NoReturn:
    """Be `python -m snakemake ARGUMENTS` in a folder; what it says goes to a file."""
    code = 1
    try:
        said = os.open(request["said"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        nothing = os.open(os.devnull, os.O_RDONLY)
        for to, opened in enumerate((nothing, said, said)):
            os.dup2(opened, to)
        os.chdir(request["folder"])
        os.environ.clear()
        os.environ.update(request["env"])
        sys.argv[1:] = request["arguments"]
        first = request["env"]["PYTHONPATH"].split(os.pathsep)
        sys.path[:] = [request["folder"], *first, *sys.path[1:]]
        importlib.invalidate_caches()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        sys.modules["snakemake.cli"].main(request["arguments"])
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    sys.path[0] = str(Path.cwd())
    serve()
