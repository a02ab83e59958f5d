"""The state of the code: one hash of all files that decide what is computed."""

import hashlib
import subprocess
from pathlib import Path

PARTS = ("Snakefile", "config.yaml", "constraints.txt", "src", "workflow")
"""The files and folders of a checkout that decide what is computed."""

CHANGED, UNKNOWN = "changed", "unknown"
"""What `state` returns where files differ from the commit, and where git does not know them."""

_ROOT = Path(__file__).parents[3]


def state(checkout: Path = _ROOT, commit: str = "HEAD") -> str:
    """Return 16 hexadecimal digits of the hash of `PARTS` in a commit.

    Commits that differ only in documents and results have the same state. Returns `CHANGED` if a
    file of `PARTS` differs from HEAD or is new, and `UNKNOWN` where git knows no such commit.
    """
    try:
        tree = _git(checkout, "ls-tree", commit, "--", *PARTS)
        differs = commit == "HEAD" and _git(checkout, "status", "--porcelain", "--", *PARTS)
    except (OSError, subprocess.CalledProcessError):
        return UNKNOWN
    if not tree:
        return UNKNOWN
    return CHANGED if differs else hashlib.sha256(tree).hexdigest()[:16]


def _git(checkout: Path, *arguments: str) -> bytes:
    asked = ["git", "--no-optional-locks", "-C", str(checkout), *arguments]
    return subprocess.run(asked, capture_output=True, check=True).stdout
