"""Tells what a mirror folder holds, without reading an archive.

The workflow's main process asks this while it plans, so this module should import little. A fault
of a mirror is no error here: the job that needs the file reports it.
"""

from pathlib import Path
from typing import Any

from pte.errors import PteError
from pte.files import read_json, write_json

SUMS = "SHA256SUMS"


def listed_hashes(mirror: Path) -> dict[str, str]:
    """Read the hashes that a mirror lists, by file name.

    If the mirror rebuilt an archive, it lists the hash of the rebuilt archive. Raises `OSError` if
    there is no `SHA256SUMS` that can be read.
    """
    lines = (mirror / SUMS).read_text(encoding="utf-8", errors="replace").splitlines()
    pairs = (line.split(maxsplit=1) for line in lines)
    # A star marks a file that was hashed in binary mode; `sha256sum ./*` lists ./NAME.
    names = {pair[1].strip().removeprefix("*"): pair[0] for pair in pairs if len(pair) == 2}
    return {name.removeprefix("./"): digest.lower() for name, digest in names.items()}


def has(folder: Path, file: str) -> bool:
    """Return whether a folder has a file; false if the folder cannot be looked into."""
    try:
        return (folder / file).is_file()
    except OSError:
        return False


def seen(mirror: Path, file: str) -> dict[str, Any] | None:
    """Return what identifies a file of a mirror: its size, and its listed hash or else its time.

    Returns None if the mirror does not have the file. If the hash of the file is listed, its time
    does not matter, because a copy of a mirror is the same mirror.
    """
    if not has(mirror, file):
        return None
    status = (mirror / file).stat()
    try:
        mark: dict[str, Any] = {"sha256": listed_hashes(mirror)[file]}
    except (OSError, KeyError):
        mark = {"time": status.st_mtime_ns}
    return {"size": status.st_size, **mark}


def identity(archive: Path, mirror: Path | None) -> dict[str, Any] | None:
    """Return what identifies the source of `archive`; if it changes, the archive is fetched anew.

    This is what the last fetch noted, if no mirror has the file now, or if the mirror lists the
    size and the hash of the file that was fetched.
    """
    now, last = mirror and seen(mirror, archive.name), _noted(archive)
    same = last and now and (last["sha256"], last["size"]) == (now.get("sha256"), now["size"])
    if last and (same or not now):
        found: dict[str, Any] | None = last["identity"]
        return found
    return now or None


def note(archive: Path, identity: dict[str, Any] | None, sha256: str) -> None:
    """Write a note beside a fetched archive: what identified its source, its hash and its size."""
    size = archive.stat().st_size
    write_json(_note(archive), {"identity": identity, "sha256": sha256, "size": size})


def _note(archive: Path) -> Path:
    return archive.with_name(f".{archive.name}.json")


def _noted(archive: Path) -> dict[str, Any] | None:
    """Return the last note; None if there is no note that can be used."""
    try:
        found: dict[str, Any] = read_json(_note(archive), "identity", "sha256", "size")
    except PteError:
        return None
    return found
