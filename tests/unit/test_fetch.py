import hashlib
import subprocess
import sys
import threading
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

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.script = ["good"]
        self.requests = []
        self.release = threading.Event()
        self.sent = 0

    @property
    def ranges(self):
        return [asked for _, asked in self.requests]

    def url(self, path="/a.tar.gz"):
        return f"http://127.0.0.1:{self.server_port}{path}"


class Handler(BaseHTTPRequestHandler):
    def log_message(self, format, *args):
        pass

    def do_GET(self):
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

    def endless(self):
        """Send without a length until nobody reads."""
        self.send_response(200)
        self.end_headers()
        try:
            while self.server.sent < 100 * len(BODY):
                self.server.sent += self.wfile.write(BODY)
        except OSError:
            pass

    def reply(self, status, body, *, start=0, cut=False):
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
def server(monkeypatch):
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
def archive(server):
    return Archive("a.tar.gz", SHA, len(BODY), (server.url(),))


@pytest.fixture
def destination(tmp_path):
    return tmp_path / "raw" / "a.tar.gz"


def attempt(archive, destination, attempts=1):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pte_study.fetching.fetch.ATTEMPTS", attempts)
        return fetch(archive, destination)


def leave_part(archive, destination, server):
    """Break a download off half way and return the partial file it leaves."""
    server.script = ["truncated"]
    with pytest.raises(PteError):
        attempt(archive, destination)
    server.requests.clear()
    (part,) = destination.parent.iterdir()
    assert part.read_bytes() == BODY[:HALF]
    return part


def make_mirror(folder, content, listed):
    folder.mkdir()
    (folder / "a.tar.gz").write_bytes(content)
    other = "0" * 64 + "  other.zip\n"
    line = f"{hashlib.sha256(listed).hexdigest()}  a.tar.gz\n" if listed is not None else ""
    (folder / "SHA256SUMS").write_text(other + line)
    return folder


def only_file(destination):
    assert list(destination.parent.iterdir()) == [destination]
    return destination.read_bytes()


@pytest.mark.parametrize(
    ("script", "ranges"),
    [
        ("good", [None]),
        ("truncated good", [None, f"bytes={HALF}-"]),
        ("500 500 good", [None] * 3),
        ("429 429 good", [None] * 3),
    ],
)
def test_a_download_is_resumed_where_it_stopped(script, ranges, archive, destination, server):
    server.script = script.split()
    assert fetch(archive, destination) == Provenance(server.url(), SHA, "registry")
    assert only_file(destination) == BODY
    assert server.ranges == ranges


def test_stalled_download_resumes(archive, destination, server):
    server.script = ["stalled", "good"]
    fetch(archive, destination)
    assert only_file(destination) == BODY
    assert len(server.ranges) == 2


def test_next_call_resumes(archive, destination, server):
    leave_part(archive, destination, server)
    server.script = ["good"]
    fetch(archive, destination)
    assert only_file(destination) == BODY
    assert server.ranges == [f"bytes={HALF}-"]


def test_interrupt_keeps_the_part(archive, destination, server, monkeypatch):
    def interrupt(*_):
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
def test_starts_again_where_it_cannot_resume(script, requests, archive, destination, server):
    leave_part(archive, destination, server)
    server.script = script
    attempt(archive, destination)
    assert only_file(destination) == BODY
    assert server.ranges == [f"bytes={HALF}-", None][:requests]


def test_part_is_not_resumed_from_another_url(archive, destination, server):
    leave_part(archive, destination, server)
    server.script = ["404", "good"]
    both = replace(archive, urls=(server.url(), server.url("/other")))
    assert fetch(both, destination).source == server.url("/other")
    assert only_file(destination) == BODY
    assert server.requests == [("/a.tar.gz", f"bytes={HALF}-"), ("/other", None)]


def test_download_without_hash_never_resumes(archive, destination, server):
    server.script = ["truncated", "good"]
    unhashed = replace(archive, sha256=None, size=None)
    provenance = fetch(unhashed, destination)
    assert provenance.sha256 == SHA
    assert provenance.verified_against == "nothing: no sha256 registered"
    assert server.ranges == [None, None]


@pytest.mark.parametrize(
    ("status", "complaint", "requests"),
    [("503", "gave up after 4 attempts: HTTP 503", 4), ("404", "HTTP 404", 1)],
)
def test_only_a_busy_server_is_retried(status, complaint, requests, archive, destination, server):
    server.script = [status]
    with pytest.raises(PteError, match=complaint):
        fetch(archive, destination)
    assert len(server.requests) == requests


def test_refused_connection_is_a_listed_failure(archive, destination):
    closed = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    url = f"http://127.0.0.1:{closed.server_port}/a.tar.gz"
    closed.server_close()
    with pytest.raises(PteError, match="gave up after 2 attempts"):
        attempt(replace(archive, urls=(url,)), destination, 2)


@pytest.mark.parametrize(
    ("word", "complaint"), [("wrong", "wrong sha256"), ("short", "wrong size")]
)
def test_wrong_bytes_leave_nothing(word, complaint, archive, destination, server):
    server.script = [word]
    with pytest.raises(PteError, match=complaint):
        fetch(archive, destination)
    assert list(destination.parent.iterdir()) == []
    assert len(server.requests) == 1


@pytest.mark.parametrize("size", [len(BODY), None])
def test_an_endless_server_is_not_read_to_its_end(size, archive, destination, server, monkeypatch):
    monkeypatch.setattr("pte_study.fetching.fetch.MOST_BYTES", len(BODY))
    server.script = ["endless"]
    complaint = f"wrong size: expected at most {len(BODY)} bytes"
    with pytest.raises(PteError, match=complaint):
        fetch(replace(archive, size=size), destination)
    assert server.sent < 100 * len(BODY)
    assert list(destination.parent.iterdir()) == []
    assert len(server.requests) == 1


def test_what_a_server_says_is_too_large_is_not_read(archive, destination, server):
    with pytest.raises(PteError, match="wrong size: expected at most 10 bytes"):
        fetch(replace(archive, size=10), destination)
    assert list(destination.parent.iterdir()) == []


def test_what_a_killed_fetch_left_is_removed(archive, destination, server):
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
    archive, destination, tmp_path, monkeypatch
):
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


def test_a_mirror_that_cannot_be_read_is_a_listed_failure(archive, destination, server, tmp_path):
    mirror = make_mirror(tmp_path / "mirror", b"rebuilt", listed=b"rebuilt")
    (mirror / "SHA256SUMS").unlink()
    (mirror / "SHA256SUMS").mkdir()
    assert fetch(archive, destination, mirror).source == server.url()
    with pytest.raises(PteError, match=r"mirror .*: has no SHA256SUMS file"):
        fetch(replace(archive, urls=()), destination.with_name("other"), mirror)


def test_error_lists_every_source(archive, destination, server, tmp_path, monkeypatch):
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


def test_no_source_at_all(destination):
    with pytest.raises(PteError) as caught:
        fetch(Archive("a.tar.gz", None, None), destination)
    assert str(caught.value).splitlines()[1:] == [
        "  none: no mirror given, no url or package registered",
        "it has no public source; set `mirror` in config.yaml or PTE_MIRROR in the environment to "
        "a folder that holds it and its SHA256SUMS, or put the file by hand at "
        f"{destination} and run again; expected sha256: none registered",
    ]


def test_file_put_by_hand_is_accepted(archive, destination, server):
    destination.parent.mkdir()
    destination.write_bytes(BODY)
    assert fetch(archive, destination).verified_against == "registry"
    unhashed = Archive("a.tar.gz", None, None, archive.urls)
    assert fetch(unhashed, destination).sha256 == SHA
    assert server.requests == []


def test_wrong_file_in_place_is_replaced(archive, destination):
    destination.parent.mkdir()
    destination.write_bytes(b"wrong")
    fetch(archive, destination)
    assert only_file(destination) == BODY


def test_mirror_comes_first_and_is_checked_by_its_own_sums(archive, destination, server, tmp_path):
    mirror = make_mirror(tmp_path / "mirror", b"rebuilt", listed=b"rebuilt")
    digest = hashlib.sha256(b"rebuilt").hexdigest()
    expected = Provenance("mirror", digest, "mirror SHA256SUMS")
    assert fetch(archive, destination, mirror) == expected
    assert only_file(destination) == b"rebuilt"
    assert server.requests == []


def test_official_file_in_a_mirror_needs_no_sums(archive, destination, tmp_path):
    mirror = make_mirror(tmp_path / "mirror", BODY, listed=None)
    (mirror / "SHA256SUMS").unlink()
    assert fetch(archive, destination, mirror) == Provenance("mirror", SHA, "registry")


@pytest.mark.parametrize("listed", [b"rebuilt", None])
def test_bad_mirror_falls_through_to_the_url(listed, archive, destination, server, tmp_path):
    mirror = make_mirror(tmp_path / "mirror", b"corrupted", listed=listed)
    assert fetch(archive, destination, mirror).source == server.url()
    assert only_file(destination) == BODY


def test_bad_mirror_says_why(destination, tmp_path):
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


def fake_pip(monkeypatch, wheels, stderr):
    """Let `pip download` leave `wheels`, or fail with `stderr` where there are none."""

    def run(command, **options):
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


def test_wheel_of_the_package_index(destination, monkeypatch):
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
def test_package_index_fails(wheels, stderr, complaint, destination, monkeypatch):
    fake_pip(monkeypatch, wheels, stderr)
    with pytest.raises(PteError, match=complaint):
        fetch(WHEEL, destination)
    assert list(destination.parent.iterdir()) == []


def test_slow_pip_is_a_listed_failure(destination, monkeypatch):
    def run(command, timeout, **_):
        raise subprocess.TimeoutExpired(command, timeout)

    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(PteError, match="pip took longer than"):
        fetch(WHEEL, destination)
