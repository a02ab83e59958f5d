"""Two users who share a checkout. Root alone can act as either, so `make test-slurm` runs this."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from faults.chain import kept
from workflow.conftest import Checkout, write_checkout

GROUP, ANNA, BERT = 50_001, 50_011, 50_012
SCORES = "results/scores/tiny/pte_wl/paper/seed1.json"
READABLE = "other users cannot start this Python: put it, and the checkout, where all may read them"


def run(made: Checkout, user: int, *args: str, umask: int = 0o002) -> tuple[int, str]:
    """Snakemake as a user: its exit code, and what it said."""
    home = made.folder.parent / f"home-{user}"
    ran = subprocess.run(
        [sys.executable, *args],
        cwd=made.folder,
        env=made.environment({"HOME": str(home), "LOGNAME": f"user{user}"}),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        user=user,
        group=GROUP,
        extra_groups=[],
        umask=umask,
    )
    return ran.returncode, ran.stdout


def snakemake(made: Checkout, user: int, *args: str, umask: int = 0o002) -> tuple[int, str]:
    return run(made, user, "-m", "snakemake", "--cores", "1", SCORES, *args, umask=umask)


def owners(folder: Path) -> set[int]:
    tops = (folder / "resources", folder / "results")
    return {path.stat().st_uid for top in tops for path in top.rglob("*")}


@pytest.fixture
def shared() -> Iterator[Checkout]:
    """A checkout of a group, where new files belong to this group; others may read it."""
    with tempfile.TemporaryDirectory() as base:
        folder = Path(base) / "checkout"
        write_checkout(Path(base))
        for user in (ANNA, BERT):
            (Path(base) / f"home-{user}").mkdir()
            os.chown(Path(base) / f"home-{user}", user, GROUP)
        for path in (folder, *folder.rglob("*")):
            os.chown(path, ANNA, GROUP)
            path.chmod(0o2775 if path.is_dir() else 0o664)
        Path(base).chmod(0o755)
        made = Checkout(folder, Path(base) / "mirror")
        for user in (ANNA, BERT):
            assert run(made, user, "-c", "import snakemake, pte")[0] == 0, READABLE
        yield made


def test_two_users_with_umask_002_go_on_where_the_other_stopped(shared):
    code, said = snakemake(shared, ANNA)
    assert code == 0, said
    whole = kept(shared.folder)
    code, said = snakemake(shared, BERT, "--forcerun", "network", "score")
    assert code == 0, said
    assert owners(shared.folder) == {ANNA, BERT}
    assert kept(shared.folder) == whole
    code, said = snakemake(shared, ANNA, "--forceall")
    assert code == 0, said
    assert kept(shared.folder) == whole


def closed_to_all_but_the_owner(folder: Path) -> None:
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o2755 if path.is_dir() else 0o644)


def test_files_that_another_user_may_not_replace_are_named_and_stay(shared):
    code, said = snakemake(shared, ANNA)
    assert code == 0, said
    whole = kept(shared.folder)
    closed_to_all_but_the_owner(shared.folder)
    code, said = snakemake(shared, BERT, "--forcerun", "score")
    print(said)
    assert code != 0 and ".snakemake: Snakemake may not write there; give yourself" in said, said
    assert kept(shared.folder) == whole
    code, said = snakemake(shared, ANNA)
    assert code == 0, said
