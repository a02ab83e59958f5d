"""Packages imported once: what a test runs is a fork of a process that has them.

`python tests/forks.py SOCKET` serves Snakemake, and never imports `pte`: a fork does, from the
source that its own PYTHONPATH names. `python tests/forks.py SOCKET jobs` serves the scripts of
rules. Each packet is a request with the three standard streams; the answer is an exit code.
"""

import ast
import importlib
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import NoReturn

SNAKEMAKE = ("snakemake.cli", "snakemake.script", "jsonschema", "numpy", "requests", "yaml")
"""What the Snakefile needs of others' packages; `snakemake.cli` comes first."""
SCRIPTS = Path(__file__).parents[1] / "workflow" / "scripts"
CLIENT = Path(__file__).with_name("forked.py")


def modules_of_scripts() -> list[str]:
    """What the scripts of rules import of `pte` and `pte_study`, and every method."""
    import pte.models

    trees = [ast.parse(path.read_text("utf-8")) for path in sorted(SCRIPTS.glob("*.py"))]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    names = [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    methods = [f"pte.models.{each.name}" for each in pkgutil.iter_modules(pte.models.__path__)]
    return [name for name in names if name.startswith("pte")] + methods


def serve(path: str, jobs: bool) -> None:
    if jobs:
        importlib.import_module("pte_study")  # it says how numpy computes, before numpy is there
    for name in SNAKEMAKE:
        importlib.import_module(name)
    own = {name for name in sys.modules if name.partition(".")[0] == "pte"}
    assert not own, f"a fork could not import these from its own source: {sorted(own)}"
    for name in modules_of_scripts() if jobs else ():
        importlib.import_module(name)
    if jobs:  # as in tests/conftest.py
        cnn = sys.modules["pte.models.cnn"]
        cnn.STEPS, cnn.KIM = 20, replace(cnn.KIM, epochs=10, maps=32)
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as door:
        door.bind(path)
        door.listen()
        print("ready", flush=True)
        while sys.stdin not in select.select([door, sys.stdin], [], [])[0]:  # its end is ours
            caller, _ = door.accept()
            if os.fork() == 0:
                answer(caller)
            caller.close()
            with suppress(ChildProcessError):  # what forks took is counted when they are waited for
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass


def answer(caller: socket.socket) -> NoReturn:
    """Do in a fork what is asked, wait for it, and say how it ended."""
    request, streams, _, _ = socket.recv_fds(caller, 1 << 20, 3)
    if child := os.fork():
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        caller.send(str(code).encode())
        os._exit(0)
    caller.close()
    for to, opened in enumerate(streams):
        os.dup2(opened, to)
    os.closerange(3, max(streams) + 1)
    code = 1
    try:
        become(**json.loads(request))
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def become(folder: str, arguments: list[str], env: dict[str, str]) -> None:
    """Be `python ARGUMENTS` in a folder: a script, or `-m MODULE ...`."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(env)
    script, module = arguments[0], arguments[1] if arguments[0] == "-m" else ""
    first = folder if module else str(Path(script).parent)
    sys.path[:] = [first, *env["PYTHONPATH"].split(os.pathsep), *sys.path[1:]]
    sys.argv[1:] = arguments[2 if module else 1 :]
    importlib.invalidate_caches()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if module == "snakemake":
        if "PTE_FORKS" in env:  # where its jobs are forked
            sys.executable = str(CLIENT)
        sys.modules["snakemake.cli"].main(sys.argv[1:])
    elif module:
        sys.modules.pop(module, None)  # else runpy warns that it runs twice
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    else:
        sys.modules["__main__"] = main = ModuleType("__main__")
        main.__file__ = script
        exec(compile(Path(script).read_bytes(), script, "exec"), main.__dict__)


if __name__ == "__main__":
    sys.path[0] = str(Path.cwd())
    serve(sys.argv[1], "jobs" in sys.argv[2:])
