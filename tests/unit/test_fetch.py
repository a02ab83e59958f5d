import hashlib
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from tqdm import tqdm

from pte.corpora.entry import Archive
from pte.errors import PteError
from pte_study.fetching.fetch import Provenance, fetch

BODY = bytes(range(256)) * 1024  # four of the blocks in which a download is stored
HALF = len(BODY) // 2
SHA = hashlib.sha256(BODY).hexdigest()


class Server(ThreadingHTTPServer):
    """Answers each request as the next word of `script` says, the last word for good."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script = ["good"]
        self.requests: list[tuple[str, str | None]] = []
        self.release = threading.Event()
        self.sent = 0

    @property
    def ranges(self) -> list[str | None]:
        return [asked for _, asked in self.requests]

    def url(self, path: str = "/a.tar.gz") -> str:
        return f"http://127.0.0.1:{self.server_port}{path}"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        asked = self.headers.get("Range")
        self.server.requests.append((self.path, asked))
        assert self.headers["Accept-Encoding"] == "identity"
        script = self.server.script
        word = script.pop(0) if len(script) > 1 else script[0]
        start = int(asked.removeprefix("bytes=").removesuffix("-")) if asked else 0
        if word == "endless":
            return self.endless()
        if word.isdigit():
            self.reply(int(word), b"")
        elif word == "wrong":
            self.reply(200, BODY[::-1])
        elif word == "short":
            self.reply(200, BODY[:HALF])
        elif word == "whole" or not asked:
            self.reply(200, BODY, cut=word in ("truncated", "stalled"))
        elif word == "misplaced":
            self.reply(206, BODY, start=0)
        else:
            self.reply(206, BODY[start:], start=start)
        if word == "stalled":
            self.server.release.wait(20)

    def endless(self) -> None:
        """Send without a length until nobody reads."""
        self.send_response(200)
        self.end_headers()
        try:
            while self.server.sent < 100 * len(BODY):
                self.server.sent += self.wfile.write(BODY)
        except OSError:
            pass

    def reply(self, status: int, body: bytes, *, start: int = 0, cut: bool = False) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        if status == 206:
            self.send_header("Content-Range", f"bytes {start}-{len(BODY) - 1}/{len(BODY)}")
        elif body:
            # As some hosts label archives; the bytes must be stored as sent all the same.
            self.send_header("Content-Encoding", "x-gzip")
        self.end_headers()
        self.wfile.write(body[:HALF] if cut else body)
        self.wfile.flush()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setattr("pte_study.fetching.fetch.TIMEOUT", 0.3)
    monkeypatch.setattr("pte_study.fetching.fetch.BACKOFF", 0.01)
    server = Server()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server
    server.release.set()
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def archive(server: Server) -> Archive:
    return Archive("a.tar.gz", SHA, len(BODY), (server.url(),))


@pytest.fixture
def destination(tmp_path: Path) -> Path:
    return tmp_path / "raw" / "a.tar.gz"


def attempt(archive: Archive, destination: Path, attempts: int = 1) -> Provenance:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pte_study.fetching.fetch.ATTEMPTS", attempts)
        return fetch(archive, destination)


def leave_part(archive: Archive, destination: Path, server: Server) -> Path:
    """Break a download off half way and return the partial file it leaves."""
    server.script = ["truncated"]
    with pytest.raises(PteError):
        attempt(archive, destination)
    server.requests.clear()
    (part,) = destination.parent.iterdir()
    assert part.read_bytes() == BODY[:HALF]
    return part


def make_mirror(folder: Path, content: bytes, listed: bytes | None) -> Path:
    folder.mkdir()
    (folder / "a.tar.gz").write_bytes(content)
    other = "0" * 64 + "  other.zip\n"
    line = f"{hashlib.sha256(listed).hexdigest()}  a.tar.gz\n" if listed is not None else ""
    (folder / "SHA256SUMS").write_text(other + line)
    return folder


def only_file(destination: Path) -> bytes:
    assert list(destination.parent.iterdir()) == [destination]
    return destination.read_bytes()


def test_plain_download(archive: Archive, destination: Path, server: Server) -> None:
    assert fetch(archive, destination) == Provenance(server.url(), SHA, "registry")
    assert only_file(destination) == BODY
    assert server.ranges == [None]


def test_truncated_download_resumes_where_it_stopped(
    archive: Archive, destination: Path, server: Server
) -> None:
    server.script = ["truncated", "good"]
    fetch(archive, destination)
    assert only_file(destination) == BODY
    assert server.ranges == [None, f"bytes={HALF}-"]


def test_stalled_download_resumes(archive: Archive, destination: Path, server: Server) -> None:
    server.script = ["stalled", "good"]
    fetch(archive, destination)
    assert only_file(destination) == BODY
    assert len(server.ranges) == 2


def test_next_call_resumes(archive: Archive, destination: Path, server: Server) -> None:
    leave_part(archive, destination, server)
    server.script = ["good"]
    fetch(archive, destination)
    assert only_file(destination) == BODY
    assert server.ranges == [f"bytes={HALF}-"]


def test_interrupt_keeps_the_part(
    archive: Archive, destination: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(tqdm, "update", interrupt)
        with pytest.raises(KeyboardInterrupt):
            fetch(archive, destination)
    (part,) = destination.parent.iterdir()
    kept = part.stat().st_size
    assert kept > 0
    fetch(archive, destination)
    assert only_file(destination) == BODY
    assert server.ranges == [None, f"bytes={kept}-"]


@pytest.mark.parametrize(
    ("script", "requests"),
    [(["whole"], 1), (["misplaced", "whole"], 2), (["416", "whole"], 2)],
)
def test_starts_again_where_the_server_cannot_resume(
    script: list[str], requests: int, archive: Archive, destination: Path, server: Server
) -> None:
    leave_part(archive, destination, server)
    server.script = script
    attempt(archive, destination)
    assert only_file(destination) == BODY
    assert server.ranges == [f"bytes={HALF}-", None][:requests]


def test_part_is_not_resumed_from_another_url(
    archive: Archive, destination: Path, server: Server
) -> None:
    leave_part(archive, destination, server)
    server.script = ["404", "good"]
    both = replace(archive, urls=(server.url(), server.url("/other")))
    assert fetch(both, destination).source == server.url("/other")
    assert only_file(destination) == BODY
    assert server.requests == [("/a.tar.gz", f"bytes={HALF}-"), ("/other", None)]


def test_download_without_hash_never_resumes(
    archive: Archive, destination: Path, server: Server
) -> None:
    server.script = ["truncated", "good"]
    unhashed = replace(archive, sha256=None, size=None)
    provenance = fetch(unhashed, destination)
    assert provenance.sha256 == SHA
    assert provenance.verified_against == "nothing: no sha256 registered"
    assert server.ranges == [None, None]


@pytest.mark.parametrize("status", ["500", "429"])
def test_busy_server_is_retried(
    status: str, archive: Archive, destination: Path, server: Server
) -> None:
    server.script = [status, status, "good"]
    fetch(archive, destination)
    assert only_file(destination) == BODY
    assert len(server.requests) == 3


def test_busy_server_is_given_up(archive: Archive, destination: Path, server: Server) -> None:
    server.script = ["503"]
    with pytest.raises(PteError, match="gave up after 4 attempts: HTTP 503"):
        fetch(archive, destination)
    assert len(server.requests) == 4


def test_missing_file_is_not_retried(archive: Archive, destination: Path, server: Server) -> None:
    server.script = ["404"]
    with pytest.raises(PteError, match="HTTP 404"):
        fetch(archive, destination)
    assert len(server.requests) == 1


def test_refused_connection_is_a_listed_failure(archive: Archive, destination: Path) -> None:
    closed = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    url = f"http://127.0.0.1:{closed.server_port}/a.tar.gz"
    closed.server_close()
    with pytest.raises(PteError, match="gave up after 2 attempts"):
        attempt(replace(archive, urls=(url,)), destination, 2)


@pytest.mark.parametrize(
    ("word", "complaint"), [("wrong", "wrong sha256"), ("short", "wrong size")]
)
def test_wrong_bytes_leave_nothing(
    word: str, complaint: str, archive: Archive, destination: Path, server: Server
) -> None:
    server.script = [word]
    with pytest.raises(PteError, match=complaint):
        fetch(archive, destination)
    assert list(destination.parent.iterdir()) == []
    assert len(server.requests) == 1


@pytest.mark.parametrize("size", [len(BODY), None])
def test_an_endless_server_is_not_read_to_its_end(
    size: int | None,
    archive: Archive,
    destination: Path,
    server: Server,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("pte_study.fetching.fetch.MOST_BYTES", len(BODY))
    server.script = ["endless"]
    complaint = f"wrong size: expected at most {len(BODY)} bytes"
    with pytest.raises(PteError, match=complaint):
        fetch(replace(archive, size=size), destination)
    assert server.sent < 100 * len(BODY)
    assert list(destination.parent.iterdir()) == []
    assert len(server.requests) == 1


def test_what_a_server_says_is_too_large_is_not_read(
    archive: Archive, destination: Path, server: Server
) -> None:
    with pytest.raises(PteError, match="wrong size: expected at most 10 bytes"):
        fetch(replace(archive, size=10), destination)
    assert list(destination.parent.iterdir()) == []


def test_what_a_killed_fetch_left_is_removed(
    archive: Archive, destination: Path, server: Server
) -> None:
    """Even where this fetch fails; what a url can resume stays, and what belongs to others."""
    part = leave_part(archive, destination, server)
    others = [destination.with_name(name) for name in ("b.tar.gz.part", "xa.tar.gz.1.part")]
    for name in ("a.tar.gz.01234567.part", *(other.name for other in others)):
        destination.with_name(name).write_bytes(b"left")
    (destination.with_name(".a.tar.gz.pip") / "deep").mkdir(parents=True)
    server.script = ["404"]
    with pytest.raises(PteError):
        fetch(archive, destination)
    assert sorted(destination.parent.iterdir()) == sorted([part, *others])
    server.script = ["good"]
    fetch(archive, destination)
    assert sorted(destination.parent.iterdir()) == sorted([destination, *others])


def test_a_killed_copy_of_the_mirror_leaves_one_file_at_most(
    archive: Archive, destination: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mirror = make_mirror(tmp_path / "mirror", BODY, listed=BODY)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", lambda *_, **__: None)  # as if killed
        patch.setattr("pte_study.fetching.fetch.sha256_of", lambda _: "0")
        with pytest.raises(PteError):
            fetch(replace(archive, urls=()), destination, mirror)
    (left,) = destination.parent.iterdir()
    assert left != destination
    fetch(replace(archive, urls=()), destination, mirror)
    assert only_file(destination) == BODY


def test_a_mirror_that_cannot_be_read_is_a_listed_failure(
    archive: Archive, destination: Path, server: Server, tmp_path: Path
) -> None:
    mirror = make_mirror(tmp_path / "mirror", b"rebuilt", listed=b"rebuilt")
    (mirror / "SHA256SUMS").unlink()
    (mirror / "SHA256SUMS").mkdir()
    assert fetch(archive, destination, mirror).source == server.url()
    with pytest.raises(PteError, match=r"mirror .*: has no SHA256SUMS file"):
        fetch(replace(archive, urls=()), destination.with_name("other"), mirror)


def test_error_lists_every_source(
    archive: Archive,
    destination: Path,
    server: Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server.script = ["404", "wrong"]
    fake_pip(monkeypatch, {}, "ERROR: no such thing")
    destination.parent.mkdir()
    destination.write_bytes(b"by hand, wrong")
    everything = replace(
        archive, urls=(server.url(), server.url("/other")), package="some-package==1.0", size=None
    )
    with pytest.raises(PteError) as caught:
        fetch(everything, destination, tmp_path / "nowhere")
    lines = str(caught.value).splitlines()
    got = hashlib.sha256(BODY[::-1]).hexdigest()
    by_hand = hashlib.sha256(b"by hand, wrong").hexdigest()
    assert lines == [
        "cannot fetch a.tar.gz; sources tried:",
        f"  file at {destination}: wrong sha256: expected {SHA}, got {by_hand}",
        f"  mirror {tmp_path / 'nowhere'}: not a directory",
        f"  {server.url()}: HTTP 404 Not Found",
        f"  {server.url('/other')}: wrong sha256: expected {SHA}, got {got}",
        "  package index: some-package==1.0: ERROR: no such thing",
        f"put the file by hand at {destination} and run again; expected sha256: {SHA}",
    ]


def test_no_source_at_all(destination: Path) -> None:
    with pytest.raises(PteError) as caught:
        fetch(Archive("a.tar.gz", None, None), destination)
    assert str(caught.value).splitlines()[1:] == [
        "  none: no mirror given, no url or package registered",
        "it has no public source; set `mirror` in config.yaml or PTE_MIRROR in the environment to "
        "a folder that holds it and its SHA256SUMS, or put the file by hand at "
        f"{destination} and run again; expected sha256: none registered",
    ]


def test_file_put_by_hand_is_accepted(archive: Archive, destination: Path, server: Server) -> None:
    destination.parent.mkdir()
    destination.write_bytes(BODY)
    assert fetch(archive, destination).verified_against == "registry"
    unhashed = Archive("a.tar.gz", None, None, archive.urls)
    assert fetch(unhashed, destination).sha256 == SHA
    assert server.requests == []


def test_wrong_file_in_place_is_replaced(archive: Archive, destination: Path) -> None:
    destination.parent.mkdir()
    destination.write_bytes(b"wrong")
    fetch(archive, destination)
    assert only_file(destination) == BODY


def test_mirror_comes_first_and_is_checked_by_its_own_sums(
    archive: Archive, destination: Path, server: Server, tmp_path: Path
) -> None:
    mirror = make_mirror(tmp_path / "mirror", b"rebuilt", listed=b"rebuilt")
    digest = hashlib.sha256(b"rebuilt").hexdigest()
    expected = Provenance("mirror", digest, "mirror SHA256SUMS")
    assert fetch(archive, destination, mirror) == expected
    assert only_file(destination) == b"rebuilt"
    assert server.requests == []


def test_official_file_in_a_mirror_needs_no_sums(
    archive: Archive, destination: Path, tmp_path: Path
) -> None:
    mirror = make_mirror(tmp_path / "mirror", BODY, listed=None)
    (mirror / "SHA256SUMS").unlink()
    assert fetch(archive, destination, mirror) == Provenance("mirror", SHA, "registry")


@pytest.mark.parametrize("listed", [b"rebuilt", None])
def test_bad_mirror_falls_through_to_the_url(
    listed: bytes | None, archive: Archive, destination: Path, server: Server, tmp_path: Path
) -> None:
    mirror = make_mirror(tmp_path / "mirror", b"corrupted", listed=listed)
    assert fetch(archive, destination, mirror).source == server.url()
    assert only_file(destination) == BODY


def test_bad_mirror_says_why(destination: Path, tmp_path: Path) -> None:
    mirror = make_mirror(tmp_path / "mirror", b"corrupted", listed=b"rebuilt")
    archive = Archive("a.tar.gz", SHA, None)
    said, got = (hashlib.sha256(content).hexdigest() for content in (b"rebuilt", b"corrupted"))
    wrong = rf"a\.tar\.gz has the wrong sha256: SHA256SUMS says {said}, got {got}"
    with pytest.raises(PteError, match=wrong):
        fetch(archive, destination, mirror)
    with pytest.raises(PteError, match=r"has no file b\.zip"):
        fetch(replace(archive, file="b.zip"), destination, mirror)
    (mirror / "SHA256SUMS").write_text("")
    with pytest.raises(PteError, match=r"does not list a\.tar\.gz"):
        fetch(archive, destination, mirror)
    (mirror / "SHA256SUMS").unlink()
    with pytest.raises(PteError, match="has no SHA256SUMS"):
        fetch(archive, destination, mirror)
    assert list(destination.parent.iterdir()) == []


def fake_pip(monkeypatch: pytest.MonkeyPatch, wheels: dict[str, bytes], stderr: str) -> None:
    """Let `pip download` leave `wheels`, or fail with `stderr` where there are none."""

    def run(command: list[str], **options: object) -> subprocess.CompletedProcess[str]:
        assert command[:4] == [sys.executable, "-m", "pip", "download"]
        assert {"--no-deps", "--only-binary=:all:"} < set(command)
        assert command[-1] == "some-package==1.0"
        assert options["timeout"] and not options.get("shell")
        folder = Path(command[command.index("-d") + 1])
        for name, content in wheels.items():
            (folder / name).write_bytes(content)
        return subprocess.CompletedProcess(command, 0 if wheels else 1, "", stderr)

    monkeypatch.setattr(subprocess, "run", run)


WHEEL = Archive("some.whl", SHA, len(BODY), package="some-package==1.0")


def test_wheel_of_the_package_index(destination: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_pip(monkeypatch, {"some_package-1.0-py3-none-any.whl": BODY}, "")
    source = "package index: some-package==1.0"
    assert fetch(WHEEL, destination) == Provenance(source, SHA, "registry")
    assert only_file(destination) == BODY


@pytest.mark.parametrize(
    ("wheels", "stderr", "complaint"),
    [
        ({"a.whl": BODY[::-1]}, "", "wrong sha256"),
        ({"a.whl": BODY, "b.whl": BODY}, "", "2 wheels"),
        ({}, "WARNING: first\nERROR: needs another Python\n", ": ERROR: needs another Python\n"),
        ({}, "", "pip exited with 1"),
    ],
)
def test_package_index_fails(
    wheels: dict[str, bytes],
    stderr: str,
    complaint: str,
    destination: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fake_pip(monkeypatch, wheels, stderr)
    with pytest.raises(PteError, match=complaint):
        fetch(WHEEL, destination)
    assert list(destination.parent.iterdir()) == []


def test_slow_pip_is_a_listed_failure(destination: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(command: list[str], timeout: float, **_: object) -> None:
        raise subprocess.TimeoutExpired(command, timeout)

    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(PteError, match="pip took longer than"):
        fetch(WHEEL, destination)
