"""Machine code on disk: never that of other sources, and never in the way of the work."""

import gc
import os
import pickle
import resource
import shutil
import subprocess
import sys
import time
import warnings
from pathlib import Path
from types import ModuleType

import pytest

from pte.core import jit

SOURCE = Path(jit.__file__).parents[1]
DAY = 24 * 3600
KINDS = ("nbi", "nbc")
MODULE = f"{jit.__package__}.doubling"
CALL = """
import sys
import numpy as np
from pte.core.doubling import double

types = sys.argv[1:]
assert [double(np.dtype(name).type(3)) for name in types] == [6] * len(types)
print(sum(double.stats.cache_hits.values()))
"""
TYPES = ["int32", "float64"] * 2
DOUBLING = """
from pte.core.jit import kernel

@kernel
def double(x):
    return x + x
"""
PAIRS = """
import numpy as np
from pte.core.draws import draw_windows
pairs = np.zeros((99, 2), np.int32)
tokens, offsets = np.arange(9, dtype=np.int32), np.array([0, 9])
draw_windows(tokens, offsets, 5, np.zeros(2, int), np.uint64(1), pairs)
print(pairs.tolist())
"""


def double():
    """A kernel as a new process has it: nothing of it is compiled yet."""

    def double(x):
        return x + x

    double.__module__ = MODULE
    return jit.kernel(double)


def hits(kernel):
    """How many signatures of a kernel came from the disk, after a call that must be right."""
    assert kernel(3) == 6
    return sum(kernel.stats.cache_hits.values())


@pytest.fixture
def base(tmp_path, monkeypatch):
    """The folder in which machine code is kept; a warning of it is an error."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setitem(sys.modules, MODULE, ModuleType(MODULE))  # machine code names its module
    jit._use.cache_clear()
    jit._say_once.cache_clear()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield tmp_path / "cache"


def kept(kind):
    """The only file of machine code, or the only index that names it."""
    (found,) = jit.folder().glob(f"*.{kind}")
    return found


def test_what_is_compiled_once_is_kept(base):
    assert hits(double()) == 0
    before = [kept(kind).stat().st_mtime_ns for kind in KINDS]
    gc.collect()  # also when nothing of the first is left in memory
    assert hits(double()) == 1
    assert [kept(kind).stat().st_mtime_ns for kind in KINDS] == before


def cut(path):
    path.write_bytes(path.read_bytes()[:-1])


def flip(path):
    content = bytearray(path.read_bytes())
    content[-9] ^= 1
    path.write_bytes(content)


DAMAGES = [
    lambda path: path.write_bytes(b""),
    lambda path: path.write_bytes(pickle.dumps(("0.60", {}))),
    cut,
    flip,
    Path.unlink,
    lambda path: shutil.rmtree(path.parent),
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_damaged_is_compiled_again(base, damage, kind):
    hits(double())
    damage(kept(kind))
    assert hits(double()) == 0
    assert hits(double()) == 1


def folder_for_file(base):
    hits(double())
    file = kept("nbi")
    file.unlink()
    file.mkdir()


def file_for_folder(base):
    base.write_bytes(b"")


def file_for_own_folder(base):
    base.mkdir()
    jit.folder().write_bytes(b"")


@pytest.mark.parametrize("spoil", [folder_for_file, file_for_folder, file_for_own_folder])
def test_a_folder_that_cannot_be_used_costs_one_warning(base, spoil):
    spoil(base)
    with pytest.warns(RuntimeWarning, match="cannot be kept .* NUMBA_CACHE_DIR") as told:
        assert [hits(double()) for _ in range(3)] == [0, 0, 0]
    assert len(told) == 1


def test_a_full_disk_costs_one_warning_and_leaves_no_file(base):
    own, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, most))
    try:
        with pytest.warns(RuntimeWarning, match="File too large"):
            assert hits(double()) == 0
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (own, most))
    assert list(jit.folder().iterdir()) == []


def test_what_cannot_be_changed_can_still_be_read(base, monkeypatch):
    def refuse(*_, **__):
        raise OSError(30, "Read-only file system")

    hits(double())
    for name in ("mkdir", "write_bytes", "replace", "unlink"):
        monkeypatch.setattr(Path, name, refuse)
    monkeypatch.setattr(os, "utime", refuse)
    assert hits(double()) == 1
    with pytest.warns(RuntimeWarning, match="Read-only file system"):
        assert double()(3.0) == 6.0


def test_the_folder_of_a_user(monkeypatch):
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    monkeypatch.setenv("HOME", "/a/home")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert jit.folder() == Path("/a/home/.cache/pte", f"pte-kernels-{jit.CODE}")
    monkeypatch.setenv("XDG_CACHE_HOME", "/a/cache")
    assert jit.folder().parent == Path("/a/cache/pte")
    monkeypatch.setenv("NUMBA_CACHE_DIR", "/other")
    assert jit.folder().parent == Path("/other")


def test_a_user_without_a_home_gets_one_warning(base, monkeypatch):
    for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os, "getuid", lambda: 2**31 - 5)  # whom /etc/passwd does not list
    with pytest.warns(RuntimeWarning, match="home directory"):
        assert hits(double()) == 0


def test_what_nobody_used_for_a_month_is_removed(base):
    hits(double())
    ages = {"pte-kernels-" + "0" * 16: 31, "pte-kernels-" + "1" * 16: 29, "core_1f": 99}
    for name, days in ages.items():
        (base / name).mkdir()
        (base / name / "kept.nbc").write_bytes(b"")
        os.utime(base / name, (time.time() - days * DAY,) * 2)
    os.utime(jit.folder(), (0, 0))
    jit._use.cache_clear()
    hits(double())
    assert {path.name for path in base.iterdir()} == {*list(ages)[1:], jit.folder().name}
    assert time.time() - jit.folder().stat().st_mtime < DAY


def test_a_setting_of_numba_has_machine_code_of_its_own(base, monkeypatch):
    hits(double())
    monkeypatch.setattr(jit.numba.config, "BOUNDSCHECK", 1)
    assert hits(double()) == 0
    assert hits(double()) == 1


def test_sources_that_changed_since_their_import_are_not_compiled_for_others(base, monkeypatch):
    monkeypatch.setattr(jit, "_code", lambda: "0" * 16)
    assert [hits(double()) for _ in range(2)] == [0, 0]


def test_a_function_from_elsewhere_is_compiled_in_each_process(base):
    def triple(x):
        return 3 * x

    assert jit.kernel(triple)(2) == 6
    assert not base.exists()


@pytest.fixture
def start(tmp_path):
    """Start a process of a copy of the package; its home is empty at first."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(SOURCE, tmp_path / "source" / "pte", ignore=ignored)
    (tmp_path / "source" / "pte" / "core" / "doubling.py").write_text(DOUBLING, "utf-8")
    own = {"PYTHONPATH": str(tmp_path / "source"), "HOME": str(tmp_path / "home")}
    own["PYTHONDONTWRITEBYTECODE"] = "1"  # bytecode does not notice an edit in the same second
    unset = ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME")
    env = {name: value for name, value in os.environ.items() if name not in unset} | own

    def call(code, *given):
        command = [sys.executable, "-c", code, *given]
        return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)

    return call


def said(process):
    printed, _ = process.communicate()
    assert process.returncode == 0
    return printed


@pytest.mark.long
def test_an_edit_of_a_helper_is_noticed(start, tmp_path):
    """Also in a kernel of another module that calls it."""
    before = said(start(PAIRS))
    helper = tmp_path / "source" / "pte" / "core" / "rng.py"
    helper.write_text(helper.read_text("utf-8").replace("0x94D049BB133111EB", "0x94D049BB133111ED"))
    after = said(start(PAIRS))
    shutil.rmtree(tmp_path / "home")
    assert before != after == said(start(PAIRS))


@pytest.mark.long
def test_no_signature_is_lost_when_many_processes_compile_at_once(start):
    at_once = [start(CALL, name) for name in TYPES]
    assert {int(said(process)) for process in at_once} <= {0, 1}
    assert int(said(start(CALL, *set(TYPES)))) == 2


@pytest.mark.long
def test_processes_whose_folder_is_removed_again_and_again_do_their_work(start, tmp_path):
    at_once = [start(CALL, *set(TYPES)) for _ in range(2)]
    while any(process.poll() is None for process in at_once):
        shutil.rmtree(tmp_path / "home", ignore_errors=True)
        time.sleep(0.002)
    assert all(int(said(process)) <= 2 for process in at_once)
